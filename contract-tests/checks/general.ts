import { blocked, violation } from '../failure.ts';
import { describe, isSuccess } from '../wire/exchange.ts';
import { assertJson } from './answers.ts';
import type { Check } from './check.ts';
import { CHECKED_OPERATIONS, type CheckedOperation } from './operations.ts';
import { answersOf, describeRequest } from './run-answers.ts';
import { assertKnownResource, WRITES_TO_MADE_UP } from './unknown-resources.ts';

/** Whether a documented path is where the document says. */
function pathCheck({ id, path, needs, resource, by, writes, send }: CheckedOperation): Check {
  return {
    id: `path-${id}`,
    requirements: ['GEN-03'],
    title: `${path} is there, relative to the base URL`,
    needs,
    ...(writes ? { writes: ['PATCH of the disposable recording: summary', WRITES_TO_MADE_UP] } : {}),
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
const jsonCheck = (asked: CheckedOperation): Check => ({
  ...asked.json,
  requirements: ['GEN-01'],
  needs: asked.needs,
  ...(asked.writes ? { writes: asked.writes } : {}),
  async run(session) {
    for (const answer of await answersOf(asked, session)) assertJson(answer, describeRequest(asked, answer, session));
  },
});

const operations: readonly CheckedOperation[] = Object.values(CHECKED_OPERATIONS);

export const generalChecks: Check[] = [
  // Those of part 5 are judged by what they answer.
  ...operations.filter(({ section, path }) => section.startsWith('4.') && path !== undefined).map(pathCheck),
  ...operations.map(jsonCheck),
];
