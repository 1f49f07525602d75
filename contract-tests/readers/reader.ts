import { isDeepStrictEqual } from 'node:util';
import type { TargetField } from '../api/target-fields.ts';
import { type Entry, isOk, jsonIn, type Log, statusOf } from '../log/entry.ts';
import { loadGaps } from '../spec-data.ts';
import { describe } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { answersTo, QUESTIONS, type Question, type QuestionId } from './questions.ts';

/** What a log shows of a gap. */
export type Reading =
  | {
      state: 'shown';
      answer: unknown;
      /** The exchanges that show it. */
      by: readonly Entry[];
      /** How often the log shows it, each time by other exchanges. */
      times: number;
      /** What the evidence says besides. */
      remark?: string;
      /** Whether another answer contradicts nothing that was seen. */
      fits: (other: unknown) => boolean;
    }
  | {
      state: 'open';
      why: string;
      by: readonly Entry[];
      /** The question whose answer would show it. */
      wants?: QuestionId;
    };

/** Reads the answer to one gap from a log: it never sends. */
export interface Reader {
  gap: string;
  /** What is asked, in one line. */
  sends: string;
  /** Whether any of that may change something at the target, and what it needs of the target file. */
  writes: boolean;
  needs: readonly TargetField[];
  /** Whether an answer that is not the assumed one counts only where it is shown twice. */
  repeats: boolean;
  /**
   * @param mayAsk whether a question that the log does not answer can be asked: without that, it is done without
   * @param times how often the answer has to be shown
   */
  read(log: Log, mayAsk?: (question: QuestionId) => boolean, times?: number): Reading;
}

/** The log does not tell the answer; the message says why. */
export class Undetermined extends Error {
  override name = 'Undetermined';
}

/** The log holds no answer to a question, or not so many. */
class Unanswered extends Undetermined {
  constructor(readonly question: QuestionId) {
    super(`no exchange shows it: ${QUESTIONS[question].says}`);
  }
}

/** An answer beside which others are possible. */
export class Lenient {
  constructor(
    readonly answer: unknown,
    readonly fits: (other: unknown) => boolean,
    readonly remark?: string,
  ) {}
}

/** What a reader sees of a log: in each round the next answer to each question. */
export class Look {
  readonly log: Log;
  readonly by = new Set<Entry>();
  /** Whether this round uses an exchange that no round before it used; and whether it uses no other. */
  isNew = false;
  isWhole = true;
  readonly #round: number;
  readonly #mayAsk: (question: QuestionId) => boolean;

  constructor(log: Log, round: number, mayAsk: (question: QuestionId) => boolean) {
    this.log = log;
    this.#round = round;
    this.#mayAsk = mayAsk;
  }

  /** The next answer to a question. */
  take(question: QuestionId): Entry {
    return this.maybe(question) ?? missing(question);
  }

