import type { Entry } from '../log/entry.ts';
import type { Gap, GapResult } from '../model.ts';
import type { Reading } from '../readers/reader.ts';
import { allowedAnswers, assumedIn, inKnownOrder, problemWith, sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { isObject, parseJson } from '../values/json.ts';

/** The result of a gap that was not read; `reason` says why, unless nothing can show it. */
export function notProbed(
  { id, section, question, observable, reason: why }: Gap,
  assumed: unknown,
  reason: string,
): GapResult {
  const cause = observable === false && why ? why : reason;
  return { id, section, question, assumed, outcome: 'undetermined', reason: cause };
}

/** The results where no gap was read. */
export const noneProbed = (answers: Record<string, unknown>, reason: string): GapResult[] =>
  loadGaps().map((gap) => notProbed(gap, assumedIn(answers, gap), reason));

/** What a reading comes to, compared with the answer that is assumed: the profile's, else the ledger's default. */
export function gapResult(gap: Gap, reading: Reading, assumed: unknown): GapResult {
  const { id, section, question } = gap;
  const remark = reading.state === 'shown' && reading.remark !== undefined ? [reading.remark] : [];
  const evidence = [...evidenceOf(reading.by), ...remark];
  const base = { id, section, question, assumed, ...(evidence.length > 0 ? { evidence } : {}) };
  if (reading.state === 'open') return { ...base, outcome: 'undetermined', reason: reading.why };
  const { answer } = reading;
  const problem = problemWith(gap, answer);
  if (problem) {
    const reason = `${JSON.stringify(answer)} was observed, which ${problem}; allowed: ${allowedAnswers(gap)}`;
    return { ...base, outcome: 'undetermined', reason };
  }
  const outcome = isAsAssumed(gap, reading, assumed) ? 'match' : 'differs';
  return { ...base, observed: inKnownOrder(gap, answer, assumed), outcome };
}

/** Whether no observation contradicts the assumed answer. */
export const isAsAssumed = (gap: Gap, reading: Reading, assumed: unknown): boolean =>
  reading.state === 'shown' && (sameAnswer(gap, reading.answer, assumed) || reading.fits(assumed));

/** More lines than these are one thing tried in many places; of a recording, fewer are looked up. */
const MAX_LINES = 14;
const MAX_ENTRIES = 6;

/** Requests and their answers, a short line each: method, path, names of the body's members, status. No values. */
function evidenceOf(by: readonly Entry[]): string[] {
  const entries = by.toSorted((a, b) => a.n - b.n);
  const recorded = entries.filter(({ answer }) => answer.entry !== undefined).slice(0, MAX_ENTRIES);
  const counts = new Map<string, number>();
  for (const entry of recorded.length > 0 ? recorded : entries) {
    const line = lineOf(entry);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
  return lines.length > MAX_LINES ? [`(${lines.length - MAX_LINES} more)`, ...lines.slice(-MAX_LINES)] : lines;
}

function lineOf({ answer: { entry, request, response }, path, credential: { who } }: Entry): string {
  const { pathname, search } = new URL(request.url);
  if (entry) return `entry ${entry.number} (${entry.startedAt}): ${request.method} ${pathname} -> ${response.status}`;
  const isActor = who === 'admin' || who === 'member';
  const whose = isActor ? ` as ${who}` : ', other credentials';
  const type = response.headers['content-type']?.split(';')[0];
  return `${request.method} ${path}${search}${bodyOf(request.body)}${request.headers.Authorization === undefined ? ', no credentials' : whose} -> ${[response.status, type].filter(Boolean).join(' ')}`;
}

function bodyOf(text: string | undefined): string {
  if (text === undefined) return '';
  const body = parseJson(text);
  // What is none was sent broken on purpose.
  return isObject(body) ? ` {${Object.keys(body).join(', ')}}` : ' (another body)';
}
