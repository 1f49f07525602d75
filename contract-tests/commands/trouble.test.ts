/** Trouble on the way is no finding: gateways that fail now and then, outages, pages of a portal. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { targetAt } from '../../src/score/run.ts';
import type { Report } from '../model.ts';
import { runSuite, type SuiteResult } from '../run/run.ts';
import type { SessionConfig } from '../session/connection.ts';
import { jwtOf, passOn, withServer } from '../testing/fixtures.ts';
import { type VerifyOptions, verifyAt } from '../testing/judge.ts';
import { expectInAll } from '../testing/outputs.ts';
import { RENDERERS } from '../testing/report.ts';
import { withoutWaiting } from '../wire/time.ts';

/** A proxy: whether it answers the nth request itself. */
type Between = (n: number, response: ServerResponse, incoming: IncomingMessage) => boolean;

const say = (response: ServerResponse, status: number, body: string, headers = {}): true => {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  return true;
};

/** Runs the suite at a mock behind a gateway of that kind. */
async function behind(between: Between, options: VerifyOptions = {}): Promise<Report> {
  await using mock = await startMock({ log: () => {} });
  let n = 0;
  const gateway: RequestListener = (incoming, response) => {
    n += 1;
    if (between(n, response, incoming)) incoming.resume();
    else passOn(incoming, response, mock.baseUrl);
  };
  return await withServer(gateway, (baseUrl) => {
    const target = targetAt({ world: mock.world, baseUrl });
    const pass = (milliseconds: number): unknown => mock.world.clock.advance(milliseconds);
    return withoutWaiting(pass, () => verifyAt(target, { probe: false, ...options }));
  });
}

/** Where a PAT is made, which is not tried again. */
const ONCE = '/v1/api-tokens';

describe.each<[name: string, between: Between, said: RegExp]>([
  [
    'answers 502',
    (n, response, { url }) => n % 7 === 0 && url !== ONCE && say(response, 502, 'bad gateway'),
    /\d\d of \d+ answers were 502 and were repeated/,
  ],
  [
    'closes the connection',
    (n, response, { url }) => n % 9 === 0 && url !== ONCE && !!response.destroy(),
    /\d\d of \d+ answers were missing and were repeated/,
  ],
  [
    'denies what comes too often, and closes the connection',
    (n, response, { url }) => n % 25 === 5 && url !== ONCE && say(response, 429, 'Slow down', { connection: 'close' }),
    /\d of \d+ answers were 429 and were repeated/,
  ],
])('a gateway that now and then %s', (_name, between, said) => {
  test('violates nothing, and every report says it', async () => {
    const report = await behind(between);
    expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
    for (const render of RENDERERS) expect(render(report)).toMatch(said);
  });

  test('gates with --max-trouble', async () => {
    const report = await behind(between, { maxTrouble: 5 });
    expectInAll(report, 4);
    expect(report.summary.text).toMatch(/--max-trouble allows 5\./);
  });
});

test('what gets no answer, sent again as well, is named, and no run without it is green', async () => {
  const drops: Between = (_n, response, { url = '' }) => /provider=.*&status=/.test(url) && !!response.destroy();
  const report = await behind(drops);
  expectInAll(report, 4);
  expect(report.gates.map(({ cause }) => cause)).toContain('unanswered');
  expect(report.summary.text).toMatch(/\d+ requests that must succeed got no answer: GET \S+provider=/);
});

test('a connection that breaks once, after a limit, is no silence', async () => {
  let n = 0;
  const isOne = (url = ''): boolean => /provider=.*&status=/.test(url) && ++n <= 2;
  const limits: Between = (_n, response, { url }) =>
    isOne(url) && (n === 1 ? say(response, 429, 'Slow down') : !!response.destroy());
  expect(await behind(limits)).toMatchObject({ exitCode: 0, requests: { trouble: { 429: 1, none: 1 } } });
});

test('one lost request leaves the gaps to be observed; a portal answers none of them', async () => {
  const { gaps } = await behind((n, response) => (n === 40 || n === 41) && !!response.destroy(), { probe: true });
  expect(gaps.filter(({ outcome }) => outcome === 'match').length).toBeGreaterThan(30);
  const portal = await behind((_, response) => say(response, 200, '<html>Log in</html>'), { probe: true });
  expect(portal.gaps.map(({ outcome }) => outcome)).not.toContain('differs');
  expect(portal.gaps[0]?.reason).toBe('not probed, since trouble ended the run');
});

