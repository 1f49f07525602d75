import { TransportError } from '../errors.ts';
import { blocked, CheckFailure } from '../failure.ts';
import {
  apiKeysPath,
  OPERATIONS,
  type Operation,
  type OperationId,
  pathFor,
  recordingPath,
} from '../session/operations.ts';
import { WRITABLE_FIELDS } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { isPatForm } from '../session/token-forms.ts';
import { type Answer, describe } from '../wire/exchange.ts';
import { isObject, parseJson } from '../wire/json.ts';
import { relativeTo } from '../wire/url.ts';
import { holds } from './field-rules.ts';
import type { CheckedOperation } from './operations.ts';

type Sent = Answer['request'];

const FILTERS = ['provider', 'status'];

/** Whether the body is what the target file gives for an actor to sign in with. */
function isOfActor(session: Session, request: Sent, way: 'sso' | 'login'): boolean {
  const bodies = [session.credentials('admin')[way], session.credentials('member')[way]];
  return bodies.some((body) => body !== undefined && JSON.stringify(body) === request.body);
}

/** Whether the body is an update as 4.2 shows it: writable fields of their formats, one at least. */
export function isUpdate({ body }: Pick<Sent, 'body'>): boolean {
  const sent = parseJson(body ?? '');
  if (!isObject(sent) || Object.keys(sent).length === 0) return false;
  return Object.entries(sent).every(([field, value]) => {
    const format = WRITABLE_FIELDS[field];
    return format !== undefined && holds(format, value);
  });
}

function isNamedRecording({ target }: Session, path: string): boolean {
  const { recordingId, otherRecordingId } = target.resources ?? {};
  return [recordingId, otherRecordingId].some((id) => id !== undefined && path === recordingPath(id));
}

function isList(session: Session, path: string): boolean {
  const [before, query = ''] = path.split('?');
  const { tenantId, otherTenantId } = session.target.resources ?? {};
  const isKnown = [tenantId, otherTenantId].some((id) => id !== undefined && before === apiKeysPath(id));
  return isKnown && [...new URLSearchParams(query).keys()].every((name) => FILTERS.includes(name));
}

/**
 * The successes of the run so far that answered a documented request of an operation. What answers any other request,
 * such as an update of nothing or a list of an unknown tenant, is not shown, not even where it succeeds.
 */
export async function successesOf(operation: OperationId, session: Session): Promise<Answer[]> {
  const scopesPath = operation === 'scopes' ? await session.scopes.path() : '';
  const { method, ...asked }: Operation = OPERATIONS[operation];
  const isAt = (path: string): boolean => path === pathFor(asked, session.target.resources);
  // Where the path does not say it all.
  const isOf: { readonly [Id in OperationId]?: (request: Sent, path: string) => boolean } = {
    sso: (request, path) => isAt(path) && isOfActor(session, request, 'sso'),
    login: (request, path) => isAt(path) && isOfActor(session, request, 'login'),
    recording: (request, path) => isNamedRecording(session, path) && isUpdate(request),
    'api-keys': (_request, path) => isList(session, path),
    scopes: (_request, path) => path === scopesPath,
  };
  const isDocumented = isOf[operation] ?? ((_request, path) => isAt(path));
  const { baseUrl } = session.target;
  return session.successes.filter(
    ({ request }) => request.method === method && isDocumented(request, relativeTo(baseUrl, request.url)),
  );
}

/**
 * Every success of the run that answered a documented request of the operation, in the order in which they came. Sends
 * what a run that is limited to a few checks lacks; blocked where nothing ever succeeded.
 */
export async function answersOf(asked: CheckedOperation, session: Session): Promise<Answer[]> {
  const answer = await asked.send(session);
  // Whether those succeed is for other checks to judge.
  await asked.sendMore?.(session).catch((error: unknown) => {
    if (!(error instanceof CheckFailure || error instanceof TransportError)) throw error;
  });
  const answers = await successesOf(asked.id, session);
  if (answers.length === 0) throw blocked(asked.by, `${asked.name} answered ${describe(answer)}`);
  return answers;
}

/** An operation with what was sent, without the values, and by whom: `PATCH /v1/… (title) with a PAT`. */
export function describeRequest(asked: CheckedOperation, answer: Answer, session: Session): string {
  const isMember = session.signIn.actorOf(answer.request.headers.Authorization ?? '') === 'member';
  return `${describeSent(asked, answer)}${isMember ? ' as member' : ''}`;
}

/** The same where nobody knows who the caller is. */
export function describeSent({ name }: Pick<CheckedOperation, 'name'>, { request }: Answer): string {
  const { url, body, headers } = request;
  const json = parseJson(body ?? '');
  const names = [...new URL(url).searchParams.keys(), ...(isObject(json) ? Object.keys(json) : [])];
  const { Authorization = '' } = headers;
  const isPat = isPatForm(Authorization.replace(/^Bearer /, ''));
  return [name, ...(names.length > 0 ? [`(${names.join(', ')})`] : []), ...(isPat ? ['with a PAT'] : [])].join(' ');
}
