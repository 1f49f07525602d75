import { TransportError } from '../errors.ts';
import { blocked, CheckFailure, violation } from '../failure.ts';
import { LOGIN_PATH, SSO_PATH } from '../target/paths.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { assertJson, describe, isSuccess } from './answers.ts';
import type { Check } from './check.ts';
import { type Operation, successesOf } from './documented-requests.ts';
import { isObject, parseJson } from './formats.ts';
import { filteredLists } from './key-lists.ts';
import { answersToEachField } from './recordings.ts';
import { registerChecks } from './register.ts';
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
const OPERATIONS: {
  id: string;
  operation: Operation;
  title: string;
  subject: string;
  needs: Check['needs'];
  writes?: string[];
  /** The check that judges whether it succeeds at all. */
  by: string;
  send(session: Session): Promise<Answer>;
  /** Sends what else the document shows, so that it is judged whatever the run asked before. */
  sendMore?(session: Session): Promise<unknown>;
}[] = [
  {
    id: 'sso-json',
    operation: 'sso',
    title: 'the SSO answer is JSON',
    subject: `POST ${SSO_PATH}`,
    needs: ['actors.admin.sso'],
    by: 'sso-claims-accepted',
    send: async (session) => (await session.signIn.sso('admin')).answer,
    sendMore: async (session) => session.credentials('member').sso && session.signIn.sso('member'),
  },
  {
    id: 'recording-json',
    operation: 'recording',
    title: 'the update answers JSON',
    subject: 'PATCH /v1/echo/recordings/{recordingId}',
    needs: ['actors.admin', 'resources.recordingId'],
    writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
    by: 'recording-update-summary',
    send: (session) => session.recording.original(),
    sendMore: answersToEachField,
  },
  {
    id: 'keys-json',
    operation: 'api-keys',
    title: 'the list of API keys is JSON',
    subject: 'GET /v1/admin/tenants/{id}/api-keys',
    needs: ['actors.admin', 'resources.tenantId'],
    by: 'keys-list',
    send: (session) => session.apiKeys.all(),
    sendMore: filteredLists,
  },
  {
    id: 'scopes-json',
    operation: 'scopes',
    title: 'the scopes answer is JSON',
    subject: 'GET of the token scopes',
    needs: ['actors.admin'],
    by: 'scopes-answered',
    send: (session) => session.scopes.of('admin'),
    sendMore: async (session) => Object.keys(session.credentials('member')).length > 0 && session.scopes.of('member'),
  },
  {
    id: 'login-json',
    operation: 'login',
    title: 'the answer of POST /v1/auth/login is JSON',
    subject: `POST ${LOGIN_PATH}`,
    needs: ['actors.admin.login'],
    by: 'login-jwt',
    send: (session) => session.signIn.login('admin'),
  },
  {
    id: 'pat-json',
    operation: 'pat',
    title: 'the answer of POST /v1/api-tokens is JSON',
    subject: 'POST /v1/api-tokens',
    needs: ['actors.admin'],
    writes: ['POST /v1/api-tokens, once a run'],
    by: 'pat-created',
    send: (session) => session.pats.created('admin'),
  },
];

/** What was asked, beside the operation: fields and filters, without their values. */
function variant({ url, body }: Answer['request']): string {
  const json = parseJson(body ?? '');
  const names = [...new URL(url).searchParams.keys(), ...(isObject(json) ? Object.keys(json) : [])];
  return names.length > 0 ? ` (${names.join(', ')})` : '';
}

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
          );
        }
        throw blocked(
          id === 'sso' ? 'sso-claims-accepted' : id === 'recording' ? 'recording-update-summary' : 'keys-list',
          `${path} answered ${answer.response.status}`,
        );
      },
    }),
  ),
  ...OPERATIONS.map(
    ({ id, operation, title, subject, needs, writes, by, send, sendMore }): Check => ({
      id,
      requirements: ['GEN-01'],
      title,
      needs,
      ...(writes ? { writes } : {}),
      async run(session) {
        const answer = await send(session);
        if (!isSuccess(answer)) throw blocked(by, `${subject} answered ${describe(answer)}`);
        assertJson(answer, subject);
        // Whether those succeed is for other checks to judge.
        await sendMore?.(session).catch((error: unknown) => {
          if (!(error instanceof CheckFailure || error instanceof TransportError)) throw error;
        });
        for (const success of await successesOf(operation, session)) {
          try {
            assertJson(success, `${subject}${variant(success.request)}`);
          } catch (error) {
            session.recorder.record(success);
            throw error;
          }
        }
      },
    }),
  ),
];

await registerChecks('general', generalChecks);
