/** What the list of a tenant's API keys can do wrong. */
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type Call, isObject, type JsonObject, Refusal } from './http.ts';
import type { ApiKey } from './store.ts';

const FIELDS = [
  ['id', 'KEY-03'],
  ['provider', 'KEY-04'],
  ['name', 'KEY-05'],
  ['status', 'KEY-06'],
  ['created_at', 'KEY-07'],
] as const;

/** Puts another body into the answer. */
function onList(change: (records: JsonObject[], call: Call) => unknown): Hooks {
  return {
    reply: (reply, call) =>
      call.op === 'keys' && Array.isArray(reply.body)
        ? { ...reply, body: change(reply.body.filter(isObject), call) }
        : reply,
  };
}

/** Changes every record of the list; an undefined field goes missing. */
const onEach = (change: (record: JsonObject, stored: ApiKey) => JsonObject): Hooks =>
  onList((records, { app }) =>
    records.map((record) => {
      const stored = app.store.keys.find((key) => key.id === record.id);
      return stored ? { ...record, ...change(record, stored) } : record;
    }),
  );

/** All keys of the tenant that the path addresses. */
const ofTenant = (call: Call): ApiKey[] => call.app.store.keys.filter((key) => key.tenantId === call.param);

/** Lets a provider pass in another spelling, in filter and record alike. */
function spelling(spell: (provider: string) => string): Hooks {
  return {
    ...onEach((_record, { provider }) => ({ provider: spell(provider) })),
    keys: (found, { provider, status }, call) =>
      provider === null
        ? found
        : ofTenant(call).filter(
            (key) => spell(key.provider) === provider && (status === null || key.status === status),
          ),
  };
}

