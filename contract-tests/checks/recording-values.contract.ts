import { setTimeout as sleep } from 'node:timers/promises';
import { blocked, untested, violation } from '../failure.ts';
import { SAMPLE_ANALYSIS } from '../target/disposable-recording.ts';
import { SAMPLE_ID } from '../target/paths.ts';
import type { Answer } from '../target/request.ts';
import { describe, isSuccess } from './answers.ts';
import type { Check } from './check.ts';
import { FIELD_NAMES, sameValue, UNFINISHED } from './fields.ts';
import { type JsonObject, sameInstant, show } from './formats.ts';
import { ALL_FIVE, found, needs, recordingOf, updated } from './recordings.ts';
import { registerChecks } from './register.ts';

/** Titles that a careless implementation changes on the way. The first must be taken; the others may be refused. */
const TITLES: [what: string, title: string][] = [
  ['plain text', 'Contract title 1'],
  ['Unicode', 'Ünïcödé – 日本語 – \u{1F3A7} – עברית – e\u0301'],
  ['markup', '<b>"Q&A"</b> &amp; \'quotes\' \\ %20 {{x}} %s'],
  ['white space', '  two  spaces\tand a tab '],
  ['line breaks', 'first line\r\nsecond line'],
  // What a careless serialiser takes for a number, or for nothing.
  ['digits', '00451'],
  ['the word null', 'null'],
  ['300 characters', `${'long title '.repeat(27)}end`],
];

const exactTitle: Check = {
  id: 'recording-title-exact',
  requirements: ['REC-22'],
  title: 'the title written is the title answered, exactly',
  needs,
  writes: ['PATCH of the disposable recording: title (put back afterwards)'],
  async run(session) {
    for (const [what, title] of TITLES) {
      const answer = await session.recording.update({ title });
      if (!isSuccess(answer)) {
        // Limits of a title are not shown, so only an everyday one must be taken.
        if (what === 'plain text')
          throw blocked('recording-update-title', `An update of the title answered ${describe(answer)}`);
        continue;
      }
      const actual = recordingOf(answer).title;
      if (actual !== title) throw violation(`A title of ${what} came back changed.`, title, actual);
    }
  },
};

const keptTitle: Check = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  needs,
  writes: ['PATCH of the disposable recording: title (put back afterwards), summary'],
  async run(session) {
    let tried = 0;
    for (const [what, title] of TITLES) {
      const answer = await session.recording.update({ title });
      // What it answered to a title is judged by recording-title-exact; here only what it kept of that.
      const written = isSuccess(answer) ? recordingOf(answer).title : undefined;
      if (written === undefined) continue;
      tried += 1;
      const kept = (await updated(session, { summary: 'Summary by the contract suite.' })).title;
      if (kept !== written) throw violation(`A title of ${what} was not kept until the next update.`, written, kept);
    }
    if (tried === 0) throw blocked('recording-update-title', 'No update of the title succeeded');
  },
};

/** A little more than the coarsest unit in which times are usually kept. */
const SECOND_MS = 1100;

/**
 * Whether the recording says that it was made in the minute of the answer, by the target's clock. Then a created_at that
 * every update sets anew, in whole seconds, shows only once its second is over.
 */
function isJustMade(createdAt: unknown, { response }: Answer): boolean {
  const now = Date.parse(response.headers.date ?? '');
  return Math.abs(Date.parse(String(createdAt)) - (Number.isNaN(now) ? Date.now() : now)) < 60_000;
}

const keepsOthers: Check = {
  id: 'recording-others-kept',
  requirements: ['REC-24'],
  title: 'fields that are not sent keep their values',
  needs,
  writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
  async run(session) {
    let before = await found(session);
    for (const body of [
      { title: 'Another title' },
      { summary: 'Another summary.' },
      { kb_folder_id: SAMPLE_ID },
      { kb_document_id: SAMPLE_ID },
      { analysis: SAMPLE_ANALYSIS },
    ] as JsonObject[]) {
      const answer = await session.recording.update(body);
      if (!isSuccess(answer)) continue; // judged by the check that the field is accepted
      const after = recordingOf(answer);
      for (const field of FIELD_NAMES) {
        if (field in body || field === 'updated_at') continue;
        // The service may still be at work on the recording; recording-status-untouched judges the status.
        if (field === 'status') continue;
        if (UNFINISHED.includes(before.status as string) && ['language', 'quality', 'method'].includes(field)) continue;
        if (!sameValue(field, before[field], after[field])) {
          throw violation(
            `An update of ${Object.keys(body).join()} alone changed ${field}.`,
            { [field]: before[field] },
            { [field]: after[field] },
          );
        }
      }
      before = after;
    }
    const last = await session.recording.update({ summary: 'The last but one.' });
    if (!isSuccess(last) || !isJustMade(recordingOf(last).created_at, last)) return;
    await sleep(SECOND_MS);
    const [was, is] = [recordingOf(last), await updated(session, { summary: 'A second later.' })];
    if (sameInstant(was.created_at, is.created_at)) return;
    throw violation('An update changed created_at.', { created_at: was.created_at }, { created_at: is.created_at });
  },
};

const statusUntouched: Check = {
  id: 'recording-status-untouched',
  requirements: ['REC-40'],
  title: 'no update changes the status',
  needs,
  writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
  async run(session) {
    let before = (await found(session)).status;
    for (const body of [
      { title: 'Status check' },
      { summary: 'Status check.' },
      { kb_folder_id: SAMPLE_ID },
      { kb_document_id: SAMPLE_ID },
      { analysis: SAMPLE_ANALYSIS },
      ALL_FIVE,
    ]) {
      const answer = await session.recording.update(body);
      if (!isSuccess(answer)) continue;
      const after = recordingOf(answer).status;
      if (after !== before && UNFINISHED.includes(before as string)) {
        throw untested(
          `the recording was still ${show(before)} and moved on by itself; name a completed recording in resources.recordingId`,
        );
      }
      if (after !== before)
        throw violation(`An update of ${Object.keys(body).join(', ')} changed the status.`, before, after);
      before = after;
    }
  },
};

/** What an update writes, and what it leaves alone. */
export const recordingValueChecks: Check[] = [exactTitle, keptTitle, keepsOthers, statusUntouched];

await registerChecks('recordings', recordingValueChecks);
