import { isDeepStrictEqual } from 'node:util';
import type { Gap } from '../spec-data.ts';

/** Whether two answers to a gap say the same: vocabularies are sets, whatever their order. */
export function sameAnswer(gap: Gap, left: unknown, right: unknown): boolean {
  if (gap.schema?.uniqueItems === true && Array.isArray(left) && Array.isArray(right)) {
    return isDeepStrictEqual(new Set(left), new Set(right));
  }
  return isDeepStrictEqual(left, right);
}
