import { blocked, violation } from '../failure.ts';
import { settled } from '../session/patience.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { answersInTurn, answersToEachField, answersToSets, isWritten } from './recording-sets.ts';
import { needs, recordingOf, SUMMARY, titleIn } from './recording-updates.ts';
import { PLAIN, type TitleText } from './title-texts.ts';

/** What was answered to a title alone, and to the update after it where the title was taken; sent once a run. */
function answersToTitle(session: Session, { what, text }: TitleText): Promise<{ answer: Answer; next?: Answer }> {
  return session.recorder.once(`answers to a title of ${what}`, async () => {
    const answer = await session.recording.update({ title: text });
    if (!isSuccess(answer)) return { answer };
    // Another instance may show a write a little later.
    const next = await settled(
      () => session.recording.update({ summary: SUMMARY }),
      (seen) => !isSuccess(seen) || titleIn(seen) === titleIn(answer),
    );
    return { answer, next };
  });
}

/** The texts that have to be sent alone: those that only titles show that were refused, or are `isAmiss`. */
async function textsToSend(session: Session, isAmiss: (at: number) => boolean): Promise<TitleText[]> {
  const sets = await answersToSets(session);
  const shown = new Set(
    sets.flatMap(({ carried, answer }, at) => (carried && isSuccess(answer) && !isAmiss(at) ? carried.shows : [])),
  );
  const suspect = new Set(sets.flatMap(({ carried }) => carried?.shows ?? []).filter((text) => !shown.has(text)));
  return suspect.size > 0 ? [PLAIN, ...suspect] : [];
}

export const exactTitle: Check = {
  id: 'recording-title-exact',
  requirements: ['REC-22'],
  title: 'the title written is the title answered, exactly',
  needs,
  writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
  async run(session) {
    const [alone] = await answersToEachField(session);
    if (alone && !isSuccess(alone.answer))
      throw blocked('recording-update-title', `An update of the title answered ${describe(alone.answer)}`);
    if (alone) assertSame('plain text', String(alone.body.title), alone.answer);
    const sets = await answersToSets(session);
    const isAmiss = (at: number): boolean => {
      const set = sets[at];
      return set !== undefined && !isWritten(set.answer, set.body);
    };
    for (const { answer, carried } of sets) if (carried) session.recorder.record(answer);
    for (const text of await textsToSend(session, isAmiss)) {
      const { answer } = await answersToTitle(session, text);
      // Limits of a title are not shown, so only an everyday one must be taken.
      if (isSuccess(answer)) assertSame(text.what, text.text, answer);
    }
    // Changed only together, or only with other fields: whether the title is to blame shows alone.
    const { carried } = sets.find((set, at) => set.carried && isSuccess(set.answer) && isAmiss(at)) ?? {};
    const answer = carried && (await session.recording.update({ title: carried.text }));
    if (carried && answer && isSuccess(answer)) assertSame(carried.what, carried.text, answer);
  },
};

function assertSame(what: string, title: string, answer: Answer): void {
  const actual = recordingOf(answer).title;
  if (actual !== title) throw violation(`A title of ${what} came back changed.`, title, actual).seenIn(answer);
}

/** Each update of the run's turn that wrote a title, with the next one, which sent none. */
async function titledPairs(session: Session): Promise<{ answer: Answer; next: Answer }[]> {
  const inTurn = await answersInTurn(session);
  return inTurn.flatMap(({ body, answer }, at) => {
    const later = inTurn.slice(at + 1);
    const titled = later.findIndex((each) => 'title' in each.body);
    const untitled = titled < 0 ? later : later.slice(0, titled);
    const next = untitled.find((each) => isSuccess(each.answer)) ?? untitled[0];
    return 'title' in body && next ? [{ answer, next: next.answer }] : [];
  });
}

const isLost = ({ answer, next }: { answer: Answer; next: Answer }): boolean => {
  const [written, kept] = [titleIn(answer), titleIn(next)];
  return written !== undefined && kept !== undefined && kept !== written;
};

export const keptTitle: Check = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  needs,
  writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
  async run(session) {
    const pairs = await titledPairs(session);
    if (!pairs.some(({ answer }) => isSuccess(answer)))
      throw blocked('recording-update-title', 'No update of the title succeeded');
    const lost = pairs.filter(isLost);
    for (const { answer, next } of lost.length > 0 ? lost : pairs) {
      session.recorder.record(answer);
      session.recorder.record(next);
    }
    const [first] = lost;
    // A title that gives way to another one than before was stored: the update after it changed what it did not send.
    if (first && first === pairs[0] && titleIn(first.next) !== session.recording.foundTitle)
      throw blocked('recording-others-kept', 'The update after it replaced a title that it did not send');
    const sets = await answersToSets(session);
    const texts = await textsToSend(session, (at) => lost.some(({ answer }) => answer === sets[at]?.answer));
    for (const text of lost.length > 0 && texts.length === 0 ? [PLAIN] : texts) {
      const { answer, next } = await answersToTitle(session, text);
      if (!next) continue;
      if (!isSuccess(next))
        throw blocked('recording-update-summary', `An update after a title of ${text.what} answered ${describe(next)}`);
      // The answer to a title is judged by recording-title-exact; here only what was kept of it.
      const [written, kept] = [recordingOf(answer).title, recordingOf(next).title];
      if (kept !== written)
        throw violation(`A title of ${text.what} was not kept until the next update.`, written, kept).seenIn(next);
    }
    if (first) throw blocked('recording-others-kept', 'A title was lost at an update of other fields');
  },
};
