import { untested, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { isSuccess } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { whileUnchanged } from './changing-lists.ts';
import type { Check } from './check.ts';
import { allKeys, filtered, filteredAnswer, needs } from './key-lists.ts';
import { isMatching, pairsOf, type Query, valuesOf } from './key-queries.ts';
import { distinct, listedKeys, missingFrom } from './listed-keys.ts';
import { askAtOnce } from './overlapping-lists.ts';
import { isPaged, mayBePage } from './pages.ts';

const PERHAPS_A_PAGE =
  'filtered lists hold API keys that the whole list does not, which has as many as a page usually has, and how pages work is not documented; name a tenant with fewer in resources.tenantId';

/** `The filter provider=x`, `The filters provider=x&status=y`. */
function subjectOf(query: Query): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  return `The filter${pairs.length > 1 ? 's' : ''} ${pairs.join('&')}`;
}

/** Throws where a filtered list holds an API key that does not match the filters. */
async function assertOnlyMatching(session: Session, query: Query): Promise<void> {
  const foreign = (await filtered(session, query)).find((key) => !isMatching(key, query));
  if (!foreign) return;
  const actual = Object.fromEntries(Object.keys(query).map((field) => [field, foreign[field]]));
  const message = `${subjectOf(query)} list${Object.keys(query).length > 1 ? '' : 's'} an API key that does not match.`;
  throw violation(message, query, actual).seenIn(await filteredAnswer(session, query));
}

/** Throws where a filtered list leaves out an API key of the whole list that matches the filters. */
async function assertAllMatching(session: Session, query: Query, keys: JsonObject[]): Promise<void> {
  const expected = keys.filter((key) => isMatching(key, query));
  const missing = missingFrom(expected, await filtered(session, query));
  if (missing.length === 0) return;
  const message = `${subjectOf(query)} leave${Object.keys(query).length > 1 ? '' : 's'} API keys out.`;
  const ids = expected.map(({ id }) => id);
  throw violation(message, ids, { missing }).seenIn(await filteredAnswer(session, query));
}

/** Nothing foreign may be listed under a filter. */
function onlyCheck(field: 'provider' | 'status', requirement: string): Check {
  return {
    id: `keys-filter-${field}-only`,
    requirements: [requirement],
    title: `the ${field} filter accepts the value of the ${field} field and lists nothing of another ${field}`,
    needs,
    async run(session) {
      const keys = await allKeys(session);
      for (const value of valuesOf(session, keys, field)) await assertOnlyMatching(session, { [field]: value });
      if (distinct(keys, field).length < 2)
        throw untested(
          `all API keys of the tenant have one ${field}, so a filter that does nothing would not show; name a tenant with more in resources.tenantId`,
        );
    },
  };
}

/** Nothing that matches may be left out. */
function wholeCheck(field: 'provider' | 'status', requirement: string): Check {
  return {
    id: `keys-filter-${field}-whole`,
    requirements: [requirement],
    title: `the ${field} filter lists every API key of that ${field}`,
    needs,
    async run(session) {
      const keys = await allKeys(session);
      for (const value of valuesOf(session, keys, field)) await assertAllMatching(session, { [field]: value }, keys);
    },
  };
}

const bothFilters: Check = {
  id: 'keys-filter-both',
  requirements: ['KEY-15'],
  title: 'both filters together list exactly the API keys that match both',
  needs,
  async run(session) {
    const all = await session.apiKeys.all();
    const keys = await allKeys(session);
    if (distinct(keys, 'provider').length * distinct(keys, 'status').length < 2)
      throw untested(
        'all API keys of the tenant have one provider and one status; name a tenant with more in resources.tenantId',
      );
    const matching = (pair: Query): JsonObject[] => keys.filter((key) => isMatching(key, pair));
    let isPage = false;
    for (const pair of pairsOf(session, keys)) {
      await assertOnlyMatching(session, pair);
      await assertAllMatching(session, pair, keys);
      const listed = await filtered(session, pair);
      const more = missingFrom(listed, matching(pair));
      if (more.length === 0 || isPaged(all, keys)) continue;
      if (mayBePage(keys, more, [listed])) {
        isPage = true;
        continue;
      }
      throw violation(
        `${subjectOf(pair)} list API keys more often than the whole list.`,
        matching(pair).map(({ id }) => id),
        { more },
      ).seenIn(await filteredAnswer(session, pair));
    }
    if (isPage) throw untested(PERHAPS_A_PAGE);
  },
};

/**
 * Where the whole list is perhaps a page, what a filter lists beside it is listed by the other filter as well: throws where
 * that one, with a list that is shorter than the page, leaves it out.
 */
async function assertListedByOther(
  session: Session,
  field: 'provider' | 'status',
  listed: JsonObject[],
  more: unknown[],
  pageSize: number,
): Promise<void> {
  const other = field === 'provider' ? 'status' : 'provider';
  const beside = listed.filter(({ id }) => more.includes(id));
  for (const value of distinct(beside, other)) {
    const query = { [other]: value };
    const answer = await filteredAnswer(session, query);
    const keys = listedKeys(answer);
    const missing = missingFrom(
      beside.filter((key) => key[other] === value),
      keys,
    );
    if (!isSuccess(answer) || keys.length >= pageSize || missing.length === 0) continue;
    throw violation(
      `The lists by ${field} hold API keys that neither the whole list nor that of their ${other} holds.`,
      `no others than ${subjectOf(query).replace('The', 'the')} lists`,
      { missing },
    ).seenIn(answer);
  }
}

const partition: Check = {
  id: 'keys-filters-partition',
  requirements: ['KEY-16'],
  title: 'without a filter the list holds what the filters partition',
  needs,
  async run(session) {
    const all = await session.apiKeys.all();
    const keys = await allKeys(session);
    if (isPaged(all, keys))
      throw untested('the list says that it is one page of more, and how pages work is not documented');
    let isPage = false;
    for (const field of ['provider', 'status'] as const) {
      const lists: JsonObject[][] = [];
      const values = valuesOf(session, keys, field);
      for (const value of values) lists.push(await filtered(session, { [field]: value }));
      const parts = lists.flat();
      const isWhole = values.length === distinct(keys, field).length;
      const listed = isWhole
        ? keys
        : keys.filter((key) => typeof key[field] !== 'string' || values.includes(key[field]));
      const [more, left] = [missingFrom(parts, listed), missingFrom(listed, parts)];
      if (left.length === 0 && mayBePage(keys, more, lists)) {
        await assertListedByOther(session, field, parts, more, keys.length);
        isPage = true;
        continue;
      }
      if (more.length > 0 || left.length > 0) {
        throw violation(
          `The lists by ${field} together are not the list without a filter.`,
          keys.map(({ id }) => id),
          { onlyFiltered: more, onlyUnfiltered: left },
        ).seenIn(all);
      }
    }
    if (isPage) throw untested(PERHAPS_A_PAGE);
  },
};

/** What the two filters list (4.3). */
export const keyFilterChecks: Check[] = [
  onlyCheck('provider', 'KEY-11'),
  wholeCheck('provider', 'KEY-12'),
  onlyCheck('status', 'KEY-13'),
  wholeCheck('status', 'KEY-14'),
  bothFilters,
  partition,
].map((check) => ({
  ...check,
  run: async (session: Session) => {
    await askAtOnce(session);
    await whileUnchanged(session, () => check.run(session));
  },
}));
