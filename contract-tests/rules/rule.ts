import { OPERATIONS, type OperationId } from '../api/operations.ts';
import type { PhaseName } from '../api/phases.ts';
import type { TargetField } from '../api/target-fields.ts';
import { type Entry, type Log, statusOf } from '../log/entry.ts';
import { takesJson } from '../values/accept.ts';
import { describe } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { showSent } from '../values/json.ts';
import { once } from '../values/once.ts';

/** What a log says of a requirement. */
export type Judgement =
  /** An exchange that would have failed, were the requirement broken. */
  | { state: 'shown'; requirement?: string; by: readonly Entry[] }
  | Violation
  /** The log cannot tell: why, and what would show it. */
  | Open;

/** What a rule says of an exchange: for `flatMap`. */
export type Judged = Judgement | readonly Judgement[];

export interface Open {
  state: 'open';
  reason: string;
  /** The rule that reports what is in the way. */
  because?: string;
  /** Why it cannot be judged: another client may explain it, the target is not as its file says, or the rule itself failed. */
  kind?: 'doubt' | 'set-up' | 'broken';
}

export interface Violation {
  state: 'violated';
  /** The broken requirement; default: the first one of the rule. */
  requirement?: string;
  /** The field that it is about, where the rule is about several. */
  field?: string;
  message: string;
  expected: unknown;
  actual: unknown;
  /** The exchanges that show it, the decisive one last. */
  by: readonly Entry[];
}

/** Says what a log shows; it never sends. */
export type Judge = (log: Log) => Iterable<Judgement>;

/** What is right, as data and a pure function over a log: it never sends, and judges every exchange, for whichever purpose it was sent. */
export interface Rule {
  /** Stable, unique: `recording-title-exact`. */
  id: string;
  requirements: readonly string[];
  /** What it asserts, in one sentence. */
  title: string;
  judge: Judge;
  /** The operation that it is about; undefined where it is about several, or is not ours. */
  of?: OperationId;
  /** Its requirement is judged by other rules too, so that it is reported only where the log shows something of it. */
  isOptional?: boolean;
  /** Where it is from, of a rule that is not ours (`--rules`): set where it is loaded. */
  from?: string;
}

/** What ties a rule of the document to a run. */
interface Ties {
  /** The phases whose requests show it, besides those that every run has. */
  phases: readonly PhaseName[];
  /** What the target file must give. */
  needs: readonly TargetField[];
  /** It is about PATs: what is in the way of them is in its way. */
  isOfPat?: true;
  /** Only requests that may make a user show it. */
  makesUsers?: true;
}

/** A rule of the document. */
export interface DocumentRule extends Rule, Ties {}

type Head = Omit<Rule, 'of' | 'from'>;

/** Rules about one operation, which are tied to a run as its row says, unless they say otherwise. */
export const rulesOf = (of: OperationId, rules: readonly (Head & Partial<Ties>)[]): DocumentRule[] => {
  const { askedIn: phases, needs } = OPERATIONS[of];
  return rules.map((rule) => ({ phases, needs, ...rule, of }));
};

const present = (by: readonly (Entry | undefined)[]): Entry[] => by.filter((entry) => entry !== undefined);

export const shown = (...by: (Entry | undefined)[]) => ({ state: 'shown' as const, by: present(by) });

export const open = (reason: string, more: Omit<Open, 'state' | 'reason'> = {}): Open => ({
  state: 'open',
  reason,
  ...more,
});

/** A finding, with the exchanges that show it, the decisive one last. */
export const violated = (message: string, expected: unknown, actual: unknown, ...by: (Entry | undefined)[]) => ({
  ...{ state: 'violated' as const, message, expected, actual },
  by: present(by),
});

export const answerOf = ({ answer }: Entry): string => `${describe(answer)}: ${showSent(answer.response.body)}`;

/** An exchange that did not succeed, and the one that shows that it should have. */
export const refused = (message: string, entry: Entry, control?: Entry): Violation =>
  violated(message, 'a success (2xx)', answerOf(entry), control, entry);

export const notSucceeded = (name: string, entry: Entry, advice = ''): Violation =>
  refused(`${name} did not succeed: it answered ${statusOf(entry)}. ${advice}`.trim(), entry);

/** Whether a conforming target may refuse a request: by the plan, or since its client of a recording takes no JSON. */
export const isOdd = ({ asked, answer }: Entry): boolean =>
  (asked !== undefined && asked.odd.length > 0) || !takesJson(answer.request.headers.Accept);

const byOperation = once(({ entries }: Log) => groupBy(entries, ({ operation }) => operation));

export const of = (log: Log, operation: Entry['operation']): readonly Entry[] => byOperation(log).get(operation) ?? [];

export const each =
  (operation: Entry['operation'], judge: (entry: Entry, log: Log) => Judged): Judge =>
  (log) =>
    of(log, operation).flatMap((entry) => judge(entry, log));

export const both =
  (...judges: readonly Judge[]): Judge =>
  (log) =>
    judges.flatMap((judge) => [...judge(log)]);
