import { apiKeysPath, LOGIN_PATH, SSO_PATH } from '../api/operations.ts';
import { ifAnswered, UsageError } from '../errors.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { isObject, parseJson } from '../values/json.ts';
import { withoutUserInfo } from '../values/url.ts';
import { Client } from '../wire/client.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { Pace } from '../wire/pace.ts';
import { readOnly, SIGN_INS } from '../wire/write-guard.ts';
import { SELF_DESCRIPTION } from './discover.ts';
import type { Target } from './target-file.ts';

/** Throws UsageError where the base URL ends in the `/v1` of all documented paths (9), and the API answers only without it. */
export async function assertVersionNotInBase(target: Target, pace?: Pace): Promise<void> {
  const root = target.baseUrl.replace(/\/v1\/*$/, '');
  if (root === target.baseUrl) return;
  const { request, isAnswered } = tellingRequest(target);
  if (
    isAnswered(await ask(target, request, pace)) ||
    !isAnswered(await ask({ ...target, baseUrl: root }, request, pace))
  )
    return;
  const [is, shouldBe] = [target.baseUrl, root].map(withoutUserInfo);
  throw new UsageError(
    `baseUrl ${is}: all paths of the API start with /v1 themselves, and ${request.method} ${request.path} succeeds below ${shouldBe}. Leave /v1 out: ${shouldBe}`,
  );
}

/** A request that succeeds only where the API is, with what the target file gives for admin. */
function tellingRequest({ actors, resources }: Target): {
  request: ClientRequest;
  isAnswered(answer: Answer | undefined): boolean;
} {
  const { sso, login, accessToken, pat } = actors?.admin ?? {};
  const isAnswered = (answer: Answer | undefined): boolean => answer !== undefined && isSuccess(answer);
  if (sso) return { request: { method: 'POST', path: SSO_PATH, json: sso }, isAnswered };
  if (login) return { request: { method: 'POST', path: LOGIN_PATH, json: login }, isAnswered };
  const token = accessToken ?? pat;
  if (token && resources?.tenantId) {
    const headers = { Authorization: `Bearer ${token}` };
    return { request: { method: 'GET', path: apiKeysPath(resources.tenantId), headers }, isAnswered };
  }
  // Without credentials the target can only be a mock, which describes itself.
  return {
    request: { method: 'GET', path: SELF_DESCRIPTION },
    isAnswered: (answer) => isAnswered(answer) && isObject(parseJson(answer?.response.body ?? '')),
  };
}

async function ask(target: Target, request: ClientRequest, pace?: Pace): Promise<Answer | undefined> {
  const client = new Client(target, readOnly(...SIGN_INS), () => {}, pace);
  // The run itself reports whether the target answers.
  return ifAnswered(client.send(request)).finally(() => client.close());
}
