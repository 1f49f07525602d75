import { isDeepStrictEqual } from 'node:util';
import type { Gap } from '../spec-data.ts';

/** Whether two answers to a gap say the same: vocabularies are sets, whatever their order. */
export function sameAnswer(gap: Gap, left: unknown, right: unknown): boolean {
  if (gap.schema?.uniqueItems === true && Array.isArray(left) && Array.isArray(right)) {
    return isDeepStrictEqual(new Set(left), new Set(right));
  }
  return isDeepStrictEqual(left, right);
}

/** The answer in one order, whatever order it was seen in: that of a known answer which says the same, else sorted. */
export function inKnownOrder(gap: Gap, answer: unknown, assumed: unknown): unknown {
  const known = [assumed, gap.default, ...(gap.examples ?? [])].find((other) => sameAnswer(gap, answer, other));
  if (known !== undefined) return known;
  return gap.schema?.uniqueItems === true && Array.isArray(answer) ? answer.toSorted() : answer;
}
