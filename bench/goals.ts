import { short, table } from './table.ts';

/** A goal of DESIGN.md, part 8, and what was measured. */
export interface Goal {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** True where the measured value keeps the goal; what could not be measured keeps none. */
export const isMet = ({ measured, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Goal) =>
  measured >= atLeast && measured <= atMost;

/** The goals as a table; missed ones say so. */
export function goalsTable(goals: readonly Goal[]): string {
  const rows = goals.map((goal) => [
    goal.name,
    `${short(goal.measured)} ${goal.unit}`,
    goal.atLeast === undefined ? `<= ${goal.atMost} ${goal.unit}` : `>= ${goal.atLeast} ${goal.unit}`,
    isMet(goal) ? 'met' : 'MISSED',
  ]);
  return table([['goal', 'measured', 'wanted', ''], ...rows]);
}
