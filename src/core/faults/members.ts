import { memberOf } from '../../../contract-tests/values/json.ts';
import { recordFields } from '../generated/data.js';
import { inGrant, inKeys, inRecording, inUser } from './change.ts';
import type { Body, Hooks, Rows } from './fault.ts';

interface Returned {
  /** Its schema in the OpenAPI document, under which spec/requirements.yaml has the requirement of each of its members. */
  readonly schema: string;
  /** How the ids of its faults begin. */
  readonly prefix: string;
  /** In words: whose members they are. */
  readonly owner: string;
  readonly hooks: (change: (record: Body, context: { readonly at: number }) => Body) => Hooks;
}

export const grant: Returned = { schema: 'TokenGrant', prefix: 'sso', owner: 'The SSO login', hooks: inGrant };
export const user: Returned = { schema: 'User', prefix: 'user', owner: 'The user', hooks: inUser };
export const recording: Returned = {
  schema: 'Recording',
  prefix: 'recording',
  owner: 'The recording',
  hooks: inRecording,
};
export const apiKey: Returned = { schema: 'TenantApiKey', prefix: 'key', owner: 'An API key', hooks: inKeys };

/** A fault for each member of a record: it is missing. */
export const missing = ({ schema, prefix, owner, hooks }: Returned): Rows =>
  Object.fromEntries(
    Object.entries(memberOf(recordFields, schema) ?? {}).map(([name, { requirement }]) => [
      `${prefix}-no-${name.replaceAll('_', '-')} ${requirement}: ${owner}'s ${name} is missing.`,
      hooks(() => ({ [name]: undefined })),
    ]),
  );

/** What becomes of a member, in words that end the sentence, and as a function. */
type MemberChange = readonly [words: string, change: (value: unknown, record: Body, at: number) => unknown];

/** Faults that change one member of a record. Their ids: prefix, member and key, as in `recording-status-done`. */
export const changed = (
  { schema, prefix, owner, hooks }: Returned,
  changes: Readonly<Record<string, Readonly<Record<string, MemberChange>>>>,
  requirement?: string,
): Rows =>
  Object.fromEntries(
    Object.entries(changes).flatMap(([name, own]) =>
      Object.entries(own).map(([kind, [words, change]]) => [
        `${prefix}-${shortName(name)}-${kind} ${requirement ?? memberOf(memberOf(recordFields, schema), name)?.requirement}: ${owner}'s ${name} ${words}.`,
        hooks((record, { at }) => ({ [name]: change(memberOf(record, name), record, at) })),
      ]),
    ),
  );

/** A member in an id: `created` for created_at. */
const shortName = (member: string): string => member.replace(/_(at|id|enabled)$/, '').replaceAll('_', '-');
