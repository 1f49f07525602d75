import { blocked, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { needs, recordingOf, SUMMARY, unrecorded } from './recording-updates.ts';

/** Titles that a careless implementation changes on the way. The first must be taken; the others may be refused. */
const TITLES: [what: string, title: string][] = [
  ['plain text', 'Contract title 1'],
  ['Unicode', 'Ünïcödé – 日本語 – \u{1F3A7} – עברית – e\u0301'],
  // In these the joiners between the letters are part of how they are spelt.
  ['joined characters', '\u{1F469}\u200D\u{1F4BB} \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645'],
  ['markup', '<b>"Q&A"</b> &amp; \'quotes\' \\ %20 {{x}} %s'],
  ['what is decoded in a URL', '100%25 a+b'],
  ['white space', '  two  spaces\tand a tab '],
  ['line breaks', 'first line\r\nsecond line'],
  ['a line break at its end', 'last line\n'],
  // What a careless serialiser reads as a number, a boolean, nothing, or a formula.
  ['digits', '00451'],
  ['digits with an exponent', '1e3'],
  ['the word null', 'null'],
  ['the word true', 'true'],
  ['a formula', '=1+1'],
  ['the name of what every object has', 'constructor'],
  ['no characters', ''],
  ['300 characters', `${'long title '.repeat(27)}end`],
  ['1,100 characters', `${'even longer '.repeat(91)}the end.`],
];

interface TitleAnswer {
  what: string;
  title: string;
  /** To the title. */
  answer: Answer;
  /** To an update of another field after it, where the title was taken. */
  next?: Answer;
}

/** What was answered to each title, and to the update after it; sent once a run. None of it is evidence yet. */
function answersToTitles(session: Session): Promise<TitleAnswer[]> {
  const send = async (): Promise<TitleAnswer[]> => {
    const answers: TitleAnswer[] = [];
    for (const [what, title] of TITLES) {
      const answer = await session.recording.update({ title });
      const next = isSuccess(answer) ? await session.recording.update({ summary: SUMMARY }) : undefined;
      answers.push({ what, title, answer, ...(next ? { next } : {}) });
    }
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
    for (const { what, title, answer } of await answersToTitles(session)) {
      session.recorder.record(answer);
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
