import type { Settled } from '../rounds.ts';
import { median, range, ratios } from '../statistics.ts';
import { short, table } from '../table.ts';

/** One figure of both builds, sample by sample in turn. */
export interface Pair {
  readonly name: string;
  readonly unit: string;
  readonly better: 'more' | 'less';
  readonly now: readonly number[];
  readonly before: readonly number[];
}

/** What the samples say. */
export interface Verdict {
  /** Median of now through before, sample by sample. */
  readonly ratio: number;
  /** Least and greatest ratio, of five samples or more without the farthest at each end. */
  readonly spread: readonly [low: number, high: number];
  /** Whether the spread leaves 1 out; one or two samples have none. */
  readonly isOutside: boolean;
  readonly result: 'same' | 'gain' | 'LOSS';
}

/** A loss up to this share does not count. */
const tolerated = 0.05;

/** A gain or a loss is beyond the spread and more than 5 %. */
export function verdictOf({ better, now, before }: Pair): Verdict {
  const each = ratios(now, before);
  const ratio = median(each);
  const spread = range(each, each.length >= 5 ? 1 : 0);
  const isOutside = each.length > 2 && (spread[0] > 1 || spread[1] < 1);
  if (!isOutside || Math.abs(ratio - 1) <= tolerated) return { ratio, spread, isOutside, result: 'same' };
  return { ratio, spread, isOutside, result: ratio > 1 === (better === 'more') ? 'gain' : 'LOSS' };
}

/** The pairs as a table; `rounds` says in how many a loss was seen. */
export function pairsTable(commit: string, pairs: readonly Settled<Pair>[]): string {
  const rows = pairs.map(({ item: pair, rounds }) => {
    const { ratio, spread, isOutside, result } = verdictOf(pair);
    return [
      `${pair.name} (${pair.unit})`,
      short(median(pair.before)),
      short(median(pair.now)),
      `${ratio.toFixed(3)}x`,
      spread.map((edge) => edge.toFixed(3)).join('–'),
      isOutside ? 'outside' : 'within',
      result === 'LOSS' ? `LOSS in ${rounds} rounds` : result,
    ];
  });
  return table([['', commit, 'now', 'ratio', 'spread', '1 is', ''], ...rows]);
}
