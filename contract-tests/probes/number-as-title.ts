import type { Session } from '../session/session.ts';
import { jsonOf } from '../wire/answers.ts';
import { isObject } from '../wire/json.ts';
import { takenOrRefused, update } from './requests.ts';

export const NUMBER = 12345;

/** What the target makes of a number as title: refused, or taken with the title that it then answers. */
export async function numberAsTitle(session: Session): Promise<{ kind: 'taken' | 'refused'; title: unknown }> {
  return session.recorder.once('probe: number as title', async () => {
    const answer = await update(session, { title: NUMBER });
    const body = jsonOf(answer);
    return { kind: takenOrRefused('The update', answer), title: isObject(body) ? body.title : undefined };
  });
}
