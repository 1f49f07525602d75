import { blocked, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { settled } from './patience.ts';
import { needs, recordingOf, SUMMARY, unrecorded } from './recording-updates.ts';
import { LENGTHS, PIECES, packed, type TitleText, WHOLE } from './title-texts.ts';

interface TitleAnswer extends TitleText {
  /** To the title. */
  answer: Answer;
  /** To an update of another field after it, where the title was taken. */
  next?: Answer;
}

/** Sends a title, and an update of another field after it. */
async function sendTitle(session: Session, title: TitleText): Promise<TitleAnswer> {
  const answer = await session.recording.update({ title: title.text });
  if (!isSuccess(answer)) return { ...title, answer };
  const written = recordingOf(answer).title;
  const next = await settled(
    () => session.recording.update({ summary: SUMMARY }),
    (seen) => !isSuccess(seen) || recordingOf(seen).title === written,
  );
  return { ...title, answer, next };
}

/** Whether a title was answered, and kept, as it was sent. */
function isIntact({ text, answer, next }: TitleAnswer): boolean {
  return isSuccess(answer) && recordingOf(answer).title === text && titleOf(next) === text;
}

const titleOf = (answer: Answer | undefined): unknown =>
  answer && isSuccess(answer) ? recordingOf(answer).title : undefined;

/** Sends pieces in one title, and where that is refused or changed, each half by itself: down to single pieces. */
async function sendPieces(session: Session, pieces: readonly TitleText[]): Promise<TitleAnswer[]> {
  const all = await sendTitle(session, packed(pieces));
  if (pieces.length < 2 || isIntact(all)) return [all];
  const middle = Math.ceil(pieces.length / 2);
  const halves: TitleAnswer[] = [];
  for (const half of [pieces.slice(0, middle), pieces.slice(middle)]) {
    halves.push(...(await sendPieces(session, half)));
    // One piece that is changed is the finding: which others are as well shows once it is mended.
    if (halves.some((each) => isSuccess(each.answer) && !isIntact(each))) return halves;
  }
  // Changed only together: then the whole title is the smallest that shows it.
  return isSuccess(all.answer) ? [...halves, all] : halves;
}

/** The longest title that is accepted; those before it are refused. */
async function sendLengths(session: Session): Promise<TitleAnswer[]> {
  const answers: TitleAnswer[] = [];
  for (const title of LENGTHS) {
    answers.push(await sendTitle(session, title));
    if (answers.some(({ answer }) => isSuccess(answer))) break;
  }
  return answers;
}

/** What was answered to each title, and to the update after it; sent once a run. None of it is evidence yet. */
function answersToTitles(session: Session): Promise<TitleAnswer[]> {
  const send = async (): Promise<TitleAnswer[]> => {
    const answers: TitleAnswer[] = [];
    for (const title of WHOLE) answers.push(await sendTitle(session, title));
    answers.push(...(await sendPieces(session, PIECES)), ...(await sendLengths(session)));
    return answers;
  };
  return unrecorded(session, () => session.recorder.once('answers to titles', send));
}

export const exactTitle: Check = {
  id: 'recording-title-exact',
  requirements: ['REC-22'],
  title: 'the title written is the title answered, exactly',
  needs,
  writes: ['PATCH of the disposable recording: title (put back afterwards), summary'],
  async run(session) {
    for (const { what, text, answer } of await answersToTitles(session)) {
      session.recorder.record(answer);
      if (!isSuccess(answer)) {
        // Limits of a title are not shown, so only an everyday one must be taken.
        if (what === 'plain text')
          throw blocked('recording-update-title', `An update of the title answered ${describe(answer)}`);
        continue;
      }
      const actual = recordingOf(answer).title;
      if (actual !== text) throw violation(`A title of ${what} came back changed.`, text, actual);
    }
  },
};

export const keptTitle: Check = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  needs,
  writes: ['PATCH of the disposable recording: title (put back afterwards), summary'],
  async run(session) {
    let tried = 0;
    for (const { what, answer, next } of await answersToTitles(session)) {
      session.recorder.record(answer);
      if (!next) continue;
      // The answer to a title is judged by recording-title-exact; here only what was kept of it.
      const written = recordingOf(answer).title;
      if (written === undefined) continue;
      tried += 1;
      session.recorder.record(next);
      if (!isSuccess(next))
        throw blocked('recording-update-summary', `An update after a title of ${what} answered ${describe(next)}`);
      const kept = recordingOf(next).title;
      if (kept !== written) throw violation(`A title of ${what} was not kept until the next update.`, written, kept);
    }
    if (tried === 0) throw blocked('recording-update-title', 'No update of the title succeeded');
  },
};
