/** The median of numbers; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** The nearest-rank percentile of values; `share` is from 0 to 1; NaN of none. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The value divided by `of`. */
export const ratio = (value: number, of: number): number => value / of;

/** Sample by sample: what was measured one after the other met the same disturbances. The shorter one limits. */
export const ratios = (values: readonly number[], of: readonly number[]): number[] =>
  values.slice(0, of.length).map((value, at) => ratio(value, of[at] ?? Number.NaN));

/** The least and the greatest of values, without the farthest `trimmed` at each end. */
export function range(values: readonly number[], trimmed = 0): readonly [low: number, high: number] {
  const sorted = values.toSorted((left, right) => left - right).slice(trimmed, values.length - trimmed);
  return [sorted.at(0) ?? Number.NaN, sorted.at(-1) ?? Number.NaN];
}
