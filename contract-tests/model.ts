/** Results as data: what a run of the suite found, and nothing about how it is printed. */

/** From the worst to the best; what each means is said by MEANINGS of report/arrange.ts. */
export const OUTCOMES = ['violation', 'error', 'blocked', 'untested', 'differs', 'pass'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const ACTORS = ['admin', 'member'] as const;
/** One that a target file names; `others.0` is the first of `others`. */
export type Actor = (typeof ACTORS)[number] | `others.${number}`;

/** One atomic statement of the source document (spec/requirements.yaml). */
export interface Requirement {
  id: string;
  section: string;
  statement: string;
  /** Why no check can exist. */
  excluded?: string;
}

/** One thing that the document leaves open (spec/gaps.yaml). */
export interface Gap {
  id: string;
  section: string;
  question: string;
  answers?: Record<string, string>;
  schema?: Record<string, unknown>;
  examples?: unknown[];
  /** What the answers of the same names stand for. */
  shapes?: Record<string, { template?: unknown }>;
  default: unknown;
  /** Why no harmless HTTP exchange can show the answer. */
  unobservable?: string;
  writes?: boolean;
}

export type RecordedRequest = { method: string; url: string; headers: Record<string, string>; body?: string };
export interface RecordedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Its bytes are no UTF-8, and `body` has U+FFFD in their place. */
  isMalformed?: true;
}

/** One request and what came back; `response` is absent when the transport failed. */
export interface Exchange {
  request: RecordedRequest;
  response?: RecordedResponse;
  error?: string;
  durationMs: number;
  /** The paths of the redirects that led to the answer. */
  followed?: string[];
  /** Its place in the recording that was judged: its number from 1, and the time that the recording gives. */
  entry?: { number: number; startedAt: string };
  /** What its credentials are, where the suite made them: how a forged token differs from a good one. */
  credential?: string;
  /** Whether it is the one of its check that shows why that did not pass. */
  decisive?: true;
  /** Who called, in a sequence: an actor of the target file, or `another user`. */
  caller?: string;
  /** Whether it was sent before the one before it was answered, in a sequence. */
  isAtOnce?: true;
}

export interface CheckResult {
  id: string;
  requirements: string[];
  title: string;
  outcome: Outcome;
  message: string;
  expected?: unknown;
  actual?: unknown;
  /** Why the baseline accepts this violation. */
  known?: string;
  exchanges: Exchange[];
  /** Names a violation in any run: rule, operation, field or class of status, and kind of caller. */
  fingerprint?: string;
  /** Findings of the same check at another operation, field or caller. */
  also?: Finding[];
  dependsOn?: readonly Dependence[];
}

export interface Finding
  extends Pick<CheckResult, 'message' | 'expected' | 'actual' | 'known' | 'exchanges' | 'dependsOn'> {
  fingerprint: string;
}

/** What a finding may depend on besides the requests that show it, so that their curl lines alone may not show it. */
export type Dependence = 'caller' | 'overlap' | 'order' | 'pause' | 'count' | 'parts';

export interface RequirementResult extends Pick<Requirement, 'id' | 'section' | 'statement'> {
  outcome: Outcome | 'excluded';
  reason?: string;
  /** It is untested, and may stay so: most targets cannot show it, or it is waived. */
  gates?: false;
  /** What waives it: `--allow-untested`, `--skip`, or the baseline with its reason. */
  waived?: string;
}

export interface GapResult extends Pick<Gap, 'id' | 'section' | 'question'> {
  assumed: unknown;
  observed?: unknown;
  outcome: 'match' | 'differs' | 'undetermined';
  reason?: string;
  /** Requests and their answers, a line each. */
  evidence?: string[];
}

/** How many requests a run sent, retries included. */
export interface RequestCounts {
  total: number;
  /** Those that may change something at the target; signing in counts as reading. */
  writes: number;
  /** Pairs that were under way at the same time. */
  overlaps?: number;
  /** Those that were sent again, by the status that they were answered, `none` where the connection broke; `401 to a good token`: within its life. */
  trouble?: Record<string, number>;
  /** Refusals (401) of tokens within their life, after another sign-in of the same user (gap concurrent-sessions), or a newer PAT. */
  replaced?: number;
  /** How many a second were sent at the end, since faster ones were answered 503; absent where no pace was needed. */
  slowedTo?: number;
  /** By the operation of the document, `other` for every other path. */
  byOperation: Record<string, number>;
}

export type Verdict = 'conforms' | 'violates' | 'inconclusive' | 'unreachable';

/** What decides a verdict, and to which one it leads: the first of these that a run gives counts, and with none it conforms. */
export const CAUSES = {
  violation: 'violates',
  'stale-baseline': 'violates',
  'strict-differs': 'violates',
  unreachable: 'unreachable',
  untested: 'inconclusive',
  credentials: 'inconclusive',
  'strict-unobserved': 'inconclusive',
  unanswered: 'inconclusive',
  trouble: 'inconclusive',
  interrupted: 'inconclusive',
} as const satisfies Record<string, Verdict>;

/** Why a verdict is not `conforms`: the cause, and the sentence about it. */
export interface Gate {
  cause: keyof typeof CAUSES;
  text: string;
}

/** How good the suite itself is, as `score` measured it for this version (spec/score.json). */
export type SuiteScore = Record<
  'faults' | 'killed' | 'killRate' | 'variants' | 'falseAlarms' | 'metaFaults' | 'metaFaultsConforming',
  number
>;

type WithCurl<T> = Omit<T, 'exchanges'> & { exchanges: (Exchange & { curl: string })[] };

export interface Report {
  schemaVersion: 1;
  tool: { name: string; version: string };
  target: { baseUrl: string };
  profile: string;
  verdict: Verdict;
  exitCode: number;
  /** Why the verdict is not `conforms`; the first one decides it. */
  gates: Gate[];
  startedAt: string;
  durationMs: number;
  requirements: RequirementResult[];
  checks: (WithCurl<Omit<CheckResult, 'also'>> & { also?: WithCurl<Finding>[] })[];
  gaps: GapResult[];
  /** What the run left behind at the target, a sentence each. */
  leftovers: string[];
  /** Absent where nothing answered. */
  requests?: RequestCounts;
  model?: { values: number; asked: number; leftOut: string[] };
  /** Checks that `--skip` left out. */
  skipped?: string[];
  /** Entries of the baseline, by their check or finding, that are violated no more: such an entry fails the run. */
  staleBaseline?: string[];
  /** Absent where this version was not measured. */
  score?: SuiteScore;
  /** The file of the run itself, for `replay`. */
  recording?: string;
  /** Options of `replay` that send that file at the same target. */
  replayOptions?: string[];
  /** Of `replay --finding`: whether it shows again; `undecided` where no answer says so, or something was not sent. */
  finding?: { id: string; outcome: 'shown' | 'gone' | 'undecided' };
  /** Of a replay: `checks` are the interactions of a recording, and the rules that the answers violate. */
  replay?: ReplayCounts;
  /** Without `differs` in reports of a run. */
  summary: Record<Exclude<Outcome, 'differs'>, number> & { differs?: number; checks: number; text: string };
}

export interface ReplayCounts {
  /** Interactions of the recording, those that were sent, and those that were answered alike. */
  recorded: number;
  sent: number;
  alike: number;
  /** Alike for a client that ignores further members and the codes of errors. */
  tolerant: number;
  overlaps: { here: number; recorded: number };
  /** Differences by their cause, and the numbers of the entries; one entry may have several. */
  groups: { id: string; text: string; entries: number[] }[];
}
