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

/** Sample by sample: consecutive samples met the same disturbances. The shorter one limits. */
export const ratios = (values: readonly number[], of: readonly number[]): number[] =>
  values.slice(0, of.length).map((value, at) => value / (of[at] ?? Number.NaN));

/** The least and the greatest of values: of five or more without the farthest at each end, of many without 5 % there. */
export function spreadOf(values: readonly number[]): readonly [low: number, high: number] {
  const trimmed = Math.max(values.length >= 5 ? 1 : 0, Math.floor(values.length / 20));
  const kept = values.toSorted((left, right) => left - right).slice(trimmed, values.length - trimmed);
  return [kept.at(0) ?? Number.NaN, kept.at(-1) ?? Number.NaN];
}

/** A number with three significant digits and at most two decimals. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A row of a table, by column; numbers are shown short. */
export type Row = Readonly<Record<string, string | number>>;

/** Columns of the first row as head, then the rows. */
export const cellsOf = (rows: readonly Row[]): string[][] => [
  Object.keys(rows[0] ?? {}),
  ...rows.map((row) => Object.values(row).map((cell) => (typeof cell === 'number' ? short(cell) : cell))),
];

/** Rows as an aligned table for a terminal: first column left-aligned, others right-aligned. */
export function table(rows: readonly Row[]): string {
  const cells = cellsOf(rows);
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width) => '-'.repeat(width));
  const lines = cells.toSpliced(1, 0, rule).map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}
