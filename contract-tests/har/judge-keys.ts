import { byId, differs, KEY_FIELDS } from '../checks/key-agreement.ts';
import { isSameKey } from '../checks/keys.ts';
import { distinct, listedKeys, listFindings, missingFrom } from '../checks/listed-keys.ts';
import { isPaged, mayBePage } from '../checks/pages.ts';
import { fieldsOf } from '../session/records.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { type JsonObject, show } from '../wire/json.ts';
import type { Book } from './book.ts';
import { bearerOf, isRefusedContent, type Judge } from './judge.ts';
import type { Seen } from './operations-in.ts';
import { Recent } from './recent.ts';

type Query = Record<string, string>;

interface Listed {
  answer: Answer;
  keys: JsonObject[];
}

/** What one caller was shown of one tenant. */
interface Shown {
  /** The last list without filters. */
  whole?: Listed;
  /** Filtered lists since then, which the next whole list judges as well. */
  filtered: (Listed & { query: Query; before?: Listed })[];
  /** A filter by a value that keys have, which was refused since the last whole list. */
  refused?: { query: Query; answer: Answer };
  /** Values that the field of a filter was seen to have. */
  values: Record<string, Set<string>>;
  /** Of each field of each key, the lists that showed it with another value than the list before. */
  history: Recent<string, Answer[]>;
}

/** Callers and tenants, lists of a caller between two whole ones, and keys that are remembered. */
const LIMITS = { shown: 200, filtered: 50, keys: 2_000, changes: 3 };
const FILTERS = ['provider', 'status'];
const ONLY: Record<string, { check: string; requirement: string }> = {
  provider: { check: 'keys-filter-provider-only', requirement: 'KEY-11' },
  status: { check: 'keys-filter-status-only', requirement: 'KEY-13' },
  both: { check: 'keys-filter-both', requirement: 'KEY-15' },
};
const WHOLE: Record<string, { check: string; requirement: string }> = {
  provider: { check: 'keys-filter-provider-whole', requirement: 'KEY-12' },
  status: { check: 'keys-filter-status-whole', requirement: 'KEY-14' },
  both: { check: 'keys-filter-both', requirement: 'KEY-15' },
};
const PARTITION = { check: 'keys-filters-partition', requirement: 'KEY-16' };

const isMatching = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(([field, value]) => key[field] === value);
const kindOf = (query: Query): string => (Object.keys(query).length > 1 ? 'both' : (Object.keys(query)[0] ?? ''));
const subjectOf = (query: Query): string => `The list with ${new URLSearchParams(query)}`;

/** The filters of a list; undefined where the query has what 4.3 does not show. */
function queryOf(answer: Answer): Query | undefined {
  const parameters = [...new URL(answer.request.url).searchParams];
  const query = Object.fromEntries(parameters);
  const isDocumented = parameters.every(([name]) => FILTERS.includes(name));
  return isDocumented && Object.keys(query).length === parameters.length ? query : undefined;
}

/**
 * Judges what lists of API keys say together. Somebody may change the keys at any time: so a filtered list is only said to
 * leave out, or to add, what the whole lists before and after it both show otherwise.
 */