  /** The same; undefined where the question cannot be asked. */
  maybe(question: QuestionId): Entry | undefined {
    const answers = answersTo(this.log, question);
    const own = answers[this.#round];
    if (own) this.isNew = true;
    else if (this.#mayAsk(question)) missing(question);
    else if (answers.length > 0) this.isWhole = false;
    return this.#used(own ?? answers.at(-1));
  }

  /** All answers to a question, of which there is one at least. */
  all(question: QuestionId): readonly Entry[] {
    const answers = this.any(question);
    return answers.length > 0 ? answers : missing(question);
  }

  /** The same; none where the question cannot be asked. */
  any(question: QuestionId, most = Number.POSITIVE_INFINITY): readonly Entry[] {
    const answers = answersTo(this.log, question).slice(0, most);
    if (answers.length === 0 && this.#mayAsk(question)) missing(question);
    for (const entry of answers) this.#used(entry);
    return answers;
  }

  /** The answers to a question that the log happens to hold. */
  seen(question: QuestionId): readonly Entry[] {
    return answersTo(this.log, question);
  }

  /** The first success among the answers to a question; undetermined, in the words of `what`, where there is none. */
  success(question: QuestionId, what: string): Entry {
    const answers = this.all(question);
    return answers.find(isOk) ?? unexpected(what, answers.at(-1) as Entry);
  }

  /** The answers so far do not tell; one more would. */
  another(question: QuestionId): never {
    return missing(question);
  }

  #used<T extends Entry | undefined>(entry: T): T {
    if (entry) this.by.add(entry);
    return entry;
  }
}

function missing(question: QuestionId): never {
  throw new Unanswered(question);
}

/** The target answered in a way that the ledger does not know. */
export function unexpected(what: string, { answer }: Entry): never {
  throw new Undetermined(`${what} was answered ${describe(answer)}`);
}

/** The JSON object of a success; undetermined otherwise. */
export function objectIn(what: string, entry: Entry): JsonObject {
  const json = jsonIn(entry);
  return isOk(entry) && isObject(json) ? json : unexpected(what, entry);
}

export const isRefusedAsInvalid = (entry: Entry): boolean => [400, 422].includes(statusOf(entry));

/** Whether the target accepts a request, or refuses it as invalid; undetermined where it does neither. */
export function isAccepted(what: string, entry: Entry): boolean {
  return isOk(entry) || (isRefusedAsInvalid(entry) ? false : unexpected(what, entry));
}

/** The one value of several observations. Throws Undetermined, naming them, when they differ or there is none. */
export function agreeing<T>(observations: readonly { what: string; value: T }[], nothing: string): T {
  const [first] = observations;
  if (!first) throw new Undetermined(nothing);
  if (observations.some(({ value }) => !isDeepStrictEqual(value, first.value)))
    throw new Undetermined(observations.map(({ what, value }) => `${what}: ${String(value)}`).join('; '));
  return first.value;
}

/** The status of an answer, where it is one that the ledger allows for the gap. */
export function allowedStatus(gapId: string, entry: Entry): number {
  const allowed = (loadGaps().find(({ id }) => id === gapId)?.schema?.enum ?? []) as number[];
  if (allowed.includes(statusOf(entry))) return statusOf(entry);
  throw new Undetermined(`it was answered ${describe(entry.answer)}, which is none of ${allowed.join(', ')}`);
}

interface Row {
  gap: string;
  /** The questions whose answers show it. */
  of?: readonly QuestionId[];
  /** Questions that are asked as well where they can be. */
  may?: readonly QuestionId[];
  repeats?: true;
}

/** A reader by the function that gives the answer of one round. It throws Undetermined where it cannot tell. */
export function reader({ gap, of = [], may = [], repeats }: Row, answer: (look: Look) => unknown): Reader {
  const asked = of.map((id): Question => QUESTIONS[id]);
  return {
    gap,
    sends: [...of, ...may].map((id) => QUESTIONS[id].says).join('; ') || 'nothing of its own',
    writes: asked.some(({ writes }) => writes === true),
    needs: [...new Set(asked.flatMap(({ needs = [] }) => needs))],
    repeats: repeats === true,
    read: (log, mayAsk = () => false, times = 1) => readRounds(log, mayAsk, times, answer),
  };
}

function readRounds(
  log: Log,
  mayAsk: (question: QuestionId) => boolean,
  times: number,
  answer: (look: Look) => unknown,
): Reading {
  const found: unknown[] = [];
  const by = new Set<Entry>();
  const open = (why: string, wants?: QuestionId): Reading => ({
    state: 'open',
    why,
    by: [...by],
    ...(wants && mayAsk(wants) ? { wants } : {}),
  });
  let [shown, isNew] = [0, false];
  for (let round = 0; round === 0 || isNew; round += 1) {
    // What may be asked is wanted only in so many rounds.
    const look = new Look(log, round, round < times ? mayAsk : () => false);
    try {
      const value = answer(look);
      isNew = look.isNew;
      if (round > 0 && !isNew) break;
      found.push(value);
      if (look.isWhole) shown += 1;
    } catch (error) {
      if (!(error instanceof Undetermined)) throw error;
      for (const entry of look.by) by.add(entry);
      return open(error.message, error instanceof Unanswered ? error.question : undefined);
    }
    for (const entry of look.by) by.add(entry);
  }
  const [first] = found;
  const other = found.find((value) => !isDeepStrictEqual(bare(value), bare(first)));
  if (other !== undefined)
    return open(`it was observed as ${JSON.stringify(bare(first))} and then as ${JSON.stringify(bare(other))}`);
  return {
    state: 'shown',
    answer: bare(first),
    by: [...by],
    times: shown,
    fits: first instanceof Lenient ? first.fits : () => false,
    ...(first instanceof Lenient && first.remark !== undefined ? { remark: first.remark } : {}),
  };
}

const bare = (value: unknown): unknown => (value instanceof Lenient ? value.answer : value);
