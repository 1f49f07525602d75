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
  /** The questions that only a run that learns asks. */
  learn: readonly string[];
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

/** What a reader sees of a log. */
export class Look {
  /** The exchanges that it rests on. */
  readonly by = new Set<Entry>();
  /** How often each question is answered that it rests on. */
  readonly counts: number[] = [];

  constructor(
    readonly log: Log,
    private readonly times: number,
    private readonly mayAsk: (question: string) => boolean,
  ) {}

  /** The answer to a question. Throws Undetermined where it has answers of different status. */
  take(question: string): Entry {
    return this.maybe(question) ?? unanswered(question);
  }

  /** The same; undefined where the question cannot be asked. */
  maybe(question: string): Entry | undefined {
    const answers = answersTo(this.log, question);
    if (answers.length < this.times && this.mayAsk(question)) unanswered(question);
    const [first] = answers;
    if (!first) return undefined;
    this.counts.push(answers.length);
    for (const entry of answers) this.by.add(entry);
    one(`${describeQuestion(question)} was answered`, answers.map(statusOf));
    return first;
  }

  /** All answers to a question; none where it cannot be asked. */
  any(question: string, most = Number.POSITIVE_INFINITY): readonly Entry[] {
    const answers = answersTo(this.log, question).slice(0, most);
    if (answers.length === 0 && this.mayAsk(question)) unanswered(question);
    for (const entry of answers) this.by.add(entry);
    return answers;
  }

  /** The JSON object of a success; undetermined otherwise. */
  object(question: string): JsonObject {
    const entry = this.take(question);
    const json = jsonIn(entry);
    return isOk(entry) && isObject(json) ? json : unexpected(entry);
  }

  /** The first success among all; undetermined where there is none. */
  success(question: string): Entry {
    const answers = this.any(question);
    const last = answers.at(-1) ?? unanswered(question);
    return answers.find(isOk) ?? unexpected(last);
  }
}

/** One more answer to a question would tell. */
export function unanswered(question: string): never {
  throw Object.assign(new Undetermined(`no exchange shows it: ${describeQuestion(question)}`), { wants: question });
}

/** The log does not tell. */
export function undetermined(why: string): never {
  throw new Undetermined(why);
}

/** The target answered in a way that the ledger does not know. */
export const unexpected = ({ answer, path }: Entry): never =>
  undetermined(`${answer.request.method} ${path} was answered ${describe(answer)}`);

export const isRefusedAsInvalid = (entry: Entry): boolean => [400, 422].includes(statusOf(entry));

/** Whether the target accepts a request, or refuses it as invalid; undetermined where it does neither. */
export const isAccepted = (entry: Entry): boolean =>
  isOk(entry) || (isRefusedAsInvalid(entry) ? false : unexpected(entry));

/** The one value of several observations; undefined where there is none. Throws Undetermined where they differ. */
export function one<T>(what: string, values: readonly T[]): T | undefined {
  const different = [...new Set(values.map((value) => JSON.stringify(value)))];
  return different.length > 1 ? undetermined(`${what} in several ways: ${different.join(' and ')}`) : values[0];
}

/** The status of an answer, where it is one that the ledger allows for the gap. */
export function allowedStatus(gapId: string, entry: Entry): number {
  const { examples = [] } = loadGaps().find(({ id }) => id === gapId) ?? {};
  const allowed = examples.filter((example) => typeof example === 'number');
  if (allowed.includes(statusOf(entry))) return statusOf(entry);
  return undetermined(`it was answered ${describe(entry.answer)}, which is none of ${allowed.join(', ')}`);
}

/** What a row of the model says of the answer itself. */
const readBy =
  (gap: string, { accepted }: GapRow, asked: readonly string[]): Read =>
  (look) => {
    for (const [question, answer] of Object.entries(accepted ?? {})) if (isAccepted(look.take(question))) return answer;
    if (accepted) return 'refuse';
    const statuses = asked.flatMap((question) => look.maybe(question) ?? []).map((entry) => allowedStatus(gap, entry));
    return one('it is refused', statuses) ?? undetermined('nothing was refused');
  };

/** The reader of a gap: by its row in the model, and the function that gives the answer where the row does not. */
export function readerOf(gap: string, answer?: Read): Reader {
  const row = loadModel().gaps[gap] ?? {};
  const { after, asks = [] } = row;
  const refusals = () => Object.entries(questions()).flatMap(([id, { refusal }]) => (refusal ? [id] : []));
  const { learn = [] } = row;
  const may = row.may === 'refusals' ? refusals() : [...(row.may ?? []), ...learn];
  const read = answer ?? readBy(gap, row, [...asks, ...may]);
  const must = after === undefined ? asks : [after, ...asks];
  const asked = [...must, ...may];
  return {
    gap,
    sends: asked.map(describeQuestion).join('; '),
    writes: must.some(writes),
    writing: asked.filter(writes).map(describeQuestion),
    needs: [...new Set(must.flatMap(needsOf))],
    learn,
    repeats: row.repeats === true,
    read(log, mayAsk = () => false, times = 1) {
      const look = new Look(log, times, (question) => asked.includes(question) && mayAsk(question));
      const { by: seen, counts } = look;
      try {
        if (after !== undefined && !log.isPartial) look.success(after);
        const given = read(look);
        const found = given instanceof Lenient ? given : new Lenient(given, () => false);
        return { state: 'shown', ...found, by: [...seen], times: counts.length > 0 ? Math.min(...counts) : 1 };
      } catch (error) {
        if (!(error instanceof Undetermined)) throw error;
        return { state: 'open', why: error.message, by: [...seen], wants: error.wants };
      }
    },
  };
}
