import { blocked } from '../failure.ts';
import { GARBAGE_TOKENS } from '../session/token-forms.ts';
import { describe, isSuccess } from '../wire/exchange.ts';
import { notSuccessful } from './answers.ts';
import { assertNothingWritten, bearer, REFUSED_TITLE, refusalChecks } from './auth-refusals.ts';
import type { Check } from './check.ts';
import { PROTECTED, PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';
import { acceptedControl, answerTo } from './protected-operations.ts';
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
      for (const { by, what, headers } of [
        { by: 'auth-no-credentials-recording', what: 'no Authorization header', headers: {} },
        { by: 'auth-garbage-recording', ...bearer('a made-up token', GARBAGE_TOKENS[0]) },
      ]) {
        const refused = await recording.withHeaders(session, headers, REFUSED_TITLE);
        if (isSuccess(refused)) throw blocked(by, `An update with ${what} was not refused`);
        await assertNothingWritten(session, [refused], [what]);
      }
      // What is invalid is not documented. Where the target refuses one of these, it must not have written the title.
      for (const invalid of [
        { summary: { not: 'text' } },
        { analysis: 'not an object' },
        { kb_folder_id: ['not text'] },
        { status: 'no such status' },
      ]) {
        const answer = await session.recording.update({ title: REFUSED_TITLE, ...invalid });
        if (!isSuccess(answer)) await assertNothingWritten(session, [answer], [JSON.stringify(invalid)]);
        else await session.recording.restoreTitle();
      }
    },
  },
];
