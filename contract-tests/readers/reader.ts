import { isDeepStrictEqual } from 'node:util';
import type { TargetField } from '../api/target-fields.ts';
import { type Entry, isOk, jsonIn, type Log, statusOf } from '../log/entry.ts';
import { type GapRow, loadModel } from '../plan/model.ts';
import { loadGaps } from '../spec-data.ts';
import { describe } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { answersTo, describeQuestion, needsOf, questions, writes } from './questions.ts';

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
      remark?: string | undefined;
      /** Whether another answer contradicts nothing that was seen. */
      fits(other: unknown): boolean;
    }
  | {
      state: 'open';
      why: string;
      by: readonly Entry[];
      /** The question whose answer would show it. */
      wants?: string | undefined;
    };

/** Reads the answer to one gap from a log: it never sends. */
export interface Reader {
  gap: string;
  /** What is asked, in one line; whether that changes something at the target; what it needs of the target file. */
  sends: string;
  writes: boolean;
  needs: readonly TargetField[];
  /** Each question that may change something. */
  writing: readonly string[];
  /** Whether an answer that is not the assumed one counts only where it is shown twice. */
  repeats: boolean;
  /**
   * @param mayAsk whether a question that the log does not answer can be asked; one that cannot is done without
   * @param times how often the answer has to be shown
   */
  read(log: Log, mayAsk?: (question: string) => boolean, times?: number): Reading;
}

/** The answer to a gap as one look at a log gives it, or Lenient. Throws Undetermined where it cannot tell. */
export type Read = (look: Look) => unknown;

/** The log does not tell the answer; the message says why. */
export class Undetermined extends Error {
  override name = 'Undetermined';
  /** The question whose answer would tell. */
  wants?: string;
}

/** An answer that leaves others possible. */
export class Lenient {
  constructor(
    readonly answer: unknown,
    readonly fits: (other: unknown) => boolean,
    readonly remark?: string,
  ) {}
}

/** What a reader sees of a log: in each round the next answer to each question. */
export class Look {
  /** The exchanges that it rests on. */
  readonly by = new Set<Entry>();
  /** Whether this round uses an exchange that no round before it used; and whether it uses no other. */
  isNew = false;
  isWhole = true;

  constructor(
    readonly log: Log,
    private readonly round: number,
    private readonly mayAsk: (question: string) => boolean,
  ) {}

  /** The next answer to a question. */
  take(question: string): Entry {
    return this.maybe(question) ?? unanswered(question);
  }

  /** The same; undefined where the question cannot be asked. */
  maybe(question: string): Entry | undefined {
    const answers = answersTo(this.log, question);
    const own = answers[this.round];
    if (own) this.isNew = true;
    else if (this.mayAsk(question)) unanswered(question);
    else if (answers.length > 0) this.isWhole = false;
    const entry = own ?? answers.at(-1);
    if (entry) this.by.add(entry);
    return entry;
  }

  /** All answers to a question, whichever round this is; none where it cannot be asked. */
  any(question: string, most = Number.POSITIVE_INFINITY): readonly Entry[] {
    const answers = answersTo(this.log, question).slice(0, most);
    if (answers.length === 0 && this.mayAsk(question)) unanswered(question);
    for (const entry of answers) this.by.add(entry);
    return answers;
  }

  /** The first success among them; undetermined where there is none. */
  success(question: string): Entry {
    const answers = this.any(question);
    const last = answers.at(-1) ?? unanswered(question);
    return answers.find(isOk) ?? unexpected(describeQuestion(question), last);
  }
}

