import type { Actor } from '../model.ts';
import { apiKeysPath, OPERATIONS, type Operation, type OperationId, recordingPath } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import type { Answer, ClientRequest } from '../wire/exchange.ts';
import { filteredLists } from './key-lists.ts';
import { answersToEachField } from './recording-sets.ts';
import { SUMMARY } from './recording-updates.ts';

/** An operation as the checks use it. */
export interface CheckedOperation extends Operation {
  id: OperationId;
  /** The check that judges whether it succeeds at all. */
  by: string;
  /** The check that judges whether its answers are JSON. */
  json: { id: string; title: string };
  /** What to look at where it does not succeed. */
  hint: string;
  /** What sending its documented requests writes. */
  writes?: string[];
  /** Sends it as admin. */
  send(session: Session): Promise<Answer>;
  /** Sends what else the document shows, so that it is judged whatever the run asked before. */
  sendMore?(session: Session): Promise<unknown>;
}

const isGiven = (session: Session, actor: Actor): boolean => Object.keys(session.credentials(actor)).length > 0;

/** The lists that the filters and another caller than admin get; member may well be refused. */
async function moreLists(session: Session): Promise<void> {
  if (isGiven(session, 'member')) {
    await session.recorder.once('api keys of member', async () =>
      session.apiKeys.of(session.resource('tenantId'), {}, await session.signIn.authorization('member')),
    );
  }
  await filteredLists(session);
}

export const CHECKED_OPERATIONS = {
  sso: {
    ...OPERATIONS.sso,
    id: 'sso',
    by: 'sso-claims-accepted',
    json: { id: 'sso-json', title: 'the SSO answer is JSON' },
    hint: 'Check that actors.admin.sso names an identity that the target knows.',
    send: async (session) => (await session.signIn.sso('admin')).answer,
    sendMore: async (session) => session.credentials('member').sso && session.signIn.sso('member'),
  },
  recording: {
    ...OPERATIONS.recording,
    id: 'recording',
    by: 'recording-update-summary',
    json: { id: 'recording-json', title: 'the update answers JSON' },
    hint: 'Check that resources.recordingId is a recording that actors.admin may update.',
    writes: ['PATCH of the disposable recording: each writable field (title put back afterwards)'],
    send: (session) => session.recording.original(),
    sendMore: answersToEachField,
  },
  'api-keys': {
    ...OPERATIONS['api-keys'],
    id: 'api-keys',
    by: 'keys-list',
    json: { id: 'keys-json', title: 'the list of API keys is JSON' },
    hint: 'Check that resources.tenantId is a tenant whose API keys actors.admin may list.',
    send: (session) => session.apiKeys.all(),
    sendMore: moreLists,
  },
  scopes: {
    ...OPERATIONS.scopes,
    id: 'scopes',
    by: 'scopes-answered',
    json: { id: 'scopes-json', title: 'the scopes answer is JSON' },
    hint: 'Check answers.scopes-path in the profile.',
    send: (session) => session.scopes.of('admin'),
    sendMore: async (session) => isGiven(session, 'member') && session.scopes.of('member'),
  },
  login: {
    ...OPERATIONS.login,
    id: 'login',
    by: 'login-jwt',
    json: { id: 'login-json', title: `the answer of ${OPERATIONS.login.name} is JSON` },
    hint: 'Its body is not documented: check that actors.admin.login has the fields that the target takes.',
    send: (session) => session.signIn.login('admin'),
  },
  pat: {
    ...OPERATIONS.pat,
    id: 'pat',
    by: 'pat-created',
    json: { id: 'pat-json', title: `the answer of ${OPERATIONS.pat.name} is JSON` },
    hint: 'The path is documented.',
    writes: [`${OPERATIONS.pat.name}, once a run`],
    send: (session) => session.pats.created('admin'),
  },
} satisfies Record<OperationId, CheckedOperation>;

/** An operation that requires a bearer token. */
export interface ProtectedOperation extends CheckedOperation {
  id: 'api-keys' | 'scopes' | 'recording';
  /** Sends the same request with other headers; `title` is what an update would write. */
  withHeaders(session: Session, headers: Record<string, string>, title?: string): Promise<Answer>;
  /** The request with a bearer token, for whoever sends it without the help of the session. */
  request(session: Session, token: string): Promise<ClientRequest>;
}

const bearing = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });

export const PROTECTED = {
  'api-keys': {
    ...CHECKED_OPERATIONS['api-keys'],
    withHeaders: (session, headers) => session.apiKeys.of(session.resource('tenantId'), {}, headers),
    request: async (session, token) => ({
      method: 'GET',
      path: apiKeysPath(session.resource('tenantId')),
      headers: bearing(token),
    }),
  },
  scopes: {
    ...CHECKED_OPERATIONS.scopes,
    withHeaders: (session, headers) => session.scopes.of('admin', headers),
    request: async (session, token) => ({
      method: 'GET',
      path: await session.scopes.path(),
      headers: bearing(token),
    }),
  },
  recording: {
    ...CHECKED_OPERATIONS.recording,
    writes: ['PATCH of the disposable recording: summary; title, with credentials that must be refused'],
    withHeaders: (session, headers, title) =>
      session.recording.update(title === undefined ? { summary: SUMMARY } : { title }, headers),
    request: async (session, token) => ({
      method: 'PATCH',
      path: recordingPath(session.recording.id),
      json: { summary: SUMMARY },
      headers: bearing(token),
    }),
  },
} satisfies Record<ProtectedOperation['id'], ProtectedOperation>;

export const PROTECTED_OPERATIONS: readonly ProtectedOperation[] = Object.values(PROTECTED);
