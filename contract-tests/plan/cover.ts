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
  const names = Object.keys(dimensions);
  const single = (dimension: string, value: Value): string => `${dimension}=${value.id}`;
  const covered = (chosen: Case): string[] => [
    ...Object.entries(chosen).map(([dimension, value]) => single(dimension, value)),
    ...pairs.flatMap(([a, b]) => (chosen[a] && chosen[b] ? [`${single(a, chosen[a])} ${single(b, chosen[b])}`] : [])),
  ];
  const open = new Set(names.flatMap((name) => (dimensions[name] ?? []).map((value) => single(name, value))));
  for (const [a, b] of pairs)
    for (const one of dimensions[a] ?? [])
      for (const other of dimensions[b] ?? [])
        if (!(one.odd && other.odd)) open.add(`${single(a, one)} ${single(b, other)}`);
  for (const chosen of given) for (const each of covered(chosen)) open.delete(each);
  const candidate = (): Case => {
    const chosen: Case = {};
    let isOdd = false;
    for (const dimension of names) {
      if (!applies(dimension, chosen)) continue;
      const mayJoin = resent.includes(dimension);
      const all = (dimensions[dimension] ?? []).filter((value) => mayJoin || !(isOdd && value.odd));
      const fresh = all.filter((value) => open.has(single(dimension, value)));
      const pool = fresh.length > 0 && random() < 0.85 ? fresh : all.filter(({ odd }) => !odd);
      const value = pool[Math.floor(random() * pool.length)] ?? all[0];
      if (!value) continue;
      isOdd ||= value.odd === true && !mayJoin;
      chosen[dimension] = value;
    }
    return chosen;
  };
  const cases: Case[] = [];
  for (let dry = 0; open.size > 0 && dry < MAX_DRY; ) {
    let best: Case | undefined;
    let most = 0;
    for (let at = 0; at < CANDIDATES; at += 1) {
      const chosen = candidate();
      const news = excludes(chosen) ? 0 : covered(chosen).filter((each) => open.has(each)).length;
      if (news > most) [best, most] = [chosen, news];
    }
    if (!best) {
      dry += 1;
      continue;
    }
    for (const each of covered(best)) open.delete(each);
    cases.push(best);
  }
  return cases;
}

/** Which parts of a case a conforming target may refuse. */
export const oddIn = (chosen: Case): string[] =>
  Object.entries(chosen).flatMap(([dimension, { odd }]) => (odd ? [dimension] : []));
