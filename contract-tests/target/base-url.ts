import { isSuccess } from '../checks/answers.ts';
import { isObject, parseJson } from '../checks/formats.ts';
import { TransportError, UsageError } from '../errors.ts';
import { Client } from './client.ts';
import { SELF_DESCRIPTION } from './discover.ts';
import { apiKeysPath, LOGIN_PATH, SSO_PATH } from './paths.ts';
import type { Answer, ClientRequest } from './request.ts';
import type { Target } from './target-file.ts';
import { withoutUserInfo } from './user-info.ts';

/**
 * Throws UsageError where the base URL ends in the `/v1` with which all documented paths start (9), and the API is where
 * that is left out: nothing could be judged there. One that is right for all that is left alone; others cost no request.
 */
export async function assertVersionNotInBase(target: Target): Promise<void> {
  const root = target.baseUrl.replace(/\/v1\/*$/, '');
  if (root === target.baseUrl) return;
  const { request, isAnswered } = tellingRequest(target);
  if (isAnswered(await ask(target, request)) || !isAnswered(await ask({ ...target, baseUrl: root }, request))) return;
  const [is, shouldBe] = [target.baseUrl, root].map(withoutUserInfo);
  throw new UsageError(
    `baseUrl ${is}: all paths of the API start with /v1 themselves, and ${request.method} ${request.path} succeeds below ${shouldBe}. Leave /v1 out: ${shouldBe}`,
  );
}

interface Telling {
  request: ClientRequest;
  isAnswered(answer: Answer | undefined): boolean;
}

/** A request that succeeds only where the API is, with what the target file gives for admin. */
function tellingRequest({ actors, resources }: Target): Telling {
  const { sso, login, accessToken, pat } = actors?.admin ?? {};
  const isAnswered = (answer: Answer | undefined): boolean => answer !== undefined && isSuccess(answer);
  if (sso) return { request: { method: 'POST', path: SSO_PATH, json: sso }, isAnswered };
  if (login) return { request: { method: 'POST', path: LOGIN_PATH, json: login }, isAnswered };
  const token = accessToken ?? pat;
  if (token && resources?.tenantId) {
    const headers = { Authorization: `Bearer ${token}` };
    return { request: { method: 'GET', path: apiKeysPath(resources.tenantId), headers }, isAnswered };
  }
  // Without any of them a mock is meant, which describes itself.
  return {
    request: { method: 'GET', path: SELF_DESCRIPTION },
    isAnswered: (answer) => isAnswered(answer) && isObject(parseJson(answer?.response.body ?? '')),
  };
}

async function ask(target: Target, request: ClientRequest): Promise<Answer | undefined> {
  const signInPaths = new Set([SSO_PATH, LOGIN_PATH]);
  const policy = {
    allowWrites: false,
    recordingPaths: new Set<string>(),
    signInPaths,
    refreshPaths: new Set<string>(),
  };
  const client = new Client(target, policy, () => {});
  try {
    return await client.send(request);
  } catch (error) {
    if (error instanceof TransportError) return undefined; // whether anybody answers is for the run to tell
    throw error;
  } finally {
    client.close();
  }
}