test.each<[n: number, how: string, between: (n: number, response: ServerResponse) => boolean]>([
  [80, '503', (_, response) => say(response, 503, 'no healthy upstream')],
  [3, '502', (_, response) => say(response, 502, 'bad gateway')],
  [17, '502', (_, response) => say(response, 502, 'bad gateway')],
  [7, '504 and closed connections', (n, response) => (n % 2 ? say(response, 504, 'late') : !!response.destroy())],
])('an outage after %i requests ends the run soon, and earlier judgements stay: %s', async (from, _how, between) => {
  const report = await behind((n, response) => n > from && between(n, response));
  const { checks, requests } = report;
  expectInAll(report, 4);
  expect(checks.filter(({ outcome }) => outcome === 'violation')).toEqual([]);
  expect(checks.filter(({ outcome }) => outcome === 'error').length).toBeGreaterThan(10);
  expect(checks.find(({ id }) => id === 'sso-access-token')?.outcome).toBe('pass');
  expect(requests?.total).toBeLessThan(from + 40);
});

test('an outage after a violation does not hide it, and one operation that always fails is no outage', async () => {
  const ofTitles = (request: IncomingMessage): boolean => request.method === 'PATCH';
  const { checks, exitCode } = await behind((_, response, request) => ofTitles(request) && say(response, 502, ''));
  expect(exitCode).toBe(1);
  expect(checks.find(({ id }) => id === 'recording-update-summary')?.outcome).toBe('violation');
  expect(checks.find(({ id }) => id === 'keys-list')?.outcome).toBe('pass');
  const before = await behind((n, response, request) => {
    if (n > 60) return say(response, 503, 'no healthy upstream');
    return request.method === 'GET' && /api-keys/.test(request.url ?? '') && say(response, 200, '{}');
  });
  expect(before.exitCode).toBe(1);
  expect(before.requests?.total).toBeLessThan(100);
});

test.each<[what: string, status: number, page: string, headers?: Record<string, string>, said?: string]>([
  ['a portal', 200, '<html>Log in to the wireless network</html>'],
  ['a gateway that reaches nothing', 502, 'Bad gateway'],
  ['a wrong base path', 404, '<title>Not here</title><style>a{}</style><p>Go home'],
  ['a missing client certificate', 400, '<title>400 No required SSL certificate was sent</title>'],
  ['a firewall', 403, 'Request blocked', { 'content-type': 'text/plain' }],
  ['a password prompt', 401, '<h1>401 Authorization Required</h1>', { 'www-authenticate': 'Basic realm="x"' }, 'Basic'],
])('%s for every request is no API that could be judged', async (_name, status, page, headers, said = '') => {
  const report = await behind((_, response) => say(response, status, page, headers));
  expectInAll(report, 3);
  expect(report.summary.pass).toBe(0);
  const words = page.replace(/<title>(.*)<\/title>.*|<\/?\w+>/g, '$1');
  expect(report.summary.text).toMatch(new RegExp(`this API: every answer .* ${status} .*${words}.*${said}`));
  expect(report.summary.text).not.toContain('actors.admin');
});

test('a finding names several instances where their answers alternate', async () => {
  await using other = await startMock({ log: () => {} });
  const report = await behind((n, response, incoming) => n % 3 === 0 && passOn(incoming, response, other.baseUrl));
  expect(violationsOf(report)).not.toEqual([]);
  for (const { message } of violationsOf(report)) expect(message).toMatch(/several instances that share no store/);
});

/** A target whose two recordings admin may update. */
function twoRecordingsAt(mock: Awaited<ReturnType<typeof startMock>>) {
  const target = targetAt(mock);
  const { otherRecordingId = '', ...resources } = target.resources ?? {};
  const { recordings } = mock.world.store;
  const [first, second] = [resources.recordingId ?? '', otherRecordingId].map((id) => recordings.get(id));
  if (!first || !second) throw new Error('The mock has not two recordings.');
  recordings.put({ ...second, user_id: first.user_id });
  const both: SessionConfig = { target, answers: {}, allowWrites: true };
  return { recordings, first, second, both, onlyFirst: { ...both, target: { ...target, resources } } };
}

const violationsOf = ({ checks }: Pick<SuiteResult, 'checks'>) =>
  checks.filter(({ outcome }) => outcome === 'violation');
const messagesOf = ({ checks }: SuiteResult) =>
  checks.flatMap(({ outcome, message }) => (outcome === 'pass' ? [] : [message]));

