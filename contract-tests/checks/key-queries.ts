import type { Session } from '../session/session.ts';
import type { JsonObject } from '../wire/json.ts';
import { distinct } from './listed-keys.ts';

/** Filters with their values, in the order in which they are sent. */
export type Query = Record<string, string>;

/** Combinations of both filters that some API key has, and that none has: more would show little and load the target. */
const COMBINATIONS = { some: 2, none: 1 };
/** Values of one filter, in a quick run and in any: each costs a request, and a target may list thousands. */
const VALUES = { quick: 2, most: 40 };

/** The values of a field that a run filters by. Those that few API keys have come first. */
export function valuesOf(session: Session, keys: JsonObject[], field: 'provider' | 'status'): string[] {
  const counts = new Map<unknown, number>();
  for (const key of keys) counts.set(key[field], (counts.get(key[field]) ?? 0) + 1);
  const count = (value: string): number => counts.get(value) ?? 0;
  const values = distinct(keys, field).toSorted((a, b) => count(a) - count(b));
  return values.slice(0, session.isQuick ? VALUES.quick : VALUES.most);
}

/** Whether an API key matches all filters. */
export const isMatching = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(([field, value]) => key[field] === value);

/** Values of each filter that are looked at for pairs. */
const MOST_PAIRED = 300;

interface Pair extends Record<string, string> {
  provider: string;
  status: string;
}

/** The pairs as queries: those after the first one name the status first, as does the first where it is the only one. */
function inOrders([first, ...others]: Pair[]): Pair[] {
  if (!first) return [];
  return [first, ...(others.length > 0 ? others : [first]).map(({ provider, status }) => ({ status, provider }))];
}

/** The pairs of values that a run filters by: some that an API key has, and some that none has, since a filter may fail at either. */
export function pairsOf(session: Session, keys: JsonObject[]): Query[] {
  const [providers, statuses] = ['provider', 'status'].map((field) => distinct(keys, field).slice(0, MOST_PAIRED));
  const known = new Set(keys.map(({ provider, status }) => JSON.stringify([provider, status])));
  const most = session.isQuick ? { some: 1, none: 1 } : COMBINATIONS;
  const [some, none]: [Pair[], Pair[]] = [[], []];
  for (const provider of providers ?? [])
    for (const status of statuses ?? []) {
      const isOfSome = known.has(JSON.stringify([provider, status]));
      const [found, wanted] = isOfSome ? [some, most.some] : [none, most.none];
      if (found.length < wanted) found.push({ provider, status });
      if (some.length === most.some && none.length === most.none) return inOrders([...some, ...none]);
    }
  return inOrders([...some, ...none]);
}

/** Every query that the checks of the filters send, those of one filter beside those of another. */
export function queriesOf(session: Session, keys: JsonObject[]): Query[] {
  const providers = valuesOf(session, keys, 'provider').map((provider) => ({ provider }));
  const others = [...valuesOf(session, keys, 'status').map((status) => ({ status })), ...pairsOf(session, keys)];
  const most = Math.max(providers.length, others.length);
  return Array.from({ length: most }, (_, at): (Query | undefined)[] => [providers[at], others[at]])
    .flat()
    .filter((query) => query !== undefined);
}
