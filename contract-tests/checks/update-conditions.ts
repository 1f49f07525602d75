import { blocked, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, show } from '../wire/json.ts';
import type { Check } from './check.ts';
import { look } from './looks.ts';
import { settled } from './patience.ts';
import { answersToSets, NESTED_ANALYSIS } from './recording-sets.ts';
import { found, needs } from './recording-updates.ts';

const titleIn = (answer: Answer): unknown => {
  const record = jsonOf(answer);
  return isSuccess(answer) && isObject(record) ? record.title : undefined;
};

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

/** Whether an update is refused: the first of those that a target may refuse, which a probe sends as well. */
async function refusedUpdate(session: Session): Promise<boolean> {
  for (const body of [{ summary: null }, { summary: { not: 'text' } }])
    if (!isSuccess(await session.recording.update(body))) return true;
  return false;
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
  const nested = (await answersToSets(session)).find(({ body }) => body.analysis === NESTED_ANALYSIS);
  if (!nested || nested.answer.response.status < 500 || !nested.plain || !isSuccess(nested.plain.answer)) return;
  const { answer } = nested;
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
    await afterRefusal(session);
    await nestedAnalysis(session);
  },
};
