import { isDeepStrictEqual } from 'node:util';
import { SAMPLE_ID, SSO_PATH } from '../api/operations.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import type { Actor } from '../model.ts';
import { INVALID_ANALYSIS } from '../session/disposable-recording.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject, parseJson } from '../values/json.ts';
import { Undetermined, unexpected } from './probe.ts';

/** A value that no vocabulary has, and every filter accepts as an identifier. */
export const NO_SUCH_VALUE = 'no-such-value-probe';

export function isRefusedAsInvalid(answer: Pick<Answer, 'response'>): boolean {
  return [400, 422].includes(answer.response.status);
}

/** Whether the target accepts a request, or refuses it as invalid; undetermined where it does neither. */
export function isAccepted(what: string, answer: Answer): boolean {
  if (isSuccess(answer)) return true;
  if (isRefusedAsInvalid(answer)) return false;
  throw unexpected(what, answer);
}

/** POST /v1/auth/sso with other claims, or none, than the actors have. */
export function sendClaims(session: Session, json: unknown): Promise<Answer> {
  return session.send({ method: 'POST', path: SSO_PATH, json });
}

/** POST /v1/auth/sso with a body that need not be JSON. */
export function sendText(session: Session, text: string, contentType: string): Promise<Answer> {
  return session.send({ method: 'POST', path: SSO_PATH, raw: { text, contentType } });
}

/** A tenant's API keys as an actor sees them. */
export async function keysAs(
  session: Session,
  actor: Actor,
  tenantId: string,
  query: Record<string, string> = {},
): Promise<Answer> {
  const headers = await session.signIn.authorization(actor);
  return session.apiKeys.of(tenantId, query, headers);
}

/** PATCH, as admin, of a recording with a made-up id. */
export function unknownRecording(session: Session): Promise<Answer> {
  return session.recorder.once('probe: unknown recording', () => session.recording.updateUnknown('admin'));
}

/** PATCH of the disposable recording with analysis as text, and with nothing else that a target could mind. */
export async function invalidUpdate(session: Session, headers?: Record<string, string>): Promise<Answer> {
  const seen = session.recall(({ request, response }) => {
    const { title, ...sent } = asObject(parseJson(request.body ?? ''));
    const { Authorization } = request.headers;
    const isSame = headers
      ? Authorization === headers.Authorization
      : session.signIn.actorOf(Authorization ?? '') === 'admin' && isRefusedAsInvalid({ response });
    return isSame && request.method === 'PATCH' && isDeepStrictEqual(sent, INVALID_ANALYSIS);
  });
  return seen ?? session.recording.update(INVALID_ANALYSIS, headers);
}

export const asObject = (json: unknown): JsonObject => (isObject(json) ? json : {});

/** The list of the target's own tenant as the administrator sees it. */
export async function listedKeys(session: Session): Promise<JsonObject[]> {
  const answer = await session.apiKeys.all();
  const json = jsonOf(answer);
  if (!isSuccess(answer) || !Array.isArray(json)) throw unexpected('The list of API keys', answer);
  return json.filter(isObject);
}

/** The answer's list, where it is one. */
export function listOf(what: string, answer: Answer): unknown[] {
  const json = jsonOf(answer);
  if (!Array.isArray(json)) throw unexpected(what, answer);
  return json;
}

/** The member at the administration area; its credentials are good, since they are accepted elsewhere. */
export async function memberAtAdminArea(session: Session): Promise<Answer> {
  return session.recorder.once('probe: member at the admin area', async () => {
    await listedKeys(session);
    const answer = await keysAs(session, 'member', session.resource('tenantId'));
    if (!isSuccess(answer) && !(await isMemberAccepted(session))) {
      throw new Undetermined('the credentials of member are refused elsewhere too, so the refusal may be due to them');
    }
    return answer;
  });
}

async function isMemberAccepted(session: Session): Promise<boolean> {
  const { source } = await session.signIn.bearer('member');
  // A token that the target itself gave in this run.
  if (source.startsWith('POST ')) return true;
  return isSuccess(await session.scopes.of('member'));
}

/** The status of a bearer token that means nothing, at the API keys. */
export async function badCredentialsStatus(session: Session): Promise<number> {
  const headers = { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` };
  const { tenantId = SAMPLE_ID } = session.target.resources ?? {};
  const answer = await session.recorder.once('probe: bad credentials', () => session.apiKeys.of(tenantId, {}, headers));
  return answer.response.status;
}

/** The status of "not permitted", as the administration area shows it; undefined where no actor is refused there. */
export async function forbiddenStatus(session: Session): Promise<number | undefined> {
  try {
    const answer = await memberAtAdminArea(session);
    return isSuccess(answer) ? undefined : answer.response.status;
  } catch {
    return undefined; // the gap forbidden-status says why
  }
}
