/** What may be written to without being asked for it: a mock that says that it is one, and that has no service behind it. */
import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { startMock } from '../../src/index.ts';
import { targetAt } from '../../src/score/run.ts';
import { namedActors } from '../api/named-actors.ts';
import type { Target } from '../session/target-file.ts';
import { passOn, withServer } from '../testing/fixtures.ts';
import { type VerifyOptions, verifyAt } from '../testing/judge.ts';
import { canonical, objectOf, parseJson } from '../values/json.ts';
import { planOf, renderPlan } from './plan.ts';
import { readRunInput } from './run-input.ts';

interface Row {
  at: 'mock' | 'backend' | 'mock before a backend';
  given?: VerifyOptions;
  writes?: 'never';
  /** What `/_mock/info` answers instead: type and body. */
  info?: readonly [type: string, body: string];
  said?: RegExp;
}

const unasked = /: only a mock is written to unasked; add --allow-writes\.$/;
const named = '{"name":"platform-mock","upstream":{}}';
const old = '{"name":"platform-mock","version":"0.1.0","upstream":{"allowsWrites":false}}';
/** What an update, a PAT and the sign-in of somebody unknown show: enough where another row runs all with the same permission. */
const brief: VerifyOptions = { only: ['REC-01', 'AUT-09', 'SSO-16'] };
const allowedBriefly = { ...brief, allowWrites: true };

test.each<Row>([
  { at: 'mock' },
  { at: 'mock', given: { allowWrites: false }, said: /: --no-allow-writes forbids them\.$/ },
  { at: 'mock', given: allowedBriefly, writes: 'never', said: /: the target file says "writes: never"\.$/ },
  { at: 'backend', said: unasked },
  { at: 'backend', given: allowedBriefly },
  { at: 'backend', given: brief, info: ['text/html', `<p>${named}</p>`], said: unasked },
  { at: 'backend', given: brief, info: ['application/json', named], said: unasked },
  { at: 'backend', given: brief, info: ['application/json', old], said: unasked },
  { at: 'mock before a backend', said: unasked },
])('a $at, with $given $writes $info, is written to, or the report says why not: $said', async (row) => {
  const { at, given, writes, info, said } = row;
  await using backend = await startSecondImplementation();
  const upstream = { upstream: backend.target.baseUrl, only: ['/*'] };
  await using mock = await startMock({ log: () => {}, ...(at === 'mock before a backend' && { upstream }) });
  const target: Target = structuredClone(at === 'mock' ? targetAt(mock) : backend.target);
  const actors = Object.values(namedActors(target.actors)).map((actor) => canonical(actor?.sso));
  const written: string[] = [];
  const between: RequestListener = async (request, response) => {
    const { method = '', url = '' } = request;
    if (info && url === '/_mock/info') return response.setHeader('content-type', info[0]).end(info[1]);
    passOn(request, response, at === 'backend' ? backend.target.baseUrl : mock.baseUrl);
    const sent = objectOf(parseJson(await text(request)));
    const isOfOther = url === '/v1/auth/sso' && Object.keys(sent).length > 0 && !actors.includes(canonical(sent));
    if (method === 'PATCH' || url === '/v1/api-tokens' || isOfOther) written.push(`${method} ${url}`);
  };
  const report = await withServer(between, (baseUrl) =>
    verifyAt({ ...target, baseUrl, writes }, { allowWrites: undefined, ...given }),
  );
  expect(report).toMatchObject({ exitCode: said ? 4 : 0, summary: { text: expect.stringMatching(said ?? /./) } });
  expect([...new Set(written)].toSorted().slice(-2)).toEqual(said ? [] : ['POST /v1/api-tokens', 'POST /v1/auth/sso']);
});

test('the plan marks the checks that writes alone would show, and counts those that the run reports', async () => {
  await using mock = await startMock({ log: () => {} });
  const input = { baseUrl: mock.baseUrl, allowWrites: false };
  const plan = await planOf(readRunInput(input));
  const { checks } = await verifyAt(targetAt(mock), { allowWrites: false });
  expect(plan.checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  const writing = plan.checks.filter(({ writes }) => writes.length > 0).map(({ id }) => id);
  const unshown = checks.filter(({ message }) => /^it writes|no reads\.recording$/.test(message)).map(({ id }) => id);
  expect(writing).toEqual(unshown);
  expect(renderPlan(plan)).toMatch(/^127 checks at .*\n {2}w recording-title .*\n {4}keys-of-the-tenant /s);
  expect(renderPlan(await planOf(readRunInput({ ...input, quick: true })))).toMatch(/^up to 127 checks at /);
});
