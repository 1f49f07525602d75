import { randomUUID } from 'node:crypto';
import { setUpError } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess } from '../wire/exchange.ts';
import { SUMMARY } from './recording-updates.ts';
import { saysNoSuchThing } from './refusal-likeness.ts';

/** What is written to find that out, as a check lists it. */
export const WRITES_TO_MADE_UP =
  'PATCH of a made-up recording, of made-up paths, and of the recording as member, where admin is answered 403 or 404';

const RESOURCES = {
  recordingId: {
    thing: 'recording',
    ask: (session: Session) => session.recording.original(),
    askMadeUp: (session: Session) => session.recording.updateUnknown('admin'),
    askNowhere: (session: Session) => session.recording.updateNowhere(),
  },
  tenantId: {
    thing: 'tenant',
    ask: (session: Session) => session.apiKeys.all(),
    askMadeUp: (session: Session) => session.apiKeys.of(randomUUID()),
    async askNowhere(session: Session): Promise<Answer[]> {
      const headers = await session.signIn.authorization('admin');
      const below = `/v1/admin/tenants/${encodeURIComponent(session.resource('tenantId'))}/${randomUUID()}`;
      const beside = `/v1/admin/${randomUUID()}/${randomUUID()}`;
      return [
        await session.send({ method: 'GET', path: beside, headers }),
        await session.send({ method: 'GET', path: below, headers }),
      ];
    },
  },
} as const;

/** Whether member may update the recording that admin is refused. */
async function mayMemberUpdate(session: Session): Promise<boolean> {
  return session.recorder.once('recording as member', async () => {
    const headers = await session.signIn.authorization('member').catch(() => undefined);
    return headers !== undefined && isSuccess(await session.recording.update({ summary: SUMMARY }, headers));
  });
}

/**
 * Throws the set-up error where the target says that it has no such recording or tenant as the target file names. Does
 * nothing where it has, or where its 404 may as well mean that the operation is not there, which is the target's own fault.
 */
export async function assertKnownResource(name: keyof typeof RESOURCES, session: Session): Promise<void> {
  const { thing, ask, askMadeUp, askNowhere } = RESOURCES[name];
  const answer = await ask(session);
  if (![403, 404].includes(answer.response.status)) return;
  if (name === 'recordingId' && (await mayMemberUpdate(session))) {
    throw setUpError(
      `resources.recordingId: actors.admin is refused the recording with ${answer.response.status}, and actors.member may update it. Name a recording that admin may update, or swap the actors.`,
      describe(answer),
    );
  }
  if (answer.response.status !== 404) return;
  const isUnknown = await session.recorder.once(`unknown ${name}`, async () =>
    saysNoSuchThing(answer, await askMadeUp(session), await askNowhere(session)),
  );
  if (!isUnknown) return;
  throw setUpError(
    `resources.${name}: the target has no ${thing} ${session.resource(name)}. It answers 404 as to a made-up id, and in another way to unknown paths.`,
    describe(answer),
  );
}