export function keysJudge(book: Book): Judge {
  const shown = new Recent<string, Shown>(LIMITS.shown);
  const tenants = new Recent<string, Listed>(LIMITS.shown);

  const violate = (
    { check, requirement }: { check: string; requirement: string },
    message: string,
    [expected, actual]: [unknown, unknown],
    answers: Answer[],
  ): void => book.violate(check, { requirement, message, expected, actual, answers });

  /** What a filter lists must match it, if its value is one that keys have. */
  const judgeOnly = ({ query, keys, answer }: Shown['filtered'][number], { values }: Shown): void => {
    const rule = ONLY[kindOf(query)];
    if (!rule || !Object.entries(query).every(([field, value]) => values[field]?.has(value))) return;
    const foreign = keys.find((key) => !isMatching(key, query));
    const found = foreign && Object.fromEntries(Object.keys(query).map((field) => [field, foreign[field]]));
    if (foreign) violate(rule, `${subjectOf(query)} holds an API key that does not match.`, [query, found], [answer]);
    else if (Object.keys(query).every((field) => (values[field]?.size ?? 0) > 1)) {
      // Both filters are judged by what they leave out as well.
      if (kindOf(query) !== 'both') book.pass(rule.check, answer);
    } else
      book.open(rule.check, 'all API keys listed have one value of it, so a filter that does nothing would not show');
  };

  /** The filters accept what the fields hold: the caller is let in to the whole list before and after. */
  const judgeRefused = ({ query, answer }: NonNullable<Shown['refused']>, after: Answer): void => {
    const rule = ONLY[kindOf(query)];
    if (rule)
      violate(
        rule,
        `${subjectOf(query)}, a value that API keys have, was refused.`,
        ['a success (2xx)', describe(answer)],
        [after, answer],
      );
  };

  const judgeWhole = (list: Shown['filtered'][number], after: Listed): void => {
    const { query, keys, answer, before } = list;
    const rule = WHOLE[kindOf(query)];
    if (!rule) return;
    const lists = before ? [before, after] : [after];
    const missing = lists.map((whole) =>
      missingFrom(
        whole.keys.filter((key) => isMatching(key, query)),
        keys,
      ),
    );
    const more = lists.map((whole) => missingFrom(keys, whole.keys));
    const isInAll = (ids: unknown[][]): unknown[] =>
      (ids[0] ?? []).filter((id) => ids.every((others) => others.includes(id)));
    const [left, added] = [isInAll(missing), isInAll(more)];
    const isSure = before !== undefined;
    const answers = [...lists.map((whole) => whole.answer), answer];
    const isPage = lists.some((whole) => mayBePage(whole.keys, added, [keys]));
    if (left.length > 0 && isSure)
      violate(
        rule,
        `${subjectOf(query)} leaves out API keys that the whole lists before and after it hold.`,
        ['every API key that matches', { missing: left }],
        answers,
      );
    if (added.length > 0 && isSure && !isPage)
      violate(
        kindOf(query) === 'both' ? (ONLY.both ?? PARTITION) : PARTITION,
        `${subjectOf(query)} holds API keys that the whole lists before and after it do not.`,
        ['those of the whole list only', { more: added }],
        answers,
      );
    const open = 'the whole list was not recorded both before and after a filtered one that differs from it';
    if (left.length === 0) book.pass(rule.check, answer);
    else book.open(rule.check, open);
    if (added.length === 0 && left.length === 0) book.pass(PARTITION.check, answer);
    else book.open(PARTITION.check, open);
  };

  /** No other tenant's list holds the same keys. */
  const judgeTenant = (path: string, listed: Listed): void => {
    for (const [other, theirs] of tenants) {
      if (other === path || theirs.keys.length === 0 || listed.keys.length === 0) continue;
      const shared = listed.keys.filter((key) => theirs.keys.some((one) => isSameKey(one, key)));
      if (shared.length > 0)
        violate(
          { check: 'keys-of-the-tenant', requirement: 'KEY-17' },
          'The lists of two tenants hold the same API keys.',
          ['none of them in both', shared.map(({ id }) => id)],
          [theirs.answer, listed.answer],
        );
      else book.pass('keys-of-the-tenant', listed.answer);
    }
    tenants.set(path, listed);
  };

  /** A value that comes back after another one was not changed by anybody: each list has its own. */
  const judgeAgreement = ({ history }: Shown, answer: Answer): void => {
    for (const [id, key] of byId(answer)) {
      for (const field of KEY_FIELDS) {
        const place = `${id} ${field}`;
        const lists = history.get(place) ?? [];
        const last = lists.at(-1);
        const before = last && byId(last).get(id);
        if (last && !differs(field, before, key)) continue;
        const earlier = lists.slice(0, -1).find((list) => !differs(field, byId(list).get(id), key));
        if (last && (earlier || (field === 'created_at' && lists.length >= LIMITS.changes - 1)))
          violate(
            { check: 'keys-one-record', requirement: fieldsOf('TenantApiKey')[field]?.requirement ?? '' },
            `API key ${show(id)} has another ${field} in each of two kinds of lists that the same caller got.`,
            [{ [field]: before?.[field] }, { [field]: key[field] }],
            [...(earlier ? [earlier] : []), last, answer],
          );
        history.set(place, [...lists, answer].slice(-LIMITS.changes));
      }
    }
  };

  return {
    checks: [
      ...[...Object.values(ONLY), ...Object.values(WHOLE), PARTITION].map(({ check }) => check),
      'keys-of-the-tenant',
    ],
    see({ operation, answer, path, hasBody }: Seen) {
      if (operation !== 'api-keys') return;
      const query = queryOf(answer);
      if (query && isRefusedContent(answer)) {
        const own = shown.get(`${bearerOf(answer)} ${path}`);
        const isKnown = Object.entries(query).every(([field, value]) => own?.values[field]?.has(value));
        if (own && isKnown && kindOf(query) !== '') own.refused ??= { query, answer };
      }
      if (!hasBody || !isSuccess(answer) || listFindings('', answer).length > 0) return;
      const keys = listedKeys(answer);
      if (!query || isPaged(answer, keys)) return;
      const own = shown.ensure(`${bearerOf(answer)} ${path}`, () => ({
        filtered: [],
        values: { provider: new Set(), status: new Set() },
        history: new Recent(LIMITS.keys),
      }));
      judgeAgreement(own, answer);
      const listed = { answer, keys };
      const isWhole = Object.keys(query).length === 0;
      for (const field of FILTERS)
        for (const value of distinct(isWhole ? keys : keys.filter((key) => isMatching(key, query)), field))
          if ((own.values[field]?.size ?? 0) < LIMITS.keys) own.values[field]?.add(value);
      if (isWhole) {
        if (own.refused) judgeRefused(own.refused, answer);
        delete own.refused;
        for (const list of own.filtered) {
          judgeOnly(list, own);
          judgeWhole(list, listed);
        }
        own.filtered = [];
        own.whole = listed;
        judgeTenant(path, listed);
      } else {
        const list = { ...listed, query, ...(own.whole ? { before: own.whole } : {}) };
        judgeOnly(list, own);
        own.filtered = [...own.filtered, list].slice(-LIMITS.filtered);
      }
    },
    end() {
      // Where no whole list follows, one that holds the same shows that nothing was left out.
      for (const { filtered } of shown.values())
        for (const { before, ...list } of filtered) if (before) judgeWhole(list, before);
    },
  };
}
