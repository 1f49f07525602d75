import { blocked, violation } from '../failure.ts';
import { SSO_PATH } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { describe, isSuccess } from '../wire/answers.ts';
import type { Answer } from '../wire/request.ts';
import { ANSWERED_OPERATIONS, type AnsweredOperation, answersOf, describeRequest } from './answered-operations.ts';
import { assertJson } from './answers.ts';
import type { Check } from './check.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

/** The documented paths, and what shows that they are where the document says. */
const DOCUMENTED: {
  id: string;
  path: string;
  needs: Check['needs'];
  writes?: string[];
  /** The field of the target file that its path names. */
  resource?: 'recordingId' | 'tenantId';
  send(session: Session): Promise<Answer>;
}[] = [
  {
    id: 'sso',
    path: SSO_PATH,
    needs: ['actors.admin.sso'],
    send: async (session) => (await session.signIn.sso('admin')).answer,
  },
  {
    id: 'api-keys',
    path: '/v1/admin/tenants/{id}/api-keys',
    needs: ['actors.admin', 'resources.tenantId'],
    resource: 'tenantId',
    send: (session) => session.apiKeys.all(),
  },
  {
    id: 'recording',
    path: '/v1/echo/recordings/{recordingId}',
    needs: ['actors.admin', 'resources.recordingId'],
    writes: ['PATCH of the disposable recording: summary', WRITES_TO_MADE_UP],
    resource: 'recordingId',
    send: (session) => session.recording.original(),
  },
];

/** The operations, of each of which every success must be JSON. */
const JSON_CHECKS: { id: string; title: string; asked: AnsweredOperation }[] = [
  { id: 'sso-json', title: 'the SSO answer is JSON', asked: ANSWERED_OPERATIONS.sso },
  { id: 'recording-json', title: 'the update answers JSON', asked: ANSWERED_OPERATIONS.recording },
  { id: 'keys-json', title: 'the list of API keys is JSON', asked: ANSWERED_OPERATIONS['api-keys'] },
  { id: 'scopes-json', title: 'the scopes answer is JSON', asked: ANSWERED_OPERATIONS.scopes },
  { id: 'login-json', title: 'the answer of POST /v1/auth/login is JSON', asked: ANSWERED_OPERATIONS.login },
  { id: 'pat-json', title: 'the answer of POST /v1/api-tokens is JSON', asked: ANSWERED_OPERATIONS.pat },
];

export const generalChecks: Check[] = [
  ...DOCUMENTED.map(
    ({ id, path, needs, writes, resource, send }): Check => ({
      id: `path-${id}`,
      requirements: ['GEN-03'],
      title: `${path} is there, relative to the base URL`,
      needs,
      ...(writes ? { writes } : {}),
      async run(session) {
        const answer = await send(session);
        if (isSuccess(answer)) return;
        if (resource) await assertKnownResource(resource, session);
        if ([404, 405, 501].includes(answer.response.status)) {
          throw violation(
            `${path} is not there: ${answer.request.method} ${answer.request.url} answered ${answer.response.status}. Check baseUrl and resources.`,
            'a success (2xx)',
            describe(answer),
          ).seenIn(answer);
        }
        throw blocked(
          id === 'sso' ? 'sso-claims-accepted' : id === 'recording' ? 'recording-update-summary' : 'keys-list',
          `${path} answered ${answer.response.status}`,
        );
      },
    }),
  ),
  ...JSON_CHECKS.map(
    ({ id, title, asked }): Check => ({
      id,
      requirements: ['GEN-01'],
      title,
      needs: asked.needs,
      ...(asked.writes ? { writes: asked.writes } : {}),
      async run(session) {
        for (const answer of await answersOf(asked, session)) {
          assertJson(answer, describeRequest(asked, answer, session));
        }
      },
    }),
  ),
];
