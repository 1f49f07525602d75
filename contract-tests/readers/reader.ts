import { isDeepStrictEqual } from 'node:util';
import { type Entry, isOk, jsonIn, type Log, statusOf } from '../log/entry.ts';
import type { GapRow } from '../plan/gaps.ts';
import { QUESTIONS } from '../plan/questions.ts';
import { gapOf } from '../spec-data.ts';
import { describe } from '../values/answer.ts';
import { memberOf } from '../values/json.ts';
import { answersTo, describeQuestion, isAsked, needsOf, writes } from './questions.ts';

export type Reader = ReturnType<typeof readerOf>;
/** What a log shows of a gap; where it is open, `wants` is the question whose answer would show it. */
export type Reading = ReturnType<Reader['read']>;

/** The answer to a gap as one look at a log gives it. Throws Undetermined where it cannot tell. */
export type Read = (look: Look) => unknown;

/** The log does not tell the answer; `wants` is the question whose answer would. */
class Undetermined extends Error {
  wants?: string;
}

export class Look {
  readonly by = new Set<Entry>();
  remark?: string;
  /** Whether another answer contradicts nothing that was seen. */
  fits: (other: unknown) => boolean = () => false;

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
    const answers = this.any(question, Number.POSITIVE_INFINITY, this.times);
    one(`${describeQuestion(question)} was answered`, answers.map(statusOf));
    return answers[0];
  }

  /** All answers to a question; none where it cannot be asked. */
  any(question: string, most = Number.POSITIVE_INFINITY, least = 1): readonly Entry[] {
    const answers = answersTo(this.log, question).slice(0, most);
    if (answers.length < least && this.mayAsk(question)) unanswered(question);
    for (const entry of answers) this.by.add(entry);
    return answers;
  }

  success(question: string): Entry {
    const answers = this.any(question);
    return answers.find(isOk) ?? unexpected(answers.at(-1) ?? unanswered(question));
  }

  /** Whether the credentials of a refused member are good, since the target gave them, or accepts them elsewhere. */
  isGoodMember({ credential }: Entry): boolean {
    return credential.issued !== undefined || this.any('scopes-as-member').some(isOk);
  }

  /** The status of "not permitted", as the administration area shows it; undefined where no actor is refused there. */
  forbiddenStatus(): number | undefined {
    const [entry] = this.any('keys-as-member', 1);
    return entry && !isOk(entry) && this.isGoodMember(entry) ? statusOf(entry) : undefined;
  }
}

export function undetermined(why: string, wants?: string): never {
  throw Object.assign(new Undetermined(why), { wants });
}

export function unanswered(question: string): never {
  const who = isAsked(question, false) ? '' : '; only `learn` asks that';
  return undetermined(`no exchange shows it: ${describeQuestion(question)}${who}`, question);
}

/** The target answered in a way that the ledger does not know. */
export const unexpected = ({ answer, path }: Entry): never =>
  undetermined(`${answer.request.method} ${path} was answered ${describe(answer)}`);

export const isRefusedAsInvalid = (entry: Entry): boolean => [400, 422].includes(statusOf(entry));

/** The one value of several observations; undefined where there is none. Throws Undetermined where they differ. */
export function one<T>(what: string, values: readonly T[]): T | undefined {
  const different = [...new Set(values.map((value) => JSON.stringify(value)))];
  return different.length > 1 ? undetermined(`${what} in several ways: ${different.join(' and ')}`) : values[0];
}

/** The name of an answer that is written out, where the ledger has one. */
export function named(gap: string, answer: unknown): unknown {
  const { shapes = {} } = gapOf(gap);
  return Object.keys(shapes).find((name) => isDeepStrictEqual(memberOf(shapes, name), answer)) ?? answer;
}

export function readerOf(gap: string, row: GapRow, answer: Read) {
  const { after, asks = [], repeats = false } = row;
  const refusals = () => Object.keys(QUESTIONS).filter((question) => memberOf(QUESTIONS, question)?.refusal);
  const may = row.may === 'refusals' ? refusals() : (row.may ?? []);
  const must = after === undefined ? asks : [after, ...asks];
  const asked = [...must, ...may];
  return {
    gap,
    /** What `verify` asks, in one line; whether that changes something at the target; what it needs of the target file. */
    sends: asked
      .filter((question) => isAsked(question, false))
      .map(describeQuestion)
      .join('; '),
    writes: must.some(writes),
    needs: [...new Set(must.flatMap(needsOf))],
    writing: asked.filter((question) => writes(question) && isAsked(question, false)).map(describeQuestion),
    /** Whether an answer that is not the assumed one counts only where it is shown twice. */
    repeats,
    /** `mayAsk`: whether a question that the log does not answer can be asked; `times`: how often it has to be shown. */
    read(log: Log, mayAsk: (question: string) => boolean = () => false, times = 1) {
      const look = new Look(log, times, (question) => asked.includes(question) && mayAsk(question));
      try {
        if (after !== undefined && !log.isPartial) look.success(after);
        const found = named(gap, answer(look));
        const { by, remark, fits } = look;
        return { state: 'shown' as const, answer: found, remark, fits, by: [...by] };
      } catch (error) {
        if (!(error instanceof Undetermined)) throw error;
        return { state: 'open' as const, why: error.message, by: [...look.by], wants: error.wants };
      }
    },
  };
}

export function listOf(entry: Entry): unknown[] {
  const json = jsonIn(entry);
  return Array.isArray(json) ? json : unexpected(entry);
}
