import { memberOf } from '../../../contract-tests/values/json.ts';
import { placesIn } from '../../../contract-tests/values/places.ts';
import { openapi, recordFields } from '../generated/data.js';
import type { OperationId } from '../spec/document.ts';
import { inPlace } from './change.ts';
import type { Body, Rows } from './fault.ts';

interface Returned {
  readonly operation: OperationId;
  /** Its schema in the OpenAPI document, under which spec/requirements.yaml has the requirement of each of its members. */
  readonly schema: string;
  /** How the ids of its faults begin. */
  readonly prefix: string;
  /** In words: whose members they are. */
  readonly owner: string;
  /** Where the operation answers it. */
  readonly at: readonly string[];
}

export const grant: Returned = {
  operation: 'ssoLogin',
  schema: 'TokenGrant',
  prefix: 'sso',
  owner: 'The SSO login',
  at: [],
};
export const user: Returned = {
  operation: 'ssoLogin',
  schema: 'User',
  prefix: 'user',
  owner: 'The user',
  at: ['user'],
};
export const recording: Returned = {
  operation: 'updateRecording',
  schema: 'Recording',
  prefix: 'recording',
  owner: 'The recording',
  at: [],
};
export const apiKey: Returned = {
  operation: 'listTenantApiKeys',
  schema: 'TenantApiKey',
  prefix: 'key',
  owner: 'An API key',
  at: ['[]'],
};

const named = [grant, user, recording, apiKey];

/** Records elsewhere, by the OpenAPI document: what is added to it has faults as well. */
const others: readonly Returned[] = [...placesIn(openapi, Object.keys(recordFields))].flatMap(([id, places]) =>
  places
    .filter(({ record }) => !named.some(({ operation, schema }) => operation === id && schema === record))
    .map(({ record, at }) => {
      const prefix = [
        id.replace(/[A-Z]/g, (letter) => `-${letter}`).toLowerCase(),
        ...at.filter((name) => name !== '[]'),
      ];
      const operation = id as OperationId;
      const owner = `The ${record} of ${id}`;
      return { operation, schema: record, prefix: prefix.join('-'), owner, at };
    }),
);

/** A fault for each member of each record: it is missing. */
export const missing: Rows = Object.fromEntries(
  [...named, ...others].flatMap(({ operation, at, schema, prefix, owner }) =>
    Object.entries(memberOf(recordFields, schema) ?? {}).map(([name, { requirement }]) => [
      `${prefix}-no-${name.replaceAll('_', '-')} ${requirement}: ${owner}'s ${name} is missing.`,
      inPlace(operation, at)(() => ({ [name]: undefined })),
    ]),
  ),
);

/** What becomes of a member, in words that end the sentence, and as a function. */
type MemberChange = readonly [words: string, change: (value: unknown, record: Body, at: number) => unknown];

/** Faults that change one member of a record. Their ids: prefix, member and key, as in `recording-status-done`. */
export const changed = (
  { operation, at: place, schema, prefix, owner }: Returned,
  changes: Readonly<Record<string, Readonly<Record<string, MemberChange>>>>,
  requirement?: string,
): Rows =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([name, own]) =>
      Object.entries(own).map(([kind, [words, change]]) => [
        `${prefix}-${shortName(name)}-${kind} ${requirement ?? memberOf(memberOf(recordFields, schema), name)?.requirement}: ${owner}'s ${name} ${words}.`,
        inPlace(operation, place)((record, { at }) => ({ [name]: change(memberOf(record, name), record, at) })),
      ]),
    ),
  );

/** A member in an id: `created` for created_at. */
const shortName = (member: string): string => member.replace(/_(at|id|enabled)$/, '').replaceAll('_', '-');