/** One more answer to a question would tell. */
export function unanswered(question: string): never {
  throw Object.assign(new Undetermined(`no exchange shows it: ${describeQuestion(question)}`), { wants: question });
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
export const isAccepted = (entry: Entry): boolean =>
  isOk(entry) || (isRefusedAsInvalid(entry) ? false : unexpected('It', entry));

/** The one value of several observations. Throws Undetermined, naming them, when they differ or there is none. */
export function agreeing<T>(observations: readonly { what: string; value: T }[], nothing: string): T {
  const [first] = observations;
  if (!first) throw new Undetermined(nothing);
  if (observations.some(({ value }) => value !== first.value))
    throw new Undetermined(observations.map(({ what, value }) => `${what}: ${String(value)}`).join('; '));
  return first.value;
}

/** The status of an answer, where it is one that the ledger allows for the gap. */
export function allowedStatus(gapId: string, entry: Entry): number {
  const { examples = [] } = loadGaps().find(({ id }) => id === gapId) ?? {};
  const allowed = examples.filter((example) => typeof example === 'number');
  if (allowed.includes(statusOf(entry))) return statusOf(entry);
  throw new Undetermined(`it was answered ${describe(entry.answer)}, which is none of ${allowed.join(', ')}`);
}

/** The questions of a row that must be asked, and those that may be. */
function questionsOf({ after, asks = [], may = [] }: GapRow): [must: readonly string[], may: readonly string[]] {
  const all = Object.entries(questions());
  const refusals = all.flatMap(([id, { refusal }]) => (refusal === undefined ? [] : [id]));
  return [[...(after === undefined ? [] : [after]), ...asks], may === 'refusals' ? refusals : may];
}

/** What a row of the model says of the answer itself. */
const readBy =
  (gap: string, { accepted }: GapRow, asked: readonly string[]): Read =>
  (look) => {
    if (accepted !== undefined) return isAccepted(look.take(asked[0] ?? '')) ? accepted : 'refuse';
    // Where several are refused, they have to agree.
    const seen = asked.flatMap((question) => {
      const entry = look.maybe(question);
      return entry ? [{ what: describeQuestion(question), value: allowedStatus(gap, entry) }] : [];
    });
    return agreeing(seen, 'nothing was refused');
  };

/** The reader of a gap: by its row in the model, and the function that gives the answer where the row does not. */
export function readerOf(gap: string, answer?: Read): Reader {
  const row = loadModel().gaps[gap] ?? {};
  const [must, may] = questionsOf(row);
  const asked = [...must, ...may];
  const read = answer ?? readBy(gap, row, row.after === undefined ? asked : asked.slice(1));
  return {
    gap,
    sends: asked.map(describeQuestion).join('; '),
    writes: must.some(writes),
    writing: asked.filter(writes).map(describeQuestion),
    needs: [...new Set(must.flatMap(needsOf))],
    repeats: row.repeats === true,
    read: (log, mayAsk = () => false, times = 1) =>
      readRounds(
        log,
        (question) => asked.includes(question) && mayAsk(question),
        times,
        (look) => {
          if (row.after !== undefined && !log.isPartial) look.success(row.after);
          return read(look);
        },
      ),
  };
}

function readRounds(log: Log, mayAsk: (question: string) => boolean, times: number, read: Read): Reading {
  const by = new Set<Entry>();
  const found: Lenient[] = [];
  const open = (why: string, wants?: string): Reading => ({ state: 'open', why, by: [...by], wants });
  let [shown, isNew] = [0, true];
  for (let round = 0; isNew; round += 1) {
    const look = new Look(log, round, round < times ? mayAsk : () => false);
    try {
      const answer = read(look);
      isNew = look.isNew;
      if (round > 0 && !isNew) break;
      found.push(answer instanceof Lenient ? answer : new Lenient(answer, () => false));
      if (look.isWhole) shown += 1;
    } catch (error) {
      if (!(error instanceof Undetermined)) throw error;
      for (const entry of look.by) by.add(entry);
      return open(error.message, error.wants);
    }
    for (const entry of look.by) by.add(entry);
  }
  const [first, ...others] = found as [Lenient, ...Lenient[]];
  const other = others.find(({ answer }) => !isDeepStrictEqual(answer, first.answer));
  if (other)
    return open(`it was observed as ${JSON.stringify(first.answer)} and then as ${JSON.stringify(other.answer)}`);
  const { answer, fits, remark } = first;
  return { state: 'shown', answer, by: [...by], times: shown, remark, fits };
}
