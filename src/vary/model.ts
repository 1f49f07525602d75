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
  readonly meaning?: string;
  readonly operations: readonly string[];
  readonly answers: readonly TriedAnswer[];
}

/** What `vary` found: vary.json (spec/schemas/vary.schema.json). */
export interface VaryReport {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly command: readonly string[];
  readonly profile: string;
  /** Base URL of the deployment that was asked first. */
  readonly target?: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly runs: number;
  readonly exitCode: 0 | 1 | 4;
  readonly stoppedBy?: 'max-runs' | 'time-limit' | 'interruption';
  readonly tests: readonly { readonly id: string; readonly name: string }[];
  /** Ids of tests whose results changed between equal runs; nothing is said of them. */
  readonly flaky: readonly string[];
  /** Gaps of the whole ledger, and those that decided responses but are answered by a profile or a target. */
  readonly ledger: { readonly gaps: number; readonly known: readonly string[] };
  readonly gaps: readonly RestedGap[];
  /** Answers that break a test only together. */
  readonly together: readonly {
    readonly test: string;
    readonly answers: readonly { readonly gap: string; readonly answer: Json }[];
  }[];
  /** Entries of the file of accepted answers that accept nothing any more. */
  readonly stale: readonly string[];
}

/** Whether an answer breaks a test, and nothing accepts that. */
export const isOpenBreak = ({ outcome, accepted }: TriedAnswer): boolean =>
  outcome === 'breaks' && accepted === undefined;

/** Reasons for not trying an answer: the target gives another one. */
export const otherLearned = 'the target answers otherwise';
/** … another path than the assumed one was tried. */
export const otherPath = 'one other path represents all';
/** … the options say so. */
export const leftOut = 'left out by --only or --skip';
