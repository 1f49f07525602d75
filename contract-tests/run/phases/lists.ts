import { apiKeysPath, NO_TENANT } from '../../api/operations.ts';
import { type Asked, isOk } from '../../log/entry.ts';
import { cover } from '../../plan/cover.ts';
import { type Value, valuesOf } from '../../plan/model.ts';
import { distinct, listedKeys } from '../../rules/documented.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Caller } from '../asker.ts';
import { concurrencyOf, together } from '../overlapping.ts';
import {
  isLong,
  isQuick,
  knownKeys,
  list,
  listOf,
  mild,
  modelOf,
  percentEncoded,
  type Run,
  SHORT_ID,
} from './phase.ts';

type Query = readonly (readonly [string, string])[];

/** Values of one filter that a run asks for: each costs a request, and a target may list thousands. */
const MOST_VALUES = { quick: 2, usual: 8, long: 40 };

/** The values of a field, those that few keys have first. */
function valuesIn(run: Run, keys: JsonObject[], field: string): string[] {
  const count = (value: string): number => keys.filter((key) => key[field] === value).length;
  const values = distinct(keys, field).toSorted((a, b) => count(a) - count(b));
  return values.slice(0, MOST_VALUES[isQuick(run) ? 'quick' : isLong(run) ? 'long' : 'usual']);
}

/** The values of a filter that no key needs to have, made of one that some key has. */
function oddQueries(field: 'provider' | 'status', values: readonly Value[], known: string): Query[] {
  const of = (value: string): Query => [[field, value]];
  return values.flatMap(({ id, value }): Query[] => {
    if (id === 'prefix') return known.length > 3 ? [of(known.slice(0, -1))] : [];
    if (id === 'underscore') return known === '' ? [] : [of('_'.repeat(known.length))];
    return (Array.isArray(value) ? value : [value]).flatMap((each) => (typeof each === 'string' ? [of(each)] : []));
  });
}

/** Pairs of known values that some key has, and that none has; the second half names the status first. */
function pairsOf(keys: JsonObject[], values: readonly Value[]): Query[] {
  const most = (id: string): number => values.find((value) => value.id === id)?.count ?? 0;
  const known = new Set(keys.map(({ provider, status }) => JSON.stringify([provider, status])));
  const [providers, statuses] = [distinct(keys, 'provider').slice(0, 300), distinct(keys, 'status').slice(0, 300)];
  const pairs = providers.flatMap((provider) =>
    statuses.map((status) => ({ provider, status, isSome: known.has(JSON.stringify([provider, status])) })),
  );
  const chosen = [
    ...pairs.filter(({ isSome }) => isSome).slice(0, most('some')),
    ...pairs.filter(({ isSome }) => !isSome).slice(0, most('none')),
  ];
  return chosen.map(({ provider, status }, at) =>
    at % 2 === 0 ? both(provider, status) : both(provider, status).toReversed(),
  );
}

const both = (provider: string, status: string): Query => Object.entries({ provider, status });

/** Lists with every kind of filter, by every caller; whole lists before and after them. */
export async function lists(run: Run): Promise<void> {
  const { asker, session } = run;
  const { 'api-keys': model } = modelOf(run);
  const callers: Value[] = [];
  for (const value of valuesOf(model, 'caller', isLong(run)))
    if (!(isQuick(run) && value.id === 'admin.login') && (await asker.as(value.id as Caller))) callers.push(value);
  for (const { id } of callers) if (id !== 'admin.jwt') await list(run, id as Caller);
  const keys = knownKeys(run);
  const mildQueries: { filters: string; query: Query }[] = [
    ...(['provider', 'status'] as const).flatMap((field) =>
      valuesIn(run, keys, field).map((value) => ({ filters: field, query: [[field, value]] as Query })),
    ),
    ...pairsOf(keys, valuesOf(model, 'pair', isLong(run)))
      .filter((_, at) => !isQuick(run) || at % 2 === 0)
      .map((query) => ({ filters: 'both', query })),
  ];
  // Which caller asks for which kind of filter: every pair of these once, the first caller for all others.
  const pairs = cover({
    dimensions: { caller: callers, filters: (model.dimensions.filters ?? []).filter(({ id }) => id !== 'none') },
    pairs: [['caller', 'filters']],
    seed: run.seed,
  });
  const note = (dimension: string, id: string): void => void asker.covered.add(`api-keys.${dimension}.${id}`);
  for (const { id } of callers) note('caller', id);
  note('filters', 'none');
  for (const { filters, query } of mildQueries) {
    note('filters', filters);
    if (filters !== 'both') note(filters, 'known');
    else note('pair', keys.some((key) => query.every(([name, value]) => key[name] === value)) ? 'some' : 'none');
  }
  await overlappingLists(run, mildQueries);
  for (const { filters, query } of mildQueries) {
    const at = pairs.findIndex((each) => each.filters?.id === filters);
    const [pair] = at < 0 ? [] : pairs.splice(at, 1);
    await list(run, (pair?.caller?.id ?? callers[0]?.id ?? 'admin.jwt') as Caller, query);
  }
  if (!isQuick(run)) await oddLists(run, keys);
  const whole = await list(run, 'admin.jwt', [], mild('lists, at the end'));
  // Filtered lists are compared with whole lists before and after them that the same kind of credential got.
  if (callers.some(({ id }) => id === 'admin.pat')) await list(run, 'admin.pat', [], mild('lists, at the end'));
  if (whole && contentOf(listedKeys(whole)) !== contentOf(keys)) await amongChanges(run, listedKeys(whole));
  await otherTenants(run);
  if (!isQuick(run) && Object.keys(session.credentials('member')).length > 0)
    for (const caller of ['member.jwt', 'member.pat'] as const)
      await list(run, caller, [], { for: 'lists', odd: ['caller'] });
}

