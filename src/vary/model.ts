import type { Json } from '../core/spec/gaps.ts';

/** The end of a search before everything was asked. */
export type Stop = 'max-runs' | 'time-limit' | 'interruption' | 'error';

/** Another answer to a gap, and what came of it. */
export type TriedAnswer = {
  readonly answer: Json;
  /** As the ledger lists it. */
  readonly meaning?: string | undefined;
  /** The target that was asked answers so. */
  readonly isObserved?: true | undefined;
  /** Those that it breaks. */
  readonly tests: readonly string[];
} & (
  | { readonly outcome: 'holds' }
  /** `accepted`: the reason in the file of accepted answers, if that covers all its tests. */
  | { readonly outcome: 'breaks'; readonly accepted?: string }
  /** `isLeftOut`: nothing was to try it; else a limit ended the search before. */
  | { readonly outcome: 'untried'; readonly reason: string; readonly isLeftOut: boolean }
  /** The mock cannot serve it. */
  | { readonly outcome: 'error'; readonly reason: string }
);

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

/** Answers that break a test only together. */
export interface Together {
  readonly test: string;
  readonly answers: readonly { readonly gap: string; readonly answer: Json }[];
}

/** What a search found. */
export interface Found {
  readonly stoppedBy: Stop | undefined;
  /** Gaps that decided responses. */
  readonly gaps: readonly RestedGap[];
  readonly together: readonly Together[];
  /** Ids of tests that failed with answers that were not told apart. */
  readonly unexplained: readonly string[];
  /** Ids of tests whose results changed between equal runs; nothing is said of them. */
  readonly flaky: readonly string[];
  /** What could not be started, read or written, and runs that failed without results. */
  readonly errors: readonly string[];
  /** Entries of the file of accepted answers that accept nothing any more. */
  readonly stale: readonly string[];
}

export type Finding =
  | { readonly kind: 'answer'; readonly tried: TriedAnswer }
  | { readonly kind: 'together'; readonly together: Together }
  | { readonly kind: 'unexplained' | 'flaky'; readonly test: string }
  | { readonly kind: 'error' | 'stale'; readonly text: string }
  | { readonly kind: 'stop'; readonly by: Stop };

export const findingsIn = (found: Found): Finding[] => [
  ...found.gaps.flatMap(({ answers }) => answers.map((tried): Finding => ({ kind: 'answer', tried }))),
  ...found.together.map((together): Finding => ({ kind: 'together', together })),
  ...found.unexplained.map((test): Finding => ({ kind: 'unexplained', test })),
  ...found.flaky.map((test): Finding => ({ kind: 'flaky', test })),
  ...found.errors.map((text): Finding => ({ kind: 'error', text })),
  ...found.stale.map((text): Finding => ({ kind: 'stale', text })),
  ...(found.stoppedBy === undefined ? [] : [{ kind: 'stop', by: found.stoppedBy } as const]),
];

/** 0 nothing breaks that is not accepted, 1 something breaks, 4 inconclusive. */
export type ExitCode = 0 | 1 | 4;

/** The verdict, from which all outputs follow: what breaks comes before what could not be tried. */
export function exitCodeOf(found: Found): ExitCode {
  const codes = findingsIn(found).map(codeOf);
  return codes.includes(1) ? 1 : codes.includes(4) ? 4 : 0;
}

/** Without a default: a new kind does not compile before it has a verdict. */
function codeOf(finding: Finding): ExitCode {
  switch (finding.kind) {
    case 'answer':
      return codeOfAnswer(finding.tried);
    case 'together':
    case 'stale':
      return 1;
    case 'unexplained':
    case 'flaky':
    case 'error':
    case 'stop':
      return 4;
  }
}

function codeOfAnswer(tried: TriedAnswer): ExitCode {
  switch (tried.outcome) {
    case 'holds':
      return 0;
    case 'breaks':
      return tried.accepted === undefined ? 1 : 0;
    case 'untried':
      return tried.isLeftOut ? 0 : 4;
    case 'error':
      return 4;
  }
}
