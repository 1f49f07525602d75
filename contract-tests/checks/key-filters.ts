import { untested, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import type { JsonObject } from '../wire/json.ts';
import { whileUnchanged } from './changing-lists.ts';
import type { Check } from './check.ts';
import { allKeys, filtered, filteredAnswer, needs } from './key-lists.ts';
import { distinct, missingFrom } from './listed-keys.ts';
import { isPaged, mayBePage } from './pages.ts';

/** Maximum combinations of both filters: more would show little and load the target. */
const MAX_COMBINATIONS = 12;

const UNTOLD_PAGE =
  'filtered lists hold API keys that the whole list does not, which has as many as a page usually has, and how pages work is not documented; name a tenant with fewer in resources.tenantId';

/** Nothing foreign may be listed under a filter. */
function onlyCheck(field: 'provider' | 'status', requirement: string): Check {
  return {
    id: `keys-filter-${field}-only`,
    requirements: [requirement],
    title: `the ${field} filter accepts the value of the ${field} field and lists nothing of another ${field}`,
    needs,
    async run(session) {
      const values = distinct(await allKeys(session), field);
      for (const value of values) {
        const query = { [field]: value };
        const foreign = (await filtered(session, query)).find((key) => key[field] !== value);
        if (foreign)
          throw violation(
            `The filter ${field}=${value} lists an API key of another ${field}.`,
            value,
            foreign[field],
          ).seenIn(await filteredAnswer(session, query));
      }
      if (values.length < 2)
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
      for (const value of distinct(keys, field)) {
        const expected = keys.filter((key) => key[field] === value);
        const query = { [field]: value };
        const left = missingFrom(expected, await filtered(session, query));
        if (left.length > 0)
          throw violation(
            `The filter ${field}=${value} leaves API keys out.`,
            expected.map(({ id }) => id),
            { missing: left },
          ).seenIn(await filteredAnswer(session, query));
      }
    },
  };
}

interface Pair extends Record<string, string> {
  provider: string;
  status: string;
}

/** The pairs as queries: every other one names the status first, and one is sent in both orders. */
function inOrders(some: Pair[], none: Pair[]): Pair[] {
  const turned = ({ provider, status }: Pair): Pair => ({ status, provider });
  const inTurn = (pairs: Pair[]): Pair[] => pairs.map((pair, index) => (index % 2 === 0 ? pair : turned(pair)));
  const [first] = none.length > 0 ? none : some;
  return [...inTurn(some), ...inTurn(none), ...(first ? [turned(first)] : [])];
}

const bothFilters: Check = {
  id: 'keys-filter-both',
  requirements: ['KEY-15'],
  title: 'both filters together list exactly the API keys that match both',
  needs,
  async run(session) {
    const all = await session.apiKeys.all();
    const keys = await allKeys(session);
    const pairs = distinct(keys, 'provider').flatMap((provider) =>
      distinct(keys, 'status').map((status) => ({ provider, status })),
    );
    if (pairs.length < 2)
      throw untested(
        'all API keys of the tenant have one provider and one status; name a tenant with more in resources.tenantId',
      );
    // Pairs that some API key has, and pairs that none has, in turn: a filter may fail at either.
    const matches = ({ provider, status }: Pair): JsonObject[] =>
      keys.filter((key) => key.provider === provider && key.status === status);
    const [some, none] = [
      pairs.filter((pair) => matches(pair).length > 0),
      pairs.filter((pair) => matches(pair).length === 0),
    ];
    const half = MAX_COMBINATIONS / 2;
    const chosen = inOrders(some.slice(0, MAX_COMBINATIONS - Math.min(half, none.length)), none.slice(0, half));
    let isPage = false;
    for (const pair of chosen) {
      const expected = matches(pair);
      const listed = await filtered(session, pair);
      const query = Object.entries(pair)
        .map(([name, value]) => `${name}=${value}`)
        .join('&');
      const shown = await filteredAnswer(session, pair);
      const foreign = listed.find((key) => key.provider !== pair.provider || key.status !== pair.status);
      if (foreign) {
        throw violation(`The filters ${query} list an API key that does not match both.`, pair, {
          provider: foreign.provider,
          status: foreign.status,
        }).seenIn(shown);
      }
      const left = missingFrom(expected, listed);
      if (left.length > 0)
        throw violation(
          `The filters ${query} leave API keys out.`,
          expected.map(({ id }) => id),
          { missing: left },
        ).seenIn(shown);
      const more = missingFrom(listed, expected);
      if (more.length === 0 || isPaged(all, keys)) continue;
      if (mayBePage(keys, more, [listed])) {
        isPage = true;
        continue;
      }
      throw violation(
        `The filters ${query} list API keys that the whole list does not hold so often.`,
        expected.map(({ id }) => id),
        { more },
      ).seenIn(shown);
    }
    if (isPage) throw untested(UNTOLD_PAGE);
  },
};

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
      for (const value of distinct(keys, field)) lists.push(await filtered(session, { [field]: value }));
      const parts = lists.flat();
      const [more, left] = [missingFrom(parts, keys), missingFrom(keys, parts)];
      if (left.length === 0 && mayBePage(keys, more, lists)) {
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
    if (isPage) throw untested(UNTOLD_PAGE);
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
].map((check) => ({ ...check, run: (session: Session) => whileUnchanged(session, () => check.run(session)) }));