describe.each(['lists', 'updates', 'overlaps', 'late'])('another run that begins with the %s of this one', (phase) => {
  test.each([2, 1])('at %i of its two recordings is no violation of either', async (count) => {
    await using mock = await startMock({ log: () => {} });
    const { recordings, first, second, both, onlyFirst } = twoRecordingsAt(mock);
    let running: ReturnType<typeof runSuite> | undefined;
    const onBegin = (name: string): void => {
      if (name === phase) running ??= runSuite(count > 1 ? both : onlyFirst);
    };
    const own = await runSuite(both, undefined, { onBegin });
    const other = (await running) ?? own;
    expect([...violationsOf(own), ...violationsOf(other)]).toEqual([]);
    if (count > 1) return;
    for (const { id, title } of [first, second])
      if (recordings.get(id)?.title !== title) expect(other.leftovers.join()).toContain('the title of the recording');
    // Which one sees the other first, if either, depends on who is faster: this one could go on elsewhere, and judges all but
    // what had its turn at the first recording only.
    expect(own.checks.filter(({ outcome }) => !['pass', 'untested'].includes(outcome))).toEqual([]);
  });
});

test.each([6, 12, 18])('another run that puts its texts back at update %i of this one is no violation', async (nth) => {
  await using mock = await startMock({ log: () => {} });
  const { recordings, first, both } = twoRecordingsAt(mock);
  recordings.put({ ...first, title: 'Theirs run 00000002', summary: 'Theirs run 00000002' });
  const put = recordings.put.bind(recordings);
  let n = 0;
  recordings.put = (record) => {
    if (record.id === first.id) n += 1;
    put(record.id === first.id && n === nth ? { ...record, title: first.title, summary: first.summary } : record);
  };
  expect(violationsOf(await runSuite(both))).toEqual([]);
  expect(n).toBeGreaterThan(nth);
});

test.each(['12', 'Theirs run 00000002'])('the title %s may be that of another run', async (title) => {
  await using mock = await startMock({ log: () => {} });
  const { recordings, first, onlyFirst } = twoRecordingsAt(mock);
  recordings.put({ ...first, title });
  const result = await runSuite(onlyFirst);
  const discreet = await runSuite({ ...onlyFirst, withoutBodies: true });
  expect(discreet.leftovers.join()).toMatch(/another run of the suite/);
  expect(discreet.leftovers.join()).not.toContain(title);
  expect(violationsOf(result)).toEqual([]);
  expect(recordings.get(first.id)?.title).toBe(title);
  expect(result.leftovers.join()).toContain(`"${title}", which another run of the suite may have written`);
});

test.each([
  ['says that another run is at the recording', 'onlyFirst'],
  ['sends this one to its second recording, where all is judged', 'both'],
] as const)('a title with the mark of another run %s', async (_what, at) => {
  await using mock = await startMock({ log: () => {} });
  const { recordings, first, [at]: config } = twoRecordingsAt(mock);
  const onBegin = (name: string): void => {
    const recording = recordings.get(first.id);
    if (name === 'late' && recording) recordings.put({ ...recording, title: 'Theirs run 00000002' });
  };
  const result = await runSuite(config, undefined, { onBegin });
  expect(violationsOf(result)).toEqual([]);
  if (at === 'both') {
    expect(messagesOf(result)).toEqual([]);
    expect(result.leftovers.join()).toMatch(/another run .* went on at rec_noise/);
  } else expect(messagesOf(result).join()).toContain('Another run of the suite writes the same recording');
});

test('a redirect of the token scopes is named with its Location', async () => {
  const { checks } = await behind((_, response, { url }) => {
    if (url !== '/v1/api-tokens/scopes') return false;
    response.writeHead(307, { location: `${url}/` }).end();
    return true;
  });
  expect(checks.find(({ id }) => id === 'scopes-answered')?.message).toMatch(
    /\/v1\/api-tokens\/scopes 307 to \/v1\/api-tokens\/scopes\/.*set followRedirects/,
  );
});

const JUST = Math.floor(Date.now() / 1000) - 2;
test.each([1_700_000_000, JUST])('a token that says that it is over, since %i, ends the run at once', async (exp) => {
  const accessToken = jwtOf({ exp });
  const said = `actors.admin.accessToken expired at ${new Date(exp * 1000).toISOString()}: give one that lives for the run`;
  const target = { baseUrl: 'http://127.0.0.1:9', actors: { admin: { accessToken } } };
  await expect(verifyAt(target)).rejects.toThrow(said);
});

test('a restart that forgets all tokens violates nothing, and the report says it', async () => {
  const forgotten = new Set<string>();
  const { checks, summary } = await behind((n, response, { headers: { authorization = '' } }) => {
    if (n < 80) forgotten.add(authorization);
    return n >= 80 && authorization !== '' && forgotten.has(authorization) && say(response, 401, '');
  });
  expect(checks.filter(({ outcome }) => outcome === 'violation')).toEqual([]);
  expect(summary.text).toMatch(/\d+ of \d+ answers were 401 to a good token and were repeated/);
});
