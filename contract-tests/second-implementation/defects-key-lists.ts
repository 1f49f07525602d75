/** Which API keys a list can leave out, add or confuse. */
import { changesKeys } from './answering.ts';
import { type Defect, defect, type Filters, type Hooks } from './hooks.ts';
import { type App, type Call, Refusal } from './http.ts';
import type { ApiKey } from './store.ts';

/** The keys of a tenant that fit the filters. */
const fitting = ({ app }: Call, tenantId: string | undefined, { provider, status }: Partial<Filters>): ApiKey[] =>
  app.store.keys.filter(
    (key) =>
      (tenantId === undefined || key.tenantId === tenantId) &&
      (provider == null || key.provider === provider) &&
      (status == null || key.status === status),
  );

/** Which filters a call has, in their order: e.g. `status provider`, or an empty text. */
const filtersOf = ({ query }: Call): string =>
  [...query.keys()].filter((name) => name === 'provider' || name === 'status').join(' ');

/** Lists other keys where the filters are some of these. */
const under = (filters: readonly string[], keys: NonNullable<Hooks['keys']>): Hooks => ({
  keys: (found, values, call) => (filters.includes(filtersOf(call)) ? keys(found, values, call) : found),
});
const NONE = [''];
const BOTH = ['provider status', 'status provider'];

const refusesWhen = (unfit: (call: Call) => boolean, message: string): Hooks => ({
  before: (call) => {
    if (call.op === 'keys' && unfit(call)) throw new Refusal(422, message);
  },
});

const ignoresProvider: Hooks['keys'] = (_found, { status }, call) => fitting(call, call.param, { status });
const ignoresStatus: Hooks['keys'] = (_found, { provider }, call) => fitting(call, call.param, { provider });

/** The provider that was last asked for. */
const lastProvider = new WeakMap<App, string>();

export const KEY_LIST_DEFECTS = [
  defect('keys-provider-capitals', ['KEY-09'], 'The providers are written in capitals.', {
    ...changesKeys((_record, { provider }) => ({ provider: provider.toUpperCase() })),
    keys: (found, { provider, status }, call) =>
      provider === null
        ? found
        : fitting(call, call.param, { status }).filter((key) => key.provider.toUpperCase() === provider),
  }),
  defect('keys-eight-providers', ['KEY-10'], 'There is an eighth provider.', {
    keys: (found, { provider, status }, call) => {
      const [first] = fitting(call, call.param, {});
      if (!first || (provider !== null && provider !== 'brave') || (status !== null && status !== first.status))
        return found;
      return [...found, { ...first, id: `${first.id}9`, provider: 'brave' }];
    },
  }),
  defect('keys-filter-demanded', ['KEY-01'], 'The list is refused without a provider filter.', {
    ...refusesWhen(({ query }) => !query.has('provider'), 'provider is missing'),
  }),
  defect('keys-provider-filter-ignored', ['KEY-11', 'KEY-15'], 'The provider filter has no effect.', {
    keys: ignoresProvider,
  }),
  defect('keys-provider-filter-incomplete', ['KEY-12'], 'The provider filter leaves out the last match.', {
    ...under(['provider'], (found) => found.slice(0, -1)),
  }),
  defect('keys-provider-filter-refused', ['KEY-12', 'KEY-15'], 'A provider filter is refused whatever its value.', {
    ...refusesWhen(({ query }) => query.has('provider'), 'provider is not a known provider'),
  }),
  defect('keys-status-filter-ignored', ['KEY-13', 'KEY-15'], 'The status filter has no effect.', {
    keys: ignoresStatus,
  }),
  defect('keys-status-filter-incomplete', ['KEY-14'], 'The status filter leaves out the last match.', {
    ...under(['status'], (found) => found.slice(0, -1)),
  }),
  defect('keys-status-filter-refused', ['KEY-14', 'KEY-15'], 'A status filter is refused whatever its value.', {
    ...refusesWhen(({ query }) => query.has('status'), 'status is not a known status'),
  }),
  defect('keys-status-filter-at-times', ['KEY-14'], 'Every other list of a status filter leaves out the last match.', {
    ...under(['status'], (found, _filters, { app }) => (app.listCount % 2 === 0 ? found.slice(0, -1) : found)),
  }),
  defect('keys-provider-filter-stays', ['KEY-14'], 'A provider filter also applies to the lists after it.', {
    keys: (found, { provider }, { app }) => {
      if (provider !== null) lastProvider.set(app, provider);
      const last = lastProvider.get(app);
      return provider === null && last !== undefined ? found.filter((key) => key.provider === last) : found;
    },
  }),
  defect('keys-filters-or', ['KEY-15'], 'Both filters together list what matches either.', {
    ...under(BOTH, (_found, { provider, status }, call) =>
      fitting(call, call.param, {}).filter((key) => key.provider === provider || key.status === status),
    ),
  }),
  defect('keys-filters-last-wins', ['KEY-15'], 'The provider filter has no effect beside a status filter.', {
    ...under(BOTH, ignoresProvider),
  }),
  defect('keys-filters-none', ['KEY-15'], 'Both filters together list nothing.', { ...under(BOTH, () => []) }),
  defect('keys-filters-status-first', ['KEY-15'], 'A status filter before the provider filter has no effect.', {
    ...under(['status provider'], ignoresStatus),
  }),
  defect('keys-filters-provider-first', ['KEY-15'], 'A provider filter before the status filter has no effect.', {
    ...under(['provider status'], ignoresProvider),
  }),
  defect('keys-unfiltered-incomplete', ['KEY-16'], 'Without a filter only the oldest seven API keys are listed.', {
    ...under(NONE, (found) => found.slice(0, 7)),
  }),
  defect('keys-of-all-tenants', ['KEY-17'], 'The list also holds the API keys of other tenants.', {
    keys: (_found, filters, call) => fitting(call, undefined, filters),
  }),
  defect('keys-tenant-ignored', ['KEY-17'], 'Whatever the path says, the list is that of one tenant.', {
    keys: (_found, filters, call) => fitting(call, call.app.store.tenantId, filters),
  }),
  defect('keys-duplicated', ['KEY-18'], 'Every API key is listed twice.', { keys: (found) => [...found, ...found] }),
] as const satisfies readonly Defect[];
