import { blocked, untested, violation } from '../failure.ts';
import { FIELD_NAMES, UNFINISHED } from '../session/records.ts';
import { type Answer, isSuccess } from '../wire/exchange.ts';
import { show } from '../wire/json.ts';
import { sleep } from '../wire/time.ts';
import type { Check } from './check.ts';
import { sameValue } from './field-rules.ts';
import { sameInstant } from './formats.ts';
import { answersInTurn, namesOf } from './recording-sets.ts';
import { exactTitle, keptTitle } from './recording-titles.ts';
import { found, needs, recordingOf, unrecorded, updated } from './recording-updates.ts';
import { movesByItself, REPROCESSED } from './recordings-moving.ts';

/** A little more than the coarsest unit in which times are usually kept. */
const SECOND_MS = 1100;

/**
 * Whether the recording says that it was made in the minute of the answer, by the target's clock. Then a created_at that
 * every update sets anew, in whole seconds, shows only in the next second.
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
    for (const { body, answer } of await answersInTurn(session)) {
      if (!isSuccess(answer)) continue; // judged by the check that the fields are accepted
      session.recorder.record(answer);
      const after = recordingOf(answer);
      for (const field of FIELD_NAMES) {
        if (field in body || field === 'updated_at') continue;
        // The service may still be at work on the recording; recording-status-untouched judges the status.
        if (field === 'status') continue;
        if (UNFINISHED.includes(before.status as string) && ['language', 'quality', 'method'].includes(field)) continue;
        if (!sameValue(field, before[field], after[field])) {
          // The title as it was found may be back because the other one was never stored.
          const isBack = field === 'title' && after.title === session.recording.foundTitle && after.title !== '';
          const by = isBack ? session.ledger.reporterOf(['REC-22', 'REC-23']) : undefined;
          if (by) throw blocked(by, `An update of ${namesOf(body)} answered another title`);
          throw violation(
            `An update of ${namesOf(body)} changed ${field}.`,
            { [field]: before[field] },
            { [field]: after[field] },
          ).seenIn(answer);
        }
      }
      before = after;
    }
    const last = (await answersInTurn(session)).findLast(({ answer }) => isSuccess(answer))?.answer;
    if (!last || !isJustMade(recordingOf(last).created_at, last)) return;
    await sleep(SECOND_MS);
    const [was, is] = [recordingOf(last), await updated(session, { summary: 'The summary a second later.' })];
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
    for (const { body, answer } of await answersInTurn(session)) {
      if (!isSuccess(answer)) continue;
      session.recorder.record(answer);
      const after = recordingOf(answer).status;
      if ('status' in body) {
        before = after; // whether a status that is sent is written has a check of its own
        continue;
      }
      if (after !== before && UNFINISHED.includes(before as string)) {
        throw untested(
          `the recording was still ${show(before)} and moved on by itself; name a completed recording in resources.recordingId`,
        );
      }
      if (after !== before && (await unrecorded(session, () => movesByItself(session, body))))
        throw untested(REPROCESSED);
      if (after !== before)
        throw violation(`An update of ${namesOf(body)} changed the status.`, before, after).seenIn(answer);
      before = after;
    }
  },
};

/** What an update writes, and what it leaves alone. */
export const recordingValueChecks: Check[] = [exactTitle, keptTitle, keepsOthers, statusUntouched];
