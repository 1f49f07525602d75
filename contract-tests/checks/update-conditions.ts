import { blocked, violation } from '../failure.ts';
import { settled } from '../session/patience.ts';
import type { Session } from '../session/session.ts';
import { describe, isSuccess } from '../wire/exchange.ts';
import { show } from '../wire/json.ts';
import type { Check } from './check.ts';
import { look } from './looks.ts';
import { answersToSets, NESTED_ANALYSIS, WIDER_ANALYSIS } from './recording-sets.ts';
import { found, needs, titleIn } from './recording-updates.ts';
import { keptThroughout, refusedUpdate, TITLE } from './titles-kept.ts';

/** Throws unless a title that was written under a condition is there at the next update. */
async function assertKept(session: Session, title: string, condition: string): Promise<void> {
  const answer = await settled(
    () => look(session),
    (seen) => titleIn(seen) === title,
  );
  if (!isSuccess(answer)) throw blocked('recording-update-summary', `The next update answered ${describe(answer)}`);
  if (titleIn(answer) === title) return;
  throw violation(`A title written ${condition} was not kept.`, title, titleIn(answer)).seenIn(answer);
}

/** A title after an update that was refused, whichever that is: what is invalid is not shown. */
async function afterRefusal(session: Session): Promise<void> {
  const title = 'After a refused update';
  const refused = await refusedUpdate(session);
  if (!refused) return;
  const answer = await session.recording.update({ title });
  if (!isSuccess(answer)) throw blocked('recording-update-title', `The update answered ${describe(answer)}`);
  await assertKept(session, title, 'right after an update that was refused');
}

/** An analysis with lists of objects, which the sets of the run have sent. It may be refused, but not fail. */
async function nestedAnalysis(session: Session): Promise<void> {
  const wider = (await answersToSets(session)).find(({ body }) => body.analysis === WIDER_ANALYSIS);
  // Where the other key is refused, the lists are tried without it.
  if (!wider?.plain || isSuccess(wider.answer) || !isSuccess(wider.plain.answer)) return;
  const answer = await session.recording.update({ ...wider.body, analysis: NESTED_ANALYSIS });
  if (answer.response.status < 500) return;
  throw violation(
    `An update with an analysis that holds lists of objects fails with ${answer.response.status}, and one with lists of texts succeeds.`,
    'a success (2xx)',
    `${describe(answer)}: ${show(answer.response.body)}`,
  )
    .of('REC-05')
    .seenIn(answer);
}

/** Updates as they come in practice: what each field does must not depend on the company that it is in. */
export const updateConditions: Check = {
  id: 'recording-conditions',
  requirements: ['REC-23'],
  isThorough: true,
  title: 'an update is written whatever its company: a nested analysis, a refused update before it',
  needs,
  writes: ['PATCH of the disposable recording: title (put back afterwards), other fields, and summary as null'],
  async run(session) {
    await found(session);
    const { isKept, lost } = await keptThroughout(session);
    if (!isKept) await afterRefusal(session);
    // Neither this nor an update beside another one loses it alone.
    if (lost && session.ledger.reporterOf(['REC-23']) === undefined)
      throw violation(
        'A title was lost that was written after a refused update, beside another one, and before refused ones.',
        TITLE,
        titleIn(lost),
      ).seenIn(lost);
    await nestedAnalysis(session);
  },
};
