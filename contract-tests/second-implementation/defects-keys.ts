/** What a list of API keys can do wrong to the records in it. */
import { randomUUID } from 'node:crypto';
import { type Change, changesKeys, isByPat, kindOf, only, replacesList } from './answering.ts';
import { type Defect, defect } from './hooks.ts';
import type { Call, JsonObject } from './http.ts';
import { type ApiKey, timestamp } from './store.ts';

const FIELDS = [
  ['id', 'KEY-03'],
  ['provider', 'KEY-04'],
  ['name', 'KEY-05'],
  ['status', 'KEY-06'],
  ['created_at', 'KEY-07'],
] as const;

type KeyChange = Change<[record: JsonObject, stored: ApiKey, call: Call]>;

/** In each API key of each list. */
const inKeys = kindOf((change: KeyChange) => changesKeys(change));

/** Shows the secret in some form. */
const leak = <Id extends string>(id: Id, description: string, members: (secret: string) => JsonObject) =>
  inKeys(id, ['KEY-08'], description, (_record, { secret }) => members(secret));

/** In each API key of some lists only. */
const inSome = (concerns: (call: Call) => boolean) =>
  kindOf((change: KeyChange) => only(concerns, changesKeys(change)));
const inFilteredTwice = inSome(({ query }) => query.has('provider') && query.has('status'));
const inFilteredByProvider = inSome(({ query }) => query.has('provider') && !query.has('status'));
const inOtherTenants = inSome(({ app, param }) => param === app.store.otherTenantId);
const inListsToPats = inSome(isByPat);

const showSecret: KeyChange = (_record, { secret }) => ({ secret });

export const KEY_DEFECTS = [
  ...FIELDS.map(([field, requirement]) =>
    inKeys(`keys-${field}-missing`, [requirement], `The API keys lack ${field}.`, { [field]: undefined }),
  ),
  ...(['secret', 'api_key', 'value', 'token'] as const).map((field) =>
    leak(`keys-leak-${field}`, `The API keys carry the secret as ${field}.`, (secret) => ({ [field]: secret })),
  ),
  leak('keys-leak-nested', 'The API keys carry the secret inside of a credentials object.', (plaintext) => ({
    credentials: { type: 'key', plaintext },
  })),
  leak('keys-leak-in-list', 'The API keys carry the secret in a list of tokens.', (secret) => ({
    tokens: [secret.replace('sk-live-', '')],
  })),
  leak('keys-leak-bytes', 'The API keys carry the secret as Node writes a Buffer.', (secret) => ({
    secret: Buffer.from(secret),
  })),
  leak('keys-leak-number', 'The API keys carry a secret that is a number.', (secret) => ({
    password: Number.parseInt(secret.slice(-12), 16) + 1_000_000,
  })),
  leak('keys-leak-hint', 'The hint at the secret is the whole of it.', (secret) => ({ key_hint: secret })),
  leak('keys-leak-barely-masked', 'The masked secret lacks three characters.', (secret) => ({
    masked_key: `***${secret.slice(3)}`,
  })),
  leak('keys-leak-base64', 'The API keys carry the secret in base64.', (secret) => ({
    blob: Buffer.from(secret).toString('base64'),
  })),
  leak('keys-leak-id', 'The id of an API key is its secret.', (secret) => ({ id: secret })),
  inFilteredTwice('keys-leak-under-both-filters', ['KEY-08'], 'The secret is listed under both filters.', showSecret),
  inOtherTenants('keys-leak-of-other-tenant', ['KEY-08'], 'The secrets of other tenants are listed.', showSecret),
  inListsToPats('keys-leak-to-pats', ['KEY-08'], 'The secret is listed where the caller has a PAT.', showSecret),
  inKeys('keys-id-number', ['KEY-03'], 'The id of an API key is a number.', ({ id }) => ({ id: Number(id) })),
  inKeys('keys-name-null', ['KEY-05'], 'The name of an API key is null.', { name: null }),
  inFilteredTwice('keys-name-missing-under-both-filters', ['KEY-05'], 'The API keys lack name under both filters.', {
    name: undefined,
  }),
  inFilteredByProvider(
    'keys-name-of-provider-filter',
    ['KEY-05'],
    'An API key has another name in a list by provider.',
    ({ provider }) => ({ name: `${provider} key` }),
  ),
  inFilteredByProvider('keys-status-of-provider-filter', ['KEY-06'], 'In a list by provider, all keys are in use.', {
    status: 'in use',
  }),
  inKeys('keys-created-at-epoch', ['KEY-07'], 'The creation time of an API key is in seconds since 1970.', {
    created_at: 1_762_000_000,
  }),
  inKeys(
    'keys-made-when-listed',
    ['KEY-07'],
    'API keys are created at the time of each list.',
    (_key, _stored, call) => ({
      created_at: timestamp(call.app.tokens.now(), call.app.style),
    }),
  ),
  inKeys('keys-ids-new-each-time', ['KEY-15', 'KEY-16'], 'API keys have other ids in each list.', () => ({
    id: randomUUID(),
  })),
  defect('keys-in-envelope', ['KEY-02'], 'The list is wrapped in {items: …}.', {
    ...replacesList((items) => ({ items })),
  }),
  defect('keys-in-envelope-for-pats', ['KEY-02'], 'The list is wrapped in {items: …} where the caller has a PAT.', {
    ...only(
      isByPat,
      replacesList((items) => ({ items })),
    ),
  }),
  defect('keys-by-id', ['KEY-02'], 'The list is an object of records by id.', {
    ...replacesList((records) => Object.fromEntries(records.map((record) => [String(record.id), record]))),
  }),
] as const satisfies readonly Defect[];
