import { memberOf, setMember } from '../values/json.ts';
import type { OperationModel, Value } from './model.ts';

/** A case: one value of each dimension that applies to it. */
export type Case = Record<string, Value>;

interface Factors {
  dimensions: Readonly<Record<string, readonly Value[]>>;
  pairs: OperationModel['pairs'];
  /** Whether a dimension applies to a case, by the values of the others. */
  applies?: (dimension: string, chosen: Case) => boolean;
  /** Values that may not meet. */
  excludes?: (chosen: Case) => boolean;
  /** Dimensions whose odd values may join another odd one. */
  resent?: readonly string[];
  /** Cases that are sent anyway. */
  given?: readonly Case[];
  seed: number;
}

/** Candidates that are compared for each case. */
const CANDIDATES = 300;
/** Cases in a row that cover nothing new, after which the rest counts as out of reach. */
const MAX_DRY = 60;

/** A generator of numbers from 0 to 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761 + 12_345) & 0x7fffffff;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

/**
 * Cases in which every value occurs, and every pair of the dimensions that are combined; one odd value a case at most, since
 * a refusal would hide the others. The same for the same seed.
 */
export function cover(factors: Factors): Case[] {
  const { dimensions, pairs = [], resent = [], given = [], seed } = factors;
  const { applies = () => true, excludes = () => false } = factors;
  const random = randomFrom(seed);
  // What no case has yet: values of each dimension, and partners of each value that is combined.
  const singles = Object.entries(dimensions).map(([name, all]) => ({ name, all, open: new Set(all) }));
  const combined = pairs.map(([a, b]) => {
    const partners = (one: Value) => (memberOf(dimensions, b) ?? []).filter((other) => !(one.odd && other.odd));
    return { a, b, open: new Map(memberOf(dimensions, a)?.map((one) => [one, new Set(partners(one))])) };
  });
  /** How much of that a case has; once it is sent, that is no longer open. */
  const newsIn = (chosen: Case, isSent = false): number => {
    let count = 0;
    const meet = (open: Set<Value> | undefined, value: Value | undefined): void => {
      if (!value || !open?.has(value)) return;
      count += 1;
      if (isSent) open.delete(value);
    };
    for (const { name, open } of singles) meet(open, memberOf(chosen, name));
    for (const { a, b, open } of combined) {
      const first = memberOf(chosen, a);
      if (first) meet(open.get(first), memberOf(chosen, b));
    }
    return count;
  };
  for (const chosen of given) newsIn(chosen, true);
  // Most of the time of a plan goes by in candidates: what they choose from is made once a case.
  const poolsNow = () =>
    singles.map(({ name, all, open }) => {
      const usual = all.filter(({ odd }) => !odd);
      const of = (values: readonly Value[]) => ({ values, fresh: values.filter((value) => open.has(value)) });
      return { name, mayJoin: resent.includes(name), all: of(all), usual: of(usual) };
    });
  const candidate = (pools: ReturnType<typeof poolsNow>): Case => {
    const chosen: Case = {};
    let isOdd = false;
    for (const { name, mayJoin, all, usual } of pools) {
      if (!applies(name, chosen)) continue;
      const from: typeof all = isOdd && !mayJoin ? usual : all;
      const pool = from.fresh.length > 0 && random() < 0.85 ? from.fresh : usual.values;
      const value = pool[Math.floor(random() * pool.length)] ?? from.values[0];
      if (!value) continue;
      isOdd ||= value.odd === true && !mayJoin;
      setMember(chosen, name, value);
    }
    return chosen;
  };
  const isOpen = (): boolean =>
    singles.some(({ open }) => open.size > 0) ||
    combined.some(({ open }) => [...open.values()].some(({ size }) => size > 0));
  const cases: Case[] = [];
  for (let dry = 0; dry < MAX_DRY && isOpen(); ) {
    const pools = poolsNow();
    let best: Case | undefined;
    let most = 0;
    for (let at = 0; at < CANDIDATES; at += 1) {
      const chosen = candidate(pools);
      const news = excludes(chosen) ? 0 : newsIn(chosen);
      if (news > most) [best, most] = [chosen, news];
    }
    if (best) {
      newsIn(best, true);
      cases.push(best);
    } else dry += 1;
  }
  return cases;
}

/** Which parts of a case a conforming target may refuse. */
export const oddIn = (chosen: Case): string[] =>
  Object.entries(chosen).flatMap(([dimension, { odd }]) => (odd ? [dimension] : []));
