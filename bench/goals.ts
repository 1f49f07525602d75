import type { Settled } from './rounds.ts';
import { median, range } from './statistics.ts';
import { short, table } from './table.ts';

/** A goal of docs/performance.md, and what was measured. Its value is the median of the samples. */
export interface Goal {
  readonly name: string;
  readonly samples: readonly number[];
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Whether the median meets the goal; a missing value does not. */
export function isMet({ samples, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Goal) {
  const measured = median(samples);
  return measured >= atLeast && measured <= atMost;
}

/** Least and greatest sample, without the farthest 5 % at each end. */
export const spreadOf = (samples: readonly number[]) => range(samples, Math.floor(samples.length / 20));

/** The goals as a table: median, spread and whether it was met in a later round or in none. */
export function goalsTable(goals: readonly Settled<Goal>[]): string {
  const rows = goals.map(({ item: goal, rounds }) => [
    goal.name,
    `${short(median(goal.samples))} ${goal.unit}`,
    goal.samples.length < 2 ? '' : spreadOf(goal.samples).map(short).join('–'),
    goal.atLeast === undefined ? `<= ${goal.atMost} ${goal.unit}` : `>= ${goal.atLeast} ${goal.unit}`,
    isMet(goal) ? `met${rounds > 1 ? `, round ${rounds}` : ''}` : `MISSED in ${rounds} rounds`,
  ]);
  return table([['goal', 'median', 'spread', 'wanted', ''], ...rows]);
}

/** One line about the goals that were missed in every round; undefined where there are none. */
export function missedLine(goals: readonly Settled<Goal>[]): string | undefined {
  const missed = goals.filter(({ item: goal }) => !isMet(goal));
  if (missed.length === 0) return undefined;
  const names = missed.map(({ item: goal }) => `${goal.name} (${short(median(goal.samples))} ${goal.unit})`);
  return `FAILED: ${missed.length} of ${goals.length} goals missed in ${Math.max(...missed.map(({ rounds }) => rounds))} rounds: ${names.join(', ')}`;
}
