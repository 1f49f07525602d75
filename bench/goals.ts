import { short, table } from './table.ts';

/** A goal of DESIGN.md, part 8, and its measured value. */
export interface Goal {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Whether the measured value meets the goal; a missing value does not. */
export const isMet = ({ measured, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Goal) =>
  measured >= atLeast && measured <= atMost;

/** The goals as a table, with missed ones marked. */
export function goalsTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => [
    goal.name,
    `${short(goal.measured)} ${goal.unit}`,
    goal.atLeast === undefined ? `<= ${goal.atMost} ${goal.unit}` : `>= ${goal.atLeast} ${goal.unit}`,
    isMet(goal) ? 'met' : 'MISSED',
  ]);
  return table([['goal', 'measured', 'wanted', ''], ...rows]);
}
