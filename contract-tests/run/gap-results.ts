import { describeForms } from '../api/lax-forms.ts';
import { type Entry, sentOf } from '../log/entry.ts';
import type { Gap, GapResult } from '../model.ts';
import type { Reading } from '../readers/reader.ts';
import { assumedIn, inKnownOrder, problemWith, sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { groupBy } from '../values/group.ts';
import { isObject } from '../values/json.ts';

/** The results where no gap was read. */
export const noneProbed = (answers: Record<string, unknown>, reason: string): GapResult[] =>
  loadGaps().map((gap) => gapResult(gap, reason, assumedIn(answers, gap)));

/** What a reading comes to, compared with the answer that is assumed: the profile's, else the ledger's default; or why there is none. */
export function gapResult(gap: Gap, reading: Reading | string, assumed: unknown): GapResult {
  const { id, section, question, unobservable } = gap;
  const undetermined = { id, section, question, assumed, outcome: 'undetermined' as const };
  if (typeof reading === 'string') return { ...undetermined, reason: unobservable ?? reading };
  const remark = reading.state === 'shown' && reading.remark !== undefined ? [reading.remark] : [];
  const evidence = [...evidenceOf(reading.by), ...remark];
  const base = { ...undetermined, ...(evidence.length > 0 ? { evidence } : {}) };
  if (reading.state === 'open') return { ...base, reason: reading.why };
  const { answer } = reading;
  const problem = problemWith(gap, answer);
  if (problem) return { ...base, reason: `${JSON.stringify(answer)} was observed, ${problem}` };
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
  const same = groupBy((recorded.length > 0 ? recorded : entries).map(lineOf), (line) => line);
  const lines = [...same].map(([line, { length }]) => (length > 1 ? `${line} (${length} times)` : line));
  return lines.length > MAX_LINES ? [`(${lines.length - MAX_LINES} more)`, ...lines.slice(-MAX_LINES)] : lines;
}

function lineOf(each: Entry): string {
  const { answer, path, credential } = each;
  const { entry, request, response } = answer;
  const { pathname, search } = new URL(request.url);
  if (entry) return `entry ${entry.number} (${entry.startedAt}): ${request.method} ${pathname} -> ${response.status}`;
  const sent = sentOf(each);
  // What is no JSON was sent broken on purpose.
  const names = isObject(sent) ? ` {${Object.keys(sent).join(', ')}}` : ' (another body)';
  const body = request.body === undefined ? '' : names;
  const isActor = credential.who === 'admin' || credential.who === 'member';
  const whose = isActor ? ` as ${credential.who}` : ', other credentials';
  const who = request.headers.Authorization === undefined ? ', no credentials' : whose;
  const forms = credential.forms ? `, ${describeForms(credential.forms)}` : '';
  const type = response.headers['content-type']?.split(';')[0] ?? '';
  return `${request.method} ${path}${search}${body}${who}${forms} -> ${`${response.status} ${type}`.trim()}`;
}
