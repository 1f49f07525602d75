import type { Json } from '../core/spec/gaps.ts';

/** Another answer to a gap, and what came of it. */
export interface TriedAnswer {
  readonly answer: Json;
  /** As the ledger lists it. */
  readonly meaning?: string;
  readonly outcome: 'holds' | 'breaks' | 'untried';
  readonly tests: readonly string[];
  readonly reason?: string;
  /** The target that was asked answers so. */
  readonly isObserved?: true;
  /** Reason in the file of accepted answers, if that covers all its tests. */
  readonly accepted?: string;
}

/** A gap that decided responses under the answers in force. */
export interface RestedGap {
  readonly id: string;
  readonly section: string;
  readonly question: string;
  readonly assumed: Json;
  readonly meaning?: string | undefined;
  readonly operations: readonly string[];
  readonly answers: readonly TriedAnswer[];
}

/** Reasons for not trying an answer: the target gives another one. */
export const otherLearned = 'the target answers otherwise';
/** … another path than the assumed one was tried. */
export const otherPath = 'one other path represents all';
/** … the options say so. */
export const leftOut = 'left out by --only or --skip';
