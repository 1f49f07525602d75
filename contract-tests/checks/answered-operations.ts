import { TransportError } from '../errors.ts';
import { blocked, CheckFailure } from '../failure.ts';
import { LOGIN_PATH, SSO_PATH } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { isPatForm } from '../session/token-forms.ts';
import { describe } from '../wire/answers.ts';
import { isObject, parseJson } from '../wire/json.ts';
import type { Answer } from '../wire/request.ts';
import type { Check } from './check.ts';
import { type Operation, successesOf } from './documented-requests.ts';
import { filteredLists } from './key-lists.ts';
import { answersToEachField } from './recording-updates.ts';

/** An operation whose every answer of the run is judged, and what makes sure that there are any. */
export interface AnsweredOperation {
  operation: Operation;
  /** As messages name it. */
  subject: string;
  needs: Check['needs'];
  writes?: string[];
  /** The check that judges whether it succeeds at all. */
  by: string;
  send(session: Session): Promise<Answer>;
  /** Sends what else the document shows, so that it is judged whatever the run asked before. */
  sendMore?(session: Session): Promise<unknown>;
}

/** The lists that the filters and another caller than admin get; member may well be refused. */
async function moreLists(session: Session): Promise<void> {
  if (Object.keys(session.credentials('member')).length > 0) {
    await session.recorder.once('api keys of member', async () =>
      session.apiKeys.of(session.resource('tenantId'), {}, await session.signIn.authorization('member')),
    );
  }
  await filteredLists(session);
}

/** The documented operations, by what they are called here. */
export const ANSWERED_OPERATIONS = {
  sso: {
    operation: 'sso',
    subject: `POST ${SSO_PATH}`,
    needs: ['actors.admin.sso'],
    by: 'sso-claims-accepted',
    send: async (session) => (await session.signIn.sso('admin')).answer,
    sendMore: async (session) => session.credentials('member').sso && session.signIn.sso('member'),
  },
  recording: {
    operation: 'recording',
    subject: 'PATCH /v1/echo/recordings/{recordingId}',
    needs: ['actors.admin', 'resources.recordingId'],
    writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
    by: 'recording-update-summary',
    send: (session) => session.recording.original(),
    sendMore: answersToEachField,
  },
  'api-keys': {
    operation: 'api-keys',
    subject: 'GET /v1/admin/tenants/{id}/api-keys',
    needs: ['actors.admin', 'resources.tenantId'],
    by: 'keys-list',
    send: (session) => session.apiKeys.all(),
    sendMore: moreLists,
  },
  scopes: {
    operation: 'scopes',
    subject: 'GET of the token scopes',
    needs: ['actors.admin'],
    by: 'scopes-answered',
    send: (session) => session.scopes.of('admin'),
    sendMore: async (session) => Object.keys(session.credentials('member')).length > 0 && session.scopes.of('member'),
  },
  login: {
    operation: 'login',
    subject: `POST ${LOGIN_PATH}`,
    needs: ['actors.admin.login'],
    by: 'login-jwt',
    send: (session) => session.signIn.login('admin'),
  },
  pat: {
    operation: 'pat',
    subject: 'POST /v1/api-tokens',
    needs: ['actors.admin'],
    writes: ['POST /v1/api-tokens, once a run'],
    by: 'pat-created',
    send: (session) => session.pats.created('admin'),
  },
} satisfies Record<Operation, AnsweredOperation>;

/**
 * Every success of the run that answered a documented request of the operation, in the order in which they came. Asks for
 * what a run that is limited to a few checks lacks; blocked where nothing ever succeeded.
 */
export async function answersOf(asked: AnsweredOperation, session: Session): Promise<Answer[]> {
  const answer = await asked.send(session);
  // Whether those succeed is for other checks to judge.
  await asked.sendMore?.(session).catch((error: unknown) => {
    if (!(error instanceof CheckFailure || error instanceof TransportError)) throw error;
  });
  const answers = await successesOf(asked.operation, session);
  if (answers.length === 0) throw blocked(asked.by, `${asked.subject} answered ${describe(answer)}`);
  return answers;
}

/** An operation with what was asked of it, without the values, and by whom: `PATCH /v1/… (title) with a PAT`. */
export function describeRequest({ subject }: AnsweredOperation, { request }: Answer, session: Session): string {
  const { url, body, headers } = request;
  const json = parseJson(body ?? '');
  const names = [...new URL(url).searchParams.keys(), ...(isObject(json) ? Object.keys(json) : [])];
  const { Authorization = '' } = headers;
  const isPat = isPatForm(Authorization.replace(/^Bearer /, ''));
  const isMember = session.signIn.actorOf(Authorization) === 'member';
  const caller = [...(isPat ? ['with a PAT'] : []), ...(isMember ? ['as member'] : [])];
  return [subject, ...(names.length > 0 ? [`(${names.join(', ')})`] : []), ...caller].join(' ');
}