const contentOf = (keys: readonly JsonObject[]): string =>
  JSON.stringify(keys.map(({ id, provider, status }) => [id, provider, status].join(' ')).toSorted());

/** Where others change the API keys meanwhile: each kind of filter right between two whole lists, once more where these differ. */
async function amongChanges(run: Run, [key]: readonly JsonObject[]): Promise<void> {
  const [provider, status] = [String(key?.provider), String(key?.status)];
  const queries: Query[] = [[['provider', provider]], [['status', status]], both(provider, status)];
  const whole = async (): Promise<string> => {
    const entry = await list(run, 'admin.jwt', [], mild('lists among changes'));
    return contentOf(entry ? listedKeys(entry) : []);
  };
  for (const query of key && !isQuick(run) ? queries : []) {
    let isSame = false;
    for (let tries = 0; tries < 2 && !isSame; tries += 1) {
      const before = await whole();
      await list(run, 'admin.jwt', query, mild('lists among changes'));
      isSame = before === (await whole());
    }
    if (!isSame) return;
  }
}

/** The first two filters at the same time; they are asked by themselves only where nothing may overlap, or that was refused. */
async function overlappingLists(run: Run, queries: { query: Query }[]): Promise<void> {
  const { asker, session } = run;
  const headers = await asker.as('admin.jwt');
  const { tenantId } = session.target.resources ?? {};
  if (concurrencyOf(session) < 2 || isQuick(run) || queries.length < 4 || !headers || tenantId === undefined) return;
  const taken = queries.splice(0, 2).map((each) => ({ each, request: { ...listOf(tenantId, each.query), headers } }));
  const requests = taken.map(({ request }) => request);
  const given = (await together(asker, requests, mild('lists at the same time'))).filter(isOk);
  const isGiven = (path: string): boolean => given.some(({ answer }) => answer.request.url.endsWith(path));
  queries.unshift(...taken.filter(({ request }) => !isGiven(request.path)).map(({ each }) => each));
}

async function oddLists(run: Run, keys: JsonObject[]): Promise<void> {
  const { 'api-keys': model } = modelOf(run);
  const isFirstOnly = !isLong(run);
  for (const field of ['provider', 'status'] as const) {
    const values = valuesOf(model, field, isLong(run)).filter(({ odd }) => odd);
    for (const { id } of values) run.asker.covered.add(`api-keys.${field}.${id}`);
    const known = valuesIn(run, keys, field).at(-1) ?? (field === 'provider' ? 'provider' : 'active');
    const queries = oddQueries(field, values, known).filter(
      ([[, value] = ['', '']]) => !distinct(keys, field).includes(value),
    );
    const unlisted = queries.filter(([[, value] = ['', '']]) => /^(active|revoked|expired|disabled)$/.test(value));
    // Of the statuses that no listed key has, the first one is enough.
    for (const query of queries.filter((each) => !isFirstOnly || each === unlisted[0] || !unlisted.includes(each)))
      await list(run, 'admin.jwt', query, { for: `odd ${field}`, odd: [field] });
    const headers = await run.asker.as('admin.jwt');
    const { tenantId } = run.session.target.resources ?? {};
    if (values.some(({ id }) => id === 'encoded') && keys.length > 0 && headers && tenantId !== undefined)
      await run.asker.ask(
        { method: 'GET', path: `${apiKeysPath(tenantId)}?${field}=${percentEncoded(known)}`, headers },
        { for: `odd ${field}`, odd: [field] },
      );
  }
}

/** The lists of another tenant, by this one's administrator, and of tenants that do not exist. */
async function otherTenants(run: Run): Promise<void> {
  const { tenantId = '', otherTenantId } = run.session.target.resources ?? {};
  const asked: Asked = { for: 'other tenants', odd: ['tenant'] };
  for (const each of isLong(run) && otherTenantId ? [otherTenantId, NO_TENANT] : [otherTenantId ?? NO_TENANT])
    await list(run, 'admin.jwt', [], asked, each);
  if (isQuick(run)) return;
  if (otherTenantId) await list(run, 'admin.pat', [], asked, otherTenantId);
  if (tenantId.length <= SHORT_ID) return;
  run.asker.covered.add('identifiers.tenant-cut');
  await list(run, 'admin.jwt', [], asked, tenantId.slice(0, -1));
}
