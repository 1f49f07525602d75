import type { Effort } from './effort.ts';
import type { Goal } from './goals.ts';

/** What is measured together. Missed goals have their part measured again. */
export interface Part {
  readonly name: string;
  measure(effort: Effort, progress: (text: string) => void): Promise<Measured>;
}

export interface Measured {
  readonly goals: readonly Goal[];
  /** Tables for people. */
  readonly text: readonly string[];
  /** Everything measured, for `--out`. */
  readonly figures: unknown;
}