export const KEY_DEFECTS = [
  ...FIELDS.map(([field, requirement]) =>
    defect(
      `keys-${field}-missing`,
      [requirement],
      `The API keys lack ${field}.`,
      onEach(() => ({ [field]: undefined })),
    ),
  ),
  ...(['secret', 'api_key', 'value', 'token'] as const).map((field) =>
    defect(`keys-leak-${field}`, ['KEY-08'], `The API keys carry the secret as ${field}.`, {
      ...onEach((_record, { secret }) => ({ [field]: secret })),
    }),
  ),
  defect(
    'keys-leak-nested',
    ['KEY-08'],
    'The API keys carry the secret inside of a credentials object.',
    onEach((_record, { secret }) => ({ credentials: { type: 'key', plaintext: secret } })),
  ),
  defect(
    'keys-leak-in-list',
    ['KEY-08'],
    'The API keys carry the secret in a list of tokens.',
    onEach((_record, { secret }) => ({ tokens: [secret.replace('sk-live-', '')] })),
  ),
  defect(
    'keys-leak-bytes',
    ['KEY-08'],
    'The API keys carry the secret as Node writes a Buffer.',
    onEach((_record, { secret }) => ({ secret: Buffer.from(secret) })),
  ),
  defect(
    'keys-leak-number',
    ['KEY-08'],
    'The API keys carry a secret that is a number.',
    onEach((_record, { secret }) => ({ password: Number.parseInt(secret.slice(-12), 16) + 1_000_000 })),
  ),
  defect(
    'keys-id-number',
    ['KEY-03'],
    'The id of an API key is a number.',
    onEach(({ id }) => ({ id: Number(id) })),
  ),
  defect(
    'keys-name-null',
    ['KEY-05'],
    'The name of an API key is null.',
    onEach(() => ({ name: null })),
  ),
  defect(
    'keys-created-at-epoch',
    ['KEY-07'],
    'The creation time of an API key counts seconds.',
    onEach(() => ({ created_at: 1_762_000_000 })),
  ),
  defect('keys-provider-capitals', ['KEY-09'], 'The providers are written in capitals.', {
    ...spelling((provider) => provider.toUpperCase()),
  }),
  defect('keys-eight-providers', ['KEY-10'], 'There is an eighth provider.', {
    keys: (found, { provider, status }, call) => {
      const [first] = ofTenant(call);
      if (!first || (provider !== null && provider !== 'brave') || (status !== null && status !== first.status))
        return found;
      return [...found, { ...first, id: `${first.id}9`, provider: 'brave' }];
    },
  }),
  defect('keys-filter-demanded', ['KEY-01'], 'The list is refused without a provider filter.', {
    before: (call) => {
      if (call.op === 'keys' && !call.query.has('provider')) throw new Refusal(422, 'provider is missing');
    },
  }),
  defect('keys-in-envelope', ['KEY-02'], 'The list is inside of {items: …}.', { ...onList((items) => ({ items })) }),
  defect('keys-by-id', ['KEY-02'], 'The list is an object of records by id.', {
    ...onList((records) => Object.fromEntries(records.map((record) => [String(record.id), record]))),
  }),
  defect('keys-provider-filter-ignored', ['KEY-11', 'KEY-15'], 'The provider filter has no effect.', {
    keys: (_found, { status }, call) => ofTenant(call).filter((key) => status === null || key.status === status),
  }),
  defect('keys-provider-filter-incomplete', ['KEY-12'], 'The provider filter leaves out the last match.', {
    keys: (found, { provider, status }) => (provider !== null && status === null ? found.slice(0, -1) : found),
  }),
  defect('keys-provider-filter-refused', ['KEY-12', 'KEY-15'], 'A provider filter is refused whatever its value.', {
    before: (call) => {
      if (call.op === 'keys' && call.query.has('provider')) throw new Refusal(422, 'provider is not a known provider');
    },
  }),
  defect('keys-status-filter-ignored', ['KEY-13', 'KEY-15'], 'The status filter has no effect.', {
    keys: (_found, { provider }, call) =>
      ofTenant(call).filter((key) => provider === null || key.provider === provider),
  }),
  defect('keys-status-filter-incomplete', ['KEY-14'], 'The status filter leaves out the last match.', {
    keys: (found, { provider, status }) => (provider === null && status !== null ? found.slice(0, -1) : found),
  }),
  defect('keys-status-filter-refused', ['KEY-14', 'KEY-15'], 'A status filter is refused whatever its value.', {
    before: (call) => {
      if (call.op === 'keys' && call.query.has('status')) throw new Refusal(422, 'status is not a known status');
    },
  }),
  defect('keys-filters-or', ['KEY-15'], 'Both filters together list what matches either.', {
    keys: (found, { provider, status }, call) =>
      provider === null || status === null
        ? found
        : ofTenant(call).filter((key) => key.provider === provider || key.status === status),
  }),
  defect('keys-filters-last-wins', ['KEY-15'], 'The provider filter has no effect beside a status filter.', {
    keys: (found, { provider, status }, call) =>
      provider === null || status === null ? found : ofTenant(call).filter((key) => key.status === status),
  }),
  defect('keys-filters-none', ['KEY-15'], 'Both filters together list nothing.', {
    keys: (found, { provider, status }) => (provider === null || status === null ? found : []),
  }),
  defect('keys-unfiltered-incomplete', ['KEY-16'], 'Without a filter only the oldest seven API keys are listed.', {
    keys: (found, { provider, status }) => (provider === null && status === null ? found.slice(0, 7) : found),
  }),
  defect('keys-of-all-tenants', ['KEY-17'], 'The list holds the API keys of other tenants, too.', {
    keys: (_found, { provider, status }, { app }) =>
      app.store.keys.filter(
        (key) => (provider === null || key.provider === provider) && (status === null || key.status === status),
      ),
  }),
  defect('keys-tenant-ignored', ['KEY-17'], 'Whatever the path says, the list is that of one tenant.', {
    keys: (_found, { provider, status }, { app }) =>
      app.store.keys.filter(
        (key) =>
          key.tenantId === app.store.tenantId &&
          (provider === null || key.provider === provider) &&
          (status === null || key.status === status),
      ),
  }),
  defect('keys-duplicated', ['KEY-18'], 'Every API key is listed twice.', { keys: (found) => [...found, ...found] }),
] as const satisfies readonly Defect[];
