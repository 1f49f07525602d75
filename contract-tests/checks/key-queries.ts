import type { Session } from '../session/session.ts';
import type { JsonObject } from '../wire/json.ts';
import { distinct } from './listed-keys.ts';

/** Filters with their values, in the order in which they are sent. */
export type Query = Record<string, string>;

/** Combinations of both filters that some API key has, and that none has: more would show little and load the target. */
const COMBINATIONS = { some: 2, none: 1 };
/** Values of one filter in a quick run. */
const FEW = 2;

/** The values of a field that a run filters by. Those that few API keys have come first. */
export function valuesOf(session: Session, keys: JsonObject[], field: 'provider' | 'status'): string[] {
  const count = (value: string): number => keys.filter((key) => key[field] === value).length;
  const values = distinct(keys, field).toSorted((a, b) => count(a) - count(b));
  return session.isQuick ? values.slice(0, FEW) : values;
}

/** Whether an API key matches all filters. */
export const isMatching = (key: JsonObject, query: Query): boolean =>
  Object.entries(query).every(([field, value]) => key[field] === value);

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
  const pairs = distinct(keys, 'provider').flatMap((provider) =>
    distinct(keys, 'status').map((status) => ({ provider, status })),
  );
  const isOfSome = (pair: Pair): boolean => keys.some((key) => isMatching(key, pair));
  const [some, none] = [pairs.filter(isOfSome), pairs.filter((pair) => !isOfSome(pair))];
  const most = session.isQuick ? { some: 1, none: 1 } : COMBINATIONS;
  return inOrders([...some.slice(0, most.some), ...none.slice(0, most.none)]);
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
