/** What shows only at some lists of API keys: for one order of the filters, at times, or in disguise. */
import { randomUUID } from 'node:crypto';
import { type Defect, defect, type Hooks } from './hooks.ts';
import { type App, isObject, type JsonObject } from './http.ts';

/** Adds members to each record of the list, given the secret of the API key. */
const withMembers = (members: (secret: string) => JsonObject): Hooks => ({
  reply: (reply, { op, app }) =>
    op === 'keys' && Array.isArray(reply.body)
      ? {
          ...reply,
          body: reply.body.filter(isObject).map((record) => {
            const stored = app.store.keys.find((key) => key.id === record.id);
            return stored ? { ...record, ...members(stored.secret) } : record;
          }),
        }
      : reply,
});

/** The provider that was last asked for. */
const lastProvider = new WeakMap<App, string>();

export const KEY_LIST_DEFECTS = [
  defect('keys-filters-status-first', ['KEY-15'], 'A status filter that comes before the provider has no effect.', {
    keys: (found, { provider, status }, { app, param, query }) =>
      [...query.keys()][0] === 'status' && provider !== null && status !== null
        ? app.store.keys.filter((key) => key.tenantId === param && key.provider === provider)
        : found,
  }),
  defect('keys-filters-provider-first', ['KEY-15'], 'A provider filter that comes before the status has no effect.', {
    keys: (found, { provider, status }, { app, param, query }) =>
      [...query.keys()][0] === 'provider' && provider !== null && status !== null
        ? app.store.keys.filter((key) => key.tenantId === param && key.status === status)
        : found,
  }),
  defect('keys-status-filter-at-times', ['KEY-14'], 'Every other list of a status filter leaves out the last match.', {
    keys: (found, { provider, status }, { app }) =>
      provider === null && status !== null && app.listCount % 2 === 0 ? found.slice(0, -1) : found,
  }),
  defect('keys-provider-filter-stays', ['KEY-14'], 'A provider filter holds for the lists after it, too.', {
    keys: (found, { provider }, { app }) => {
      if (provider !== null) lastProvider.set(app, provider);
      const last = lastProvider.get(app);
      return provider === null && last !== undefined ? found.filter((key) => key.provider === last) : found;
    },
  }),
  defect('keys-ids-new-each-time', ['KEY-15', 'KEY-16'], 'API keys have other ids at each list.', {
    reply: (reply, { op }) =>
      op === 'keys' && Array.isArray(reply.body)
        ? { ...reply, body: reply.body.filter(isObject).map((record) => ({ ...record, id: randomUUID() })) }
        : reply,
  }),
  defect(
    'keys-leak-hint',
    ['KEY-08'],
    'The hint at the secret is the whole of it.',
    withMembers((secret) => ({ key_hint: secret })),
  ),
  defect(
    'keys-leak-barely-masked',
    ['KEY-08'],
    'The masked secret lacks three characters.',
    withMembers((secret) => ({ masked_key: `***${secret.slice(3)}` })),
  ),
  defect(
    'keys-leak-base64',
    ['KEY-08'],
    'The API keys carry the secret in base64.',
    withMembers((secret) => ({ blob: Buffer.from(secret).toString('base64') })),
  ),
  defect(
    'keys-leak-id',
    ['KEY-08'],
    'The id of an API key is its secret.',
    withMembers((secret) => ({ id: secret })),
  ),
] as const satisfies readonly Defect[];
