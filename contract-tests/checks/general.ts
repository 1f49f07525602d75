import { blocked, violation } from '../failure.ts';
import { describe, isSuccess } from '../wire/exchange.ts';
import { assertJson } from './answers.ts';
import type { Check } from './check.ts';
import { CHECKED_OPERATIONS, type CheckedOperation } from './operations.ts';
import { answersOf, describeRequest } from './run-answers.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

const { sso, recording, 'api-keys': apiKeys, scopes, login, pat } = CHECKED_OPERATIONS;

/** Whether a documented path is where the document says. */
function pathCheck({ id, path, needs, resource, by, send }: CheckedOperation, writes?: string[]): Check {
  return {
    id: `path-${id}`,
    requirements: ['GEN-03'],
    title: `${path} is there, relative to the base URL`,
    needs,
    ...(writes ? { writes } : {}),
    async run(session) {
      const answer = await send(session);
      if (isSuccess(answer)) return;
      if (resource) await assertKnownResource(resource, session);
      const { status } = answer.response;
      if (![404, 405, 501].includes(status)) throw blocked(by, `${path} answered ${status}`);
      throw violation(
        `${path} is not there: ${answer.request.method} ${answer.request.url} answered ${status}. Check baseUrl and resources.`,
        'a success (2xx)',
        describe(answer),
      ).seenIn(answer);
    },
  };
}

/** Whether every success of an operation is JSON. */
const jsonCheck = (id: string, title: string, asked: CheckedOperation): Check => ({
  id,
  requirements: ['GEN-01'],
  title,
  needs: asked.needs,
  ...(asked.writes ? { writes: asked.writes } : {}),
  async run(session) {
    for (const answer of await answersOf(asked, session)) assertJson(answer, describeRequest(asked, answer, session));
  },
});

export const generalChecks: Check[] = [
  pathCheck(sso),
  pathCheck(apiKeys),
  pathCheck(recording, ['PATCH of the disposable recording: summary', WRITES_TO_MADE_UP]),
  jsonCheck('sso-json', 'the SSO answer is JSON', sso),
  jsonCheck('recording-json', 'the update answers JSON', recording),
  jsonCheck('keys-json', 'the list of API keys is JSON', apiKeys),
  jsonCheck('scopes-json', 'the scopes answer is JSON', scopes),
  jsonCheck('login-json', `the answer of ${login.name} is JSON`, login),
  jsonCheck('pat-json', `the answer of ${pat.name} is JSON`, pat),
];
