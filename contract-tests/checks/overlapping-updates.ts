import { blocked, violation } from '../failure.ts';
import type { DisposableRecording } from '../session/disposable-recording.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { sleep } from '../wire/time.ts';
import type { Check } from './check.ts';
import { look } from './looks.ts';
import { settled } from './patience.ts';
import { found, needs, SUMMARY } from './recording-updates.ts';
import { RIVALS } from './updates.ts';

const TITLE = 'Written beside another update';

/** Enough to arrive first, and too little to be answered by then. */
const HEAD_START_MS = 10;

const titleIn = (answer: Answer): unknown => {
  const record = jsonOf(answer);
  return isSuccess(answer) && isObject(record) ? record.title : undefined;
};

/** The title that a recording has, once it is one of these or a little time has passed. */
async function titleKept(session: Session, expected: readonly string[]): Promise<Answer> {
  return settled(
    () => look(session),
    (seen) => expected.includes(String(titleIn(seen))),
  );
}

/** Updates at the same time, in pairs where they overlap at all. */
async function together(
  updates: readonly [DisposableRecording, JsonObject][],
  send: (update: () => Promise<Answer>) => Promise<Answer>,
): Promise<Answer[]> {
  const sent = updates.map(async ([recording, body], at) => {
    // The one that arrives first is known, so that the other one is the last to be written.
    await sleep(at * HEAD_START_MS);
    return send(() => recording.update(body));
  });
  return Promise.all(sent);
}

/** What is written at the same time is written as well as what is written alone (4.2). */
export const overlappingUpdates: Check = {
  id: 'recording-overlapping',
  requirements: ['REC-23'],
  isThorough: true,
  title: 'updates at the same time are all written: of one recording as of two',
  needs,
  writes: ['PATCH of each disposable recording, two at a time: title (put back afterwards), summary'],
  async run(session) {
    await found(session);
    const { recording, otherRecording } = session;
    const { otherRecordingId } = session.target.resources ?? {};
    const send = session.inTurn();
    const [titled] = await together(
      [
        [recording, { title: TITLE }],
        [recording, { summary: SUMMARY }],
      ],
      send,
    );
    if (!titled || !isSuccess(titled)) throw blocked('recording-update-title', 'The update of the title was refused');
    const kept = await titleKept(session, [TITLE]);
    if (!isSuccess(kept)) throw blocked('recording-update-summary', `The next update answered ${describe(kept)}`);
    if (titleIn(kept) !== TITLE) {
      throw violation(
        'A title was lost that was written while another update of the recording was under way.',
        TITLE,
        titleIn(kept),
      ).seenIn(kept);
    }
    await together(
      RIVALS.map((title) => [recording, { title }]),
      send,
    );
    // The answers of these are judged with every answer of the run: each must be of the recording that it addresses.
    const hasOther = otherRecordingId !== undefined && isSuccess(await otherRecording.original());
    const besideOther: [DisposableRecording, JsonObject][] = [
      [recording, { summary: SUMMARY }],
      [otherRecording, { summary: SUMMARY }],
    ];
    const [beside] = hasOther ? await together(besideOther, send) : [];
    const last = beside && RIVALS.includes(String(titleIn(beside))) ? beside : await titleKept(session, RIVALS);
    if (isSuccess(last) && !RIVALS.includes(String(titleIn(last)))) {
      throw violation('Of two titles written at once neither was kept.', RIVALS, titleIn(last)).seenIn(last);
    }
  },
};
