import { percentEncoded } from '../api/identifiers.ts';
import { apiKeysPath } from '../api/operations.ts';
import { distinct } from '../api/records.ts';
import { isOk } from '../log/entry.ts';
import { cover } from '../plan/cover.ts';
import { type Value, valuesOf } from '../plan/model.ts';
import type { Caller } from '../plan/questions.ts';
import { FILTERS, listedKeys } from '../rules/documented.ts';
import type { JsonObject } from '../values/json.ts';
import { asText, memberOf } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { tellingPairs } from './choices.ts';
import { mild, type Run } from './steps.ts';

type Query = Record<string, string>;

/** Values of one filter that a run asks for: each costs a request, and a target may list thousands. */
const MOST_VALUES = { quick: 2, usual: 8, long: 40 };

/** Maximum values of a filter, of one line of the model, that no listed key has. */
const MOST_UNLISTED = 2;

/** The values of a field, those that few keys have first. */
function valuesIn(run: Run, keys: JsonObject[], field: string): string[] {
  const count = (value: string): number => keys.filter((key) => memberOf(key, field) === value).length;
  const values = distinct(keys, field).toSorted((a, b) => count(a) - count(b));
  return values.slice(0, MOST_VALUES[run.isQuick ? 'quick' : run.isLong ? 'long' : 'usual']);
}

/** Pairs of known values that some key has, and that none has; the second one names the status first. */
function pairsOf(keys: JsonObject[], values: readonly Value[]): Query[] {
  const [providers = [], statuses = []] = FILTERS.map((field) => distinct(keys, field).slice(0, 300));
  const some = tellingPairs(keys);
  const known = new Set(some.map(({ provider, status }) => `${provider} ${status}`));
  const all = providers.flatMap((provider) => statuses.map((status) => ({ provider, status })));
  const none = all.filter(({ provider, status }) => !known.has(`${provider} ${status}`));
  return values
    .flatMap(({ id, count = 0 }) => (id === 'some' ? some : none).slice(0, count))
    .map(({ provider, status }, at) => (at % 2 === 0 ? { provider, status } : { status, provider }));
}

/** Lists with every kind of filter, by every caller. */
export async function lists(run: Run): Promise<void> {
  const model = run.model['api-keys'];
  const note = (...values: string[]): void => {
    for (const value of values) run.covered.add(`api-keys.${value}`);
  };
  const callers: Value[] = [];
  for (const value of valuesOf(model, 'caller', run.isLong))
    if (!(run.isQuick && value.id === 'admin.login') && (await run.as(value.id as Caller))) callers.push(value);
  note('filters.none', ...callers.map(({ id }) => `caller.${id}`));
  const keys = run.knownKeys;
  const pairs = pairsOf(keys, valuesOf(model, 'pair', run.isLong)).filter((_, at) => !run.isQuick || at % 2 === 0);
  // In turn, so that the next list shows what a filter leaves behind.
  // Now one first and now the other: a target may err in every other list.
  const [providers = [], statuses = []] = FILTERS.map((field) =>
    valuesIn(run, keys, field).map((value) => ({ [field]: value })),
  );
  const longest = providers.length > statuses.length ? providers : statuses;
  const inTurn = (at: number) => (at % 2 === 0 ? [providers[at], statuses[at]] : [statuses[at], providers[at]]);
  const single: Query[] = longest.flatMap((_, at) => inTurn(at)).filter((query) => query !== undefined);
  // Which caller asks for which kind of filter: every pair of these once, the first caller for all others.
  const kinds = (model.dimensions.filters ?? []).filter(({ id }) => id !== 'none');
  const turns = cover({ dimensions: { caller: callers, filters: kinds }, pairs: model.pairs, seed: run.seed });
  const used = new Set<string>();
  for (const query of await overlapping(run, [...single, ...pairs])) {
    const names = Object.keys(query);
    const filters = names.length > 1 ? 'both' : String(names[0]);
    const isSome = keys.some((key) => names.every((name) => memberOf(key, name) === memberOf(query, name)));
    note(`filters.${filters}`, filters === 'both' ? `pair.${isSome ? 'some' : 'none'}` : `${filters}.known`);
    const at = turns.findIndex((each) => each.filters?.id === filters);
    const [turn] = at < 0 ? [] : turns.splice(at, 1);
    const caller = (turn?.caller?.id ?? callers[0]?.id ?? 'admin.jwt') as Caller;
    used.add(caller);
    const isEncoded = filters === 'both' && caller === 'admin.jwt' && !run.isQuick;
    if (isEncoded) note('pair.encoded');
    if (!(isEncoded && (await isAcceptedEncoded(run, query)))) await run.list(caller, query);
  }
  // Where there is nothing to filter by.
  for (const { id } of callers) if (!used.has(id) && id !== 'admin.jwt') await run.list(id as Caller);
  // The last one is likely to be refused: the whole list after it shows what that leaves behind.
  if (!run.isQuick) for (const field of FILTERS.toReversed()) await oddLists(run, keys, field);
}

