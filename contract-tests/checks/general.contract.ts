import { blocked, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import { type Session, SSO_PATH } from '../target/session.ts';
import { assertJson, describe, isSuccess } from './answers.ts';
import type { Check } from './check.ts';
import { registerChecks } from './register.ts';

/** The documented paths, and what shows that they are where the document says. */
const DOCUMENTED: {
  id: string;
  path: string;
  needs: Check['needs'];
  writes?: string[];
  send(session: Session): Promise<Answer>;
}[] = [
  {
    id: 'sso',
    path: SSO_PATH,
    needs: ['actors.admin.sso'],
    send: async (session) => (await session.sso('admin')).answer,
  },
  {
    id: 'api-keys',
    path: '/v1/admin/tenants/{id}/api-keys',
    needs: ['actors.admin', 'resources.tenantId'],
    send: (session) => session.allApiKeys(),
  },
  {
    id: 'recording',
    path: '/v1/echo/recordings/{recordingId}',
    needs: ['actors.admin', 'resources.recordingId'],
    writes: ['PATCH of the disposable recording: summary'],
    send: (session) => session.originalRecording(),
  },
];

export const generalChecks: Check[] = [
  ...DOCUMENTED.map(
    ({ id, path, needs, writes, send }): Check => ({
      id: `path-${id}`,
      requirements: ['GEN-03'],
      title: `${path} is there, relative to the base URL`,
      needs,
      ...(writes ? { writes } : {}),
      async run(session) {
        const answer = await send(session);
        if (isSuccess(answer)) return;
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
  {
    id: 'login-json',
    requirements: ['GEN-01'],
    title: 'the answer of POST /v1/auth/login is JSON',
    needs: ['actors.admin.login'],
    async run(session) {
      const answer = await session.login('admin');
      if (!isSuccess(answer)) throw blocked('login-jwt', `POST /v1/auth/login answered ${answer.response.status}`);
      assertJson(answer, 'POST /v1/auth/login');
    },
  },
  {
    id: 'pat-json',
    requirements: ['GEN-01'],
    title: 'the answer of POST /v1/api-tokens is JSON',
    needs: ['actors.admin'],
    writes: ['POST /v1/api-tokens, once a run'],
    async run(session) {
      const answer = await session.createdPat('admin');
      if (!isSuccess(answer)) throw blocked('pat-created', `POST /v1/api-tokens answered ${answer.response.status}`);
      assertJson(answer, 'POST /v1/api-tokens');
    },
  },
];

await registerChecks('general', generalChecks);
