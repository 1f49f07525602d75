import type { components } from '../spec/api-types.ts';
import { inGrant, inKeys, inRecording, inUser } from './change.ts';
import type { Body, Hooks, Rows } from './fault.ts';

type Schemas = components['schemas'];

/** A record that the API returns, and the requirement of each of its members: of all that the OpenAPI document has. */
interface Returned<Name extends string> {
  /** How the ids of its faults begin. */
  readonly prefix: string;
  /** In words: whose members they are. */
  readonly owner: string;
  readonly members: Readonly<Record<Name, string>>;
  /** Hooks that set its members. */
  readonly hooks: (change: (record: Body, context: { readonly at: number }) => Body) => Hooks;
}

export const grant: Returned<keyof Schemas['TokenGrant']> = {
  prefix: 'sso',
  owner: 'The SSO login',
  members: {
    access_token: 'SSO-03',
    refresh_token: 'SSO-05',
    token_type: 'SSO-06',
    expires_in: 'SSO-07',
    user: 'SSO-09',
  },
  hooks: inGrant,
};

export const user: Returned<keyof Schemas['User']> = {
  prefix: 'user',
  owner: 'The user',
  members: { id: 'SSO-10', email: 'SSO-11', username: 'SSO-12', confirmed: 'SSO-13', created_at: 'SSO-14' },
  hooks: inUser,
};

export const recording: Returned<keyof Schemas['Recording']> = {
  prefix: 'recording',
  owner: 'The recording',
  members: {
    id: 'REC-10',
    title: 'REC-11',
    filename: 'REC-12',
    status: 'REC-13',
    method: 'REC-14',
    quality: 'REC-15',
    language: 'REC-16',
    diarization_enabled: 'REC-17',
    user_id: 'REC-18',
    created_at: 'REC-19',
    updated_at: 'REC-20',
  },
  hooks: inRecording,
};

export const apiKey: Returned<keyof Schemas['TenantApiKey']> = {
  prefix: 'key',
  owner: 'An API key',
  members: { id: 'KEY-03', provider: 'KEY-04', name: 'KEY-05', status: 'KEY-06', created_at: 'KEY-07' },
  hooks: inKeys,
};

/** A fault for each member of a record: it is missing. */
export const missing = <Name extends string>({ prefix, owner, members, hooks }: Returned<Name>): Rows =>
  Object.fromEntries(
    Object.entries<string>(members).map(([name, requirement]) => [
      `${prefix}-no-${name.replaceAll('_', '-')} ${requirement}: ${owner}'s ${name} is missing.`,
      hooks(() => ({ [name]: undefined })),
    ]),
  );

/** What becomes of a member, in words that end the sentence, and as a function. */
type MemberChange = readonly [words: string, change: (value: unknown, record: Body, at: number) => unknown];

/** Faults that change one member of a record. Their ids: prefix, member and key, as in `recording-status-done`. */
export const changed = <Name extends string>(
  { prefix, owner, members, hooks }: Returned<Name>,
  changes: { readonly [Member in Name]?: Readonly<Record<string, MemberChange>> },
): Rows =>
  Object.fromEntries(
    Object.entries<Readonly<Record<string, MemberChange>> | undefined>(changes).flatMap(([name, own = {}]) =>
      Object.entries(own).map(([kind, [words, change]]) => [
        `${prefix}-${shortName(name)}-${kind} ${members[name as Name]}: ${owner}'s ${name} ${words}.`,
        hooks((record, { at }) => ({ [name]: change(record[name], record, at) })),
      ]),
    ),
  );

/** A member in an id: `created` for created_at. */
const shortName = (member: string): string => member.replace(/_(at|id|enabled)$/, '').replaceAll('_', '-');