/** Who is refused the whole list by JWT is refused a part of it by PAT, too: a filter, or another token, may lead past the check. */
export async function filterAsMember(run: Run): Promise<void> {
  const [pair] = tellingPairs(run.knownKeys);
  // A PAT may be refused for its scopes.
  for (const caller of ['member.pat', 'member.jwt'] as const)
    if (pair && (await run.as(caller)))
      await run.list(caller, { provider: pair.provider }, { for: 'lists', odd: ['caller'] });
}

/** Asks with every character percent-encoded, which is the same (RFC 3986, 6.2.2.2). */
async function isAcceptedEncoded(run: Run, query: Query): Promise<boolean> {
  const search = Object.entries(query).map(([name, value]) => `${name}=${percentEncoded(value)}`);
  const path = `${apiKeysPath(String(run.session.target.resources?.tenantId))}?${search.join('&')}`;
  const entry = await run.askFor({ path }, 'admin.jwt', { for: 'encoded filters', odd: ['encoding'] });
  return entry !== undefined && isOk(entry);
}

/** Asks for the first two at the same time; gives those that are left, these too where that was refused. */
async function overlapping(run: Run, queries: Query[]): Promise<Query[]> {
  if (run.concurrency < 2 || run.isQuick || queries.length < 4) return queries;
  const requests: (ClientRequest | undefined)[] = [];
  for (const query of queries.slice(0, 2)) requests.push(await run.requestBy({ of: 'api-keys', query }, 'admin.jwt'));
  const sent = requests.filter((request) => request !== undefined);
  const given = (await run.together(sent, mild('lists at the same time'))).filter(isOk);
  return queries.filter((_, at) => !given.some(({ answer }) => answer.request.url.endsWith(requests[at]?.path ?? '?')));
}

/** Values of a filter that no key needs to have. */
async function oddLists(run: Run, keys: JsonObject[], field: string): Promise<void> {
  const asked = { for: `odd ${field}`, odd: [field] };
  const known = valuesIn(run, keys, field).at(-1) ?? '';
  const listed = distinct(keys, field);
  const { entries } = run.log;
  const elsewhere = distinct(entries.filter(isOk).flatMap(listedKeys), 'provider').find(
    (each) => !listed.includes(each),
  );
  for (const { id, value, odd } of valuesOf(run.model['api-keys'], field, run.isLong)) {
    if (!odd) continue;
    run.covered.add(`api-keys.${field}.${id}`);
    const made = memberOf(
      {
        prefix: known.length > 3 ? known.slice(0, -1) : '',
        underscore: '_'.repeat(known.length),
        provider: distinct(keys, 'provider')[0],
        elsewhere,
      },
      id,
    );
    const values = (Array.isArray(value) ? value : [made ?? value]).filter(
      (each) => typeof each === 'string' && each !== '' && !listed.includes(each),
    );
    // Keys of a status that the whole list hides show only where it is asked for.
    for (const each of values.slice(0, run.isLong ? undefined : MOST_UNLISTED)) {
      const entry = await run.list('admin.jwt', { [field]: each }, each === elsewhere ? mild(asked.for) : asked);
      if (!entry || !isOk(entry)) break;
    }
  }
}

const contentOf = (keys: readonly JsonObject[]): string =>
  JSON.stringify(keys.map(({ id, provider, status }) => [id, provider, status].map(asText).join(' ')).toSorted());

/** Where others change the API keys meanwhile: each kind of filter right between two whole lists, once more where these differ. */
export async function changedLists(run: Run): Promise<void> {
  const whole = async () => {
    const entry = await run.list('admin.jwt', {}, mild('lists among changes'));
    return contentOf(entry ? listedKeys(entry) : []);
  };
  const last = run.log.entries.findLast((entry) => entry.asked?.for === 'lists, at the end' && isOk(entry));
  const [key] = last ? [...listedKeys(last), ...run.knownKeys] : [];
  if (!last || !key || contentOf(listedKeys(last)) === contentOf(run.knownKeys)) return;
  const [provider, status] = [asText(key.provider), asText(key.status)];
  for (const query of [{ provider }, { status }, { provider, status }] as Query[]) {
    let isSame = false;
    for (let tries = 0; tries < 2 && !isSame; tries += 1) {
      const before = await whole();
      await run.list('admin.jwt', query, mild('lists among changes'));
      isSame = before === (await whole());
    }
    if (!isSame) return;
  }
}
