import { blocked } from '../failure.ts';
import type { Session } from '../session/session.ts';
import { describe, isSuccess } from '../wire/exchange.ts';
import type { JsonObject } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import { assertNothingWritten, refusalChecks, refusalsOf, stillAccepted } from './auth-refusals.ts';
import type { Check } from './check.ts';
import { look } from './looks.ts';
import { PROTECTED, PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';
import { acceptedControl, answerTo } from './protected-operations.ts';
import { INVALID, keptThroughout, sendInvalid } from './titles-kept.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

function acceptsJwt(operation: ProtectedOperation): Check {
  return {
    id: `auth-accepts-jwt-${operation.id}`,
    requirements: ['AUT-01'],
    title: `${operation.name} accepts a JWT access token`,
    needs: operation.needs,
    ...(operation.writes ? { writes: ['PATCH of the disposable recording: summary', WRITES_TO_MADE_UP] } : {}),
    async run(session) {
      const { token, source } = await session.signIn.accessToken('admin');
      const answer = await answerTo(token, operation, session);
      if (isSuccess(answer)) return;
      if (operation.resource) await assertKnownResource(operation.resource, session);
      // What is wrong with the body is not about the token.
      if (operation.id === 'recording' && [400, 409, 422].includes(answer.response.status))
        throw blocked('recording-update-summary', `An update of summary answered ${describe(answer)}`);
      throw notSuccessful(
        answer,
        `${operation.name} with the JWT of ${source}`,
        operation.hint,
        await session.isProven(),
      );
    },
  };
}

/** Throws where the target refuses one of the invalid bodies, and has written its title all the same. */
async function assertInvalidNotWritten(session: Session): Promise<void> {
  let refused: Parameters<typeof assertNothingWritten>[0][number][] = [];
  const judge = async (): Promise<void> => {
    const headers = await session.signIn.authorization('admin');
    const shown = refused.length > 0 ? await look(session) : undefined;
    if (shown) {
      const next = isSuccess(shown) || stillAccepted(session, PROTECTED.recording, headers, refused.length);
      assertNothingWritten(refused, next === true ? shown : await next);
    }
    refused = [];
  };
  const send = async (invalid: JsonObject): Promise<boolean> => {
    const sent = await sendInvalid(session, invalid);
    const isRefused = !isSuccess(sent.answer);
    if (isRefused) refused.push(sent);
    return isRefused;
  };
  const refusedAlready: JsonObject[] = [];
  const alone = (await keptThroughout(session)).isKept ? [] : INVALID;
  for (const invalid of session.isQuick ? INVALID.slice(0, 2) : [...alone, { status: 'no such status' }]) {
    if ('status' in invalid) await judge();
    if (await send(invalid)) {
      refusedAlready.push(invalid);
      continue;
    }
    // One that is accepted covers the title of those before it, which are sent again.
    const covered = refused.length > 0 ? refusedAlready : [];
    refused = [];
    for (const each of covered) {
      await send(each);
      await judge();
    }
  }
  await judge();
}

export const authChecks: Check[] = [
  ...PROTECTED_OPERATIONS.map(acceptsJwt),
  ...refusalChecks,
  {
    id: 'refused-update-changes-nothing',
    requirements: ['AUT-11'],
    title: 'an update that is refused changes nothing',
    needs: ['actors.admin', 'resources.recordingId'],
    writes: [
      'PATCH of the disposable recording: summary; title, in requests that must be refused (put back if one is not)',
    ],
    async run(session) {
      const { recording } = PROTECTED;
      await acceptedControl(recording, session);
      const { sentAt, next } = await refusalsOf(session, recording);
      const bad = ['no-credentials', 'garbage'].flatMap((kind) => sentAt(kind, recording));
      const accepted = bad.find(({ answer }) => isSuccess(answer));
      if (accepted) throw blocked('auth-no-credentials-recording', `An update with ${accepted.what} was not refused`);
      for (const { answer } of bad) session.recorder.record(answer);
      if (next) session.recorder.record(next);
      if (next && isSuccess(next)) assertNothingWritten(bad, next);
      await assertInvalidNotWritten(session);
    },
  },
];
