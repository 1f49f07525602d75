import { blocked, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import type { Check } from './check.ts';
import { answersInTurn, answersToSets, isWritten } from './recording-sets.ts';
import { answersToEachField, needs, recordingOf, SUMMARY } from './recording-updates.ts';
import { TITLES, type TitleKind } from './title-samples.ts';

const KINDS = Object.keys(TITLES) as TitleKind[];

/** What was answered to a title alone, and to the update after it where the title was taken; sent once a run. */
function answersToTitle(session: Session, kind: TitleKind): Promise<{ answer: Answer; next?: Answer }> {
  return session.recorder.once(`answers to a title of ${kind}`, async () => {
    const answer = await session.recording.update({ title: TITLES[kind] });
    return isSuccess(answer) ? { answer, next: await session.recording.update({ summary: SUMMARY }) } : { answer };
  });
}

/** The kinds of titles that have to be sent alone: those that only updates carried that were refused, or are `isAmiss`. */
async function kindsToSend(session: Session, isAmiss: (at: number) => boolean): Promise<TitleKind[]> {
  const sets = await answersToSets(session);
  const settled = sets.filter(({ carried, answer }, at) => carried && isSuccess(answer) && !isAmiss(at));
  const shown = new Set<TitleKind>(settled.flatMap(({ carried }) => carried?.shows ?? []));
  const carried = new Set(sets.flatMap((set) => set.carried?.shows ?? []));
  const suspect = KINDS.filter((kind) => carried.has(kind) && !shown.has(kind));
  return suspect.length > 0 ? ['plain text', ...suspect] : [];
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
    for (const kind of await kindsToSend(session, isAmiss)) {
      const { answer } = await answersToTitle(session, kind);
      // Limits of a title are not shown, so only an everyday one must be taken.
      if (isSuccess(answer)) assertSame(kind, TITLES[kind], answer);
    }
    const lost = sets.find(({ answer, carried }, at) => carried && isSuccess(answer) && isAmiss(at));
    if (lost) await assertTaken(session, lost.carried?.shows ?? [], String(lost.body.title));
  },
};

/** Throws where a title that came back changed with other fields does so alone, too; else the fields are to blame. */
async function assertTaken(session: Session, kinds: readonly string[], title: string): Promise<void> {
  const answer = await session.recording.update({ title });
  if (isSuccess(answer)) assertSame(kinds.join(', '), title, answer);
}

function assertSame(what: string, title: string, answer: Answer): void {
  const actual = recordingOf(answer).title;
  if (actual !== title) throw violation(`A title of ${what} came back changed.`, title, actual).seenIn(answer);
}

/** The title that an update answered; undefined where it answered none. */
function titleIn(answer: Answer): unknown {
  const json = jsonOf(answer);
  return isSuccess(answer) && isObject(json) ? json.title : undefined;
}

export const keptTitle: Check = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  needs,
  writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
  async run(session) {
    const inTurn = await answersInTurn(session);
    if (!inTurn.some(({ body, answer }) => 'title' in body && isSuccess(answer)))
      throw blocked('recording-update-title', 'No update of the title succeeded');
    const pairs = inTurn.flatMap((update, at) => {
      const next = inTurn[at + 1];
      return 'title' in update.body && next && !('title' in next.body) ? [{ ...update, next: next.answer }] : [];
    });
    const lost = pairs.filter(
      ({ answer, next }) =>
        titleIn(answer) !== undefined && titleIn(next) !== undefined && titleIn(next) !== titleIn(answer),
    );
    for (const { answer, next } of lost.length > 0 ? lost : pairs) {
      session.recorder.record(answer);
      session.recorder.record(next);
    }
    const [first] = lost;
    // A title that gives way to another one than before was stored: the update after it changed what it did not send.
    if (first === pairs[0] && first && titleIn(first.next) !== session.recording.foundTitle)
      throw blocked('recording-others-kept', 'The update after it replaced a title that it did not send');
    const sets = await answersToSets(session);
    const isLost = (at: number): boolean => lost.some(({ answer }) => answer === sets[at]?.answer);
    const kinds = await kindsToSend(session, isLost);
    for (const kind of lost.length > 0 ? ['plain text' as const, ...kinds] : kinds) {
      const { answer, next } = await answersToTitle(session, kind);
      if (!next) continue;
      if (!isSuccess(next))
        throw blocked('recording-update-summary', `An update after a title of ${kind} answered ${describe(next)}`);
      // The answer to a title is judged by recording-title-exact; here only what was kept of it.
      const [written, kept] = [recordingOf(answer).title, recordingOf(next).title];
      if (kept !== written)
        throw violation(`A title of ${kind} was not kept until the next update.`, written, kept).seenIn(next);
    }
    if (first) throw blocked('recording-others-kept', 'A title was lost at an update of other fields');
  },
};
