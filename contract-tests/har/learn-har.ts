import { conflictsIn, type Learned, NothingLearned } from '../learn.ts';
import { LogBuilder } from '../log/log.ts';
import type { Gap, GapResult } from '../model.ts';
import type { RunInput } from '../run-input.ts';
import { candidatePaths, inKnownOrder, problemWith, sameAnswer } from '../session/gap-answers.ts';
import { secretsOf } from '../session/redaction.ts';
import { loadGaps } from '../spec-data.ts';
import { GapsSeen } from './gaps-seen.ts';
import { type Progress, readHar } from './read-har.ts';

/**
 * What a recording shows of the gaps, each answer with the entries that show it; nothing is sent. Throws UsageError for a
 * file that cannot be read, and NothingLearned where it shows nothing.
 */
export async function learnHar(
  file: string,
  { target, given }: RunInput,
  onProgress?: (progress: Progress) => void,
): Promise<Learned> {
  const scopesPaths = candidatePaths('scopes-path', given?.answers ?? {});
  const builder = new LogBuilder({ scopesPaths, ...target, isPartial: true });
  const seen = new GapsSeen();
  for await (const recorded of readHar(file, onProgress)) {
    const entry = builder.add(recorded);
    if (entry?.hasBody) seen.see(entry);
    builder.forget(() => false);
  }
  const baseUrl = builder.operations.base(file);
  const secrets = secretsOf({ ...target, baseUrl });
  const gaps = loadGaps().map((gap) => resultOf(gap, seen, given?.answers ?? {}));
  const conflicts = conflictsIn(gaps);
  const learned = gaps.filter(
    ({ id, outcome }) => outcome !== 'undetermined' && !conflicts.some(({ gap }) => gap === id),
  );
  if (learned.length === 0) throw new NothingLearned(`Nothing can be learned: ${file} shows no answer to a gap`);
  return secrets.scrubJson({
    baseUrl,
    learnedAt: new Date().toISOString(),
    answers: Object.fromEntries(learned.map(({ id, observed }) => [id, observed])),
    gaps,
    conflicts,
    leftovers: [],
  });
}

function resultOf(gap: Gap, seen: GapsSeen, answers: Record<string, unknown>): GapResult {
  const { id, section, question } = gap;
  const assumed = id in answers ? answers[id] : gap.default;
  const { values, entries, why } = seen.of(id);
  const evidence = entries.map(
    ({ entry, request, response }) =>
      `entry ${entry?.number} (${entry?.startedAt}): ${request.method} ${new URL(request.url).pathname} -> ${response.status}`,
  );
  const base = { id, section, question, assumed, ...(evidence.length > 0 ? { evidence } : {}) };
  const [observed, ...others] = values;
  if (observed === undefined)
    return { ...base, outcome: 'undetermined', reason: why ?? 'no exchange of the recording shows it' };
  const problem = others.length > 0 ? undefined : problemWith(gap, observed);
  if (others.length > 0 || problem !== undefined) {
    const reason = `the recording shows ${values.map((value) => JSON.stringify(value)).join(' and ')}${problem === undefined ? '' : `, which ${problem}`}`;
    return { ...base, outcome: 'undetermined', reason };
  }
  const outcome = sameAnswer(gap, observed, assumed) ? 'match' : 'differs';
  return { ...base, observed: inKnownOrder(gap, observed, assumed), outcome };
}
