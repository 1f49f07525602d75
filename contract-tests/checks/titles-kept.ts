import { INVALID_ANALYSIS } from '../session/disposable-recording.ts';
import { settled } from '../session/patience.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { refusedTitle } from './auth-refusals.ts';
import { together } from './beside-other.ts';
import { look, lookWriting } from './looks.ts';
import { titleIn } from './recording-updates.ts';

/** A title that is written while another update is under way. */
export const TITLE = 'Written beside another update';

/** Bodies that a target may refuse as invalid; what it does refuse is not documented. */
export const INVALID: readonly JsonObject[] = [{ summary: 12345 }, INVALID_ANALYSIS, { kb_folder_id: ['not text'] }];

/** Whether an update is refused: the first of those that a target may refuse, which a probe sends as well. */
export async function refusedUpdate(session: Session): Promise<boolean> {
  for (const body of [{ summary: null }, { summary: { not: 'text' } }])
    if (!isSuccess(await session.recording.update(body))) return true;
  return false;
}

/** A title and another update at the same time. */
export const besideAnother = (session: Session): Promise<Answer[]> =>
  together(session, [() => session.recording.update({ title: TITLE }), () => lookWriting(session)]);

/** An update that would write a title, and something invalid. */
export async function sendInvalid(
  session: Session,
  invalid: JsonObject,
): Promise<{ what: string; title: string; answer: Answer }> {
  const what = JSON.stringify(invalid);
  const title = refusedTitle(what);
  return { what, title, answer: await session.recording.update({ title, ...invalid }) };
}

/** What becomes of a title under several conditions. */
interface Kept {
  isKept: boolean;
  /** The update that shows another title than any that was sent. */
  lost?: Answer;
}

/**
 * Whether a title is kept that is written right after a refused update, and while another update is under way, and before
 * updates with other titles that are refused: all at once, sent once a run. Where it is not, or nothing is refused, each
 * condition has to be tried alone.
 */
export function keptThroughout(session: Session): Promise<Kept> {
  return session.recorder.once('title under several conditions', async () => {
    if (session.isQuick || !(await refusedUpdate(session))) return { isKept: false };
    const [titled] = await besideAnother(session);
    if (!titled || !isSuccess(titled)) return { isKept: false };
    const refused: string[] = [];
    for (const invalid of INVALID) {
      const { title, answer } = await sendInvalid(session, invalid);
      if (isSuccess(answer)) return { isKept: false };
      refused.push(title);
    }
    const next = await settled(
      () => look(session),
      (seen) => titleIn(seen) === TITLE,
    );
    const title = titleIn(next);
    const isLost = isSuccess(next) && title !== TITLE && !refused.includes(String(title));
    return { isKept: title === TITLE, ...(isLost ? { lost: next } : {}) };
  });
}
