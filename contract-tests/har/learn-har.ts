import { type Learned, learnedFrom, NothingLearned } from '../commands/learn.ts';
import type { RunInput } from '../commands/run-input.ts';
import { type Entry, isOk, type Log, statusOf } from '../log/entry.ts';
import { LogBuilder } from '../log/log.ts';
import { Recent } from '../log/recent.ts';
import { allReaders } from '../readers/catalogue.ts';
import { answering, questions } from '../readers/questions.ts';
import { gapResult, notProbed } from '../run/gap-results.ts';
import { Secrets } from '../secrets/secrets.ts';
import { assumedIn, candidatePaths } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { type Progress, readHar } from './read-har.ts';

/** What a recording shows of the gaps; nothing is sent. Throws UsageError for a bad file, NothingLearned for nothing shown. */
export async function learnHar(
  file: string,
  { target, given }: RunInput,
  onProgress?: (progress: Progress) => void,
): Promise<Learned> {
  const scopesPaths = candidatePaths('scopes-path', given?.answers ?? {});
  const builder = new LogBuilder({ scopesPaths, ...target, isPartial: true });
  const kept = new Kept(builder.log);
  for await (const recorded of readHar(file, onProgress)) {
    const entry = builder.add(recorded);
    if (entry?.hasBody) kept.see(entry);
    builder.forget(() => false);
  }
  const log = { ...builder.log, entries: kept.entries };
  const baseUrl = builder.operations.base(file);
  const gaps = loadGaps().map((gap) => {
    const assumed = assumedIn(given?.answers ?? {}, gap);
    const reader = allReaders.find((each) => each.gap === gap.id);
    return reader
      ? gapResult(gap, reader.read(log), assumed)
      : notProbed(gap, assumed, 'no exchange of the recording shows it');
  });
  const learned = learnedFrom(baseUrl, gaps, new Secrets({ ...target, baseUrl }));
  if (Object.keys(learned.answers).length > 0) return learned;
  throw new NothingLearned(`Nothing can be learned: ${file} shows no answer to a gap`);
}

/** Exchanges of each kind that are kept for readers: a recording of any length is read in constant memory. */
const MOST = 200;
/** Recordings whose last update is remembered. */
const REMEMBERED = 10_000;

/** The exchanges of a recording that answer questions of readers. */
class Kept {
  readonly #entries = new Map<number, Entry>();
  readonly #counts = new Map<string, number>();
  readonly #questions: readonly [string, (entry: Entry) => boolean][];
  /** The last update of each recording that was accepted. */
  readonly #updates = new Recent<string, Entry>(REMEMBERED);

  constructor(log: Log) {
    this.#questions = Object.keys(questions()).map((id) => [id, answering(id, log)]);
  }

  /** In the order of the recording. */
  get entries(): readonly Entry[] {
    return [...this.#entries.values()].toSorted((a, b) => a.n - b.n);
  }

  see(entry: Entry): void {
    for (const [id, isAnswer] of this.#questions) if (isAnswer(entry)) this.#keep(id, entry);
    if (entry.operation === 'recording' && isOk(entry)) this.#updates.set(entry.path, entry);
  }

  #keep(question: string, entry: Entry): void {
    const kind = `${question} ${statusOf(entry)}`;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    if (count > MOST) return;
    this.#counts.set(kind, count);
    this.#entries.set(entry.n, entry);
    // A change is seen by comparison with the entries before.
    const before = question === 'update-empty' ? this.#updates.get(entry.path) : undefined;
    if (before) this.#entries.set(before.n, before);
  }
}
