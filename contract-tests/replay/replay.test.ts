import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSecondImplementation } from '../../fixtures/servers/second/server.ts';
import { startMock } from '../../src/index.ts';
import { listening } from '../../src/testing/raw-client.ts';
import { learnFrom } from '../commands/learn.ts';
import { type RunOptions, readRunInput } from '../commands/run-input.ts';
import { verifyInput } from '../commands/verify.ts';
import { UsageError } from '../errors.ts';
import { writeExchanges } from '../har/exchanges.ts';
import type { Report } from '../model.ts';
import { renderJunit } from '../report/junit.ts';
import { recordedApp } from '../testing/app.ts';
import { testFolder } from '../testing/folder.ts';
import { browserHar, harOf } from '../testing/har-of.ts';
import { lazy } from '../values/once.ts';
import type { Passed } from '../wire/passed.ts';
import { replayHar } from './command.ts';
import type { ReplayOptions } from './options.ts';
import { overlap, readRecording } from './recording.ts';

const folder = testFolder();
const DEFAULTS: ReplayOptions = { strict: false, allowUnsent: 0, baseline: undefined, isPaced: false };

const replay = (file: string, target: RunOptions, options: Partial<ReplayOptions> = {}): Promise<Report> =>
  replayHar(file, readRunInput(target), { ...DEFAULTS, ...options });

type Options = NonNullable<Parameters<typeof startMock>[0]>;
/** Answers are tested for what they do, whatever their types. */
const profileOf = (answers: object) => ({ answers }) as never;
const mockOf = (options: Options = {}) => startMock({ port: 0, log: () => {}, ...options });

/** The recording of an app at a mock, made once. */
const app = lazy(async (): Promise<string> => {
  await using mock = await mockOf();
  return await recordedApp(mock.baseUrl);
});

const fileOf = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

/** The target file of a mock, changed. */
async function targetOf(baseUrl: string, change: (target: { actors: Record<string, unknown> }) => void) {
  const target = await (await fetch(`${baseUrl}/_mock/target`)).json();
  change(target);
  return fileOf('target.yaml', JSON.stringify(target));
}

const idsIn = ({ replay }: Report): string[] => replay?.groups.map(({ id }) => id) ?? [];
const told = ({ checks }: Report): string[] =>
  checks.flatMap(({ id, message }) => (message ? [`${id} ${message}`] : []));

describe('an app is answered alike', () => {
  test.each<[string, Options]>([
    ['at a fresh mock', {}],
    ['with another seed', { seed: 7 }],
    ['at a slow one', { latency: 20 }],
  ])('%s', async (_where, options) => {
    await using mock = await mockOf(options);
    const report = await replay(await app(), { baseUrl: mock.baseUrl }, { strict: true });
    expect(told(report)).toEqual([]);
    expect(report.replay).toMatchObject({ recorded: 45, sent: 45, alike: 45 });
    expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  });

  test('at a profile whose codes and placeholders look like secrets', async () => {
    const codes = { 'invalid-credentials at refreshAccessToken': 'stale_refresh_token' };
    const body = { template: { id: '${id}', name: '${name}', plain_text_token: '${token}' } };
    const profile = profileOf({ 'error-codes': codes, 'pat-create-response': body });
    await using recorder = await mockOf({ profile });
    await using mock = await mockOf({ profile });
    const report = await replay(await recordedApp(recorder.baseUrl), { baseUrl: mock.baseUrl }, { strict: true });
    expect(told(report)).toEqual([]);
    expect(report).toMatchObject({ exitCode: 0, replay: { sent: 45, alike: 45 } });
  });

  test('by the recording of the server, too', async () => {
    const file = join(folder, 'server.har');
    {
      await using recorder = await mockOf({ record: file });
      await recordedApp(recorder.baseUrl);
    }
    await using mock = await mockOf();
    const report = await replay(file, { baseUrl: mock.baseUrl });
    expect(told(report)).toEqual([]);
    expect(report.replay).toMatchObject({ recorded: 45, alike: 45 });
  });
});

test.each([
  ['01.000', '01.000', false],
  ['01.000', '01.001', false],
  ['01.000100', '01.000900', true],
  ['01.000900', '01.001800', true],
  ['01.000900', '01.001900', false],
])('requests of a millisecond that began at %s and %s overlapped: %s', async (first, second, isOne) => {
  const { log } = JSON.parse(readFileSync(await app(), 'utf8'));
  const entries = [first, second].map((seconds) => {
    return { ...log.entries[0], startedDateTime: `2026-01-01T00:00:${seconds}Z`, time: 1 };
  });
  const file = fileOf('pair.har', JSON.stringify({ log: { ...log, entries } }));
  const [one, other] = (await readRecording(file)).interactions;
  expect(one && other && overlap(one, other)).toBe(isOne);
});

test.each(['nest', 'rfc9457', 'lenient', 'strict'])('at profile %s, gaps explain all that differs', async (profile) => {
  await using mock = await mockOf({ profile });
  const report = await replay(await app(), { baseUrl: mock.baseUrl });
  expect(idsIn(report).filter((id) => /documented|limit|unnamed/.test(id))).toEqual([]);
  const { alike = 0, sent = 0 } = report.replay ?? {};
  expect(alike).toBeGreaterThan(10);
  expect(alike).toBeLessThan(sent);
  expect(report.exitCode).toBe(0);
  expect(report.gaps.filter(({ outcome }) => outcome === 'match')).toEqual([]);
});

test('what is hidden is named by its own gap, not by the status of refusals; a PAT is named as the app does', async () => {
  const answers = { 'foreign-recording': 'hide', 'foreign-tenant': 'not-found', 'scopes-path': '/v1/other-scopes' };
  await using mock = await mockOf({ profile: profileOf(answers) });
  const report = await replay(await app(), { baseUrl: mock.baseUrl });
  expect(idsIn(report).sort()).toEqual([
    'api-keys/status/gap/foreign-tenant',
    'recording/status/gap/foreign-recording',
    'scopes/status/gap/scopes-path',
  ]);
  expect(report.leftovers.join()).toContain('a personal access token named "script"');
});

test.each([
  ['recording-camel-case', 'recording/shape/documented/4.2'],
  ['user-id-number', 'sso/shape/documented/4.1'],
  ['provider-filter-ignored', 'api-keys/filter/documented/4.3'],
  ['title-renames-file', 'recording/state/documented/4.2'],
])('a server with the defect %s is not alike', async (fault, id) => {
  await using mock = await mockOf({ faults: [fault] });
  const report = await replay(await app(), { baseUrl: mock.baseUrl });
  expect(idsIn(report)).toContain(id);
  expect(report).toMatchObject({ verdict: 'violates', exitCode: 1 });
});

test('values of fields explain no status, and nothing is documented of requests that the document lacks', async () => {
  await using server = createServer(({ method }, answer) => {
    answer.writeHead(method === 'OPTIONS' ? 200 : 406, { 'content-type': 'application/json' });
    answer.end('{"detail":"Login"}');
  });
  const baseUrl = await listening(server);
  const sso = { oid: 'a', tid: 'b', upn: 'c' };
  const by = (gaps: string) => ({ 'x-mock-basis': `assumed; gaps=${gaps}` });
  const { file } = await harOf([
    { method: 'OPTIONS', responseHeaders: by('options-requests') },
    {
      method: 'OPTIONS',
      responseHeaders: { ...by('error-body'), 'content-type': 'text/html' },
      responseBody: Buffer.from('<p>'),
    },
    {
      requestBody: Buffer.from(JSON.stringify(sso)),
      responseHeaders: by('key-status-values,timestamp-form'),
    },
  ]);
  const target = fileOf('other.yaml', JSON.stringify({ baseUrl, actors: { admin: { sso } } }));
  expect(idsIn(await replay(file, { target })).sort()).toEqual([
    'other/media-type/gap/other-capabilities',
    'other/shape/gap/options-requests',
    'other/shape/gap/other-capabilities',
    'sso/status/limit/4.1',
  ]);
});

test('what differs at a gap gates if that is wanted, unless the baseline knows it', async () => {
  await using mock = await mockOf({ profile: 'strict' });
  const options = { strict: true };
  const report = await replay(await app(), { baseUrl: mock.baseUrl }, options);
  expect(report).toMatchObject({ exitCode: 1, gates: [{ cause: 'strict-differs' }] });
  const entries = idsIn(report).map((finding) => ({ finding, reason: 'known' }));
  const known = fileOf('known.yaml', JSON.stringify({ findings: entries }));
  expect(await replay(await app(), { baseUrl: mock.baseUrl }, { ...options, baseline: known })).toMatchObject({
    exitCode: 0,
  });
  await using fresh = await mockOf();
  expect(await replay(await app(), { baseUrl: fresh.baseUrl }, { baseline: known })).toMatchObject({
    exitCode: 1,
    gates: [{ cause: 'stale-baseline' }],
  });
});

test('a request that was recorded without Accept is sent without it', async () => {
  const isAccept = ({ name }: { name: string }): boolean => /^accept$/i.test(name);
  const har = JSON.parse(readFileSync(await app(), 'utf8'));
  for (const { request } of har.log.entries) request.headers = request.headers.filter((each: never) => !isAccept(each));
  await using mock = await mockOf();
  const report = await replay(fileOf('no-accept.har', JSON.stringify(har)), { baseUrl: mock.baseUrl });
  expect(report.replay).toMatchObject({ sent: 45 });
  const { log } = await (await fetch(`${mock.baseUrl}/_mock/journal/har`)).json();
  // Those by which titles are put back have one.
  const without = log.entries.filter(
    ({ request }: { request: { headers: never[] } }) => !request.headers.some(isAccept),
  );
  expect(without).toHaveLength(45);
});

test('HEAD is sent again, and answered alike', async () => {
  const har = JSON.parse(readFileSync(await app(), 'utf8'));
  const isList = ({ request, response }: { request: { method: string; url: string }; response: { status: number } }) =>
    request.url.endsWith('/api-keys') && response.status === 200;
  const { request, response, ...rest } = har.log.entries.find(isList);
  const entry = { request: { ...request, method: 'HEAD' }, response: { ...response, content: { size: 0 } }, ...rest };
  har.log.entries = [...har.log.entries, entry];
  await using mock = await mockOf();
  const report = await replay(fileOf('head.har', JSON.stringify(har)), { baseUrl: mock.baseUrl });
  expect(told(report)).toEqual([]);
  expect(report.replay).toMatchObject({ sent: 46, alike: 46 });
});

test('an entry that cannot be sent is named, and the run is red', async () => {
  await using mock = await mockOf();
  const target = await targetOf(mock.baseUrl, ({ actors }) => delete actors.member);
  const report = await replay(await app(), { target });
  expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: 4, replay: { recorded: 45, sent: 41, alike: 41 } });
  expect(told(report)).toHaveLength(4);
  expect(told(report)[0]).toBe('entry-25 the target file has no counterpart of actors.member, who sent it');
  expect(renderJunit(report)).toMatch(/name="verdict"[^>]*>\s*<error/);
  expect(await replay(await app(), { target }, { allowUnsent: 3 })).toMatchObject({ exitCode: 4 });
  expect(await replay(await app(), { target }, { allowUnsent: 4 })).toMatchObject({ exitCode: 0 });
});

test('nothing is written where that is not allowed, and titles are put back', async () => {
  await using mock = await mockOf();
  const state = async (): Promise<string> => (await fetch(`${mock.baseUrl}/_mock/state/recordings`)).text();
  const before = await state();
  const report = await replay(await app(), { baseUrl: mock.baseUrl, allowWrites: false });
  expect(told(report).filter((line) => /writes are not allowed/.test(line)).length).toBeGreaterThan(20);
  expect(await state()).toBe(before);
  await replay(await app(), { baseUrl: mock.baseUrl });
  const titlesIn = (text: string) => text.match(/"title":"[^"]*"/g)?.sort();
  expect(titlesIn(await state())).toEqual(titlesIn(before));
});

test('a run is a recording that can be sent again, and neither shows a secret', async () => {
  const run = join(folder, 'exchanges.har');
  await using mock = await mockOf();
  const onEnd = writeExchanges.bind(undefined, run);
  await verifyInput(readRunInput({ baseUrl: mock.baseUrl, quick: true }), { onEnd });
  await using fresh = await mockOf();
  const report = await replay(run, { baseUrl: fresh.baseUrl });
  expect(told(report)).toEqual([]);
  expect(report.leftovers.join()).not.toContain('another run');
  const { actors } = await (await fetch(`${mock.baseUrl}/_mock/target`)).json();
  for (const text of [readFileSync(run, 'utf8'), readFileSync(await app(), 'utf8'), JSON.stringify(report)]) {
    for (const secret of ['ada-password', actors.admin.sso.oid, 'c84f1e6a']) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/eyJzdWIi/);
  }
});

test('a recording says who called, whose it is, and what refused requests sent', async () => {
  const { log } = JSON.parse(readFileSync(await app(), 'utf8'));
  expect(log._source).toMatchObject({
    actors: { admin: { role: 'admin', userId: 'usr_ada', tenantId: 'ten_analytical' }, member: { role: 'member' } },
    resources: { recordingId: 'rec_kickoff' },
  });
  const sent = log.entries.filter(({ request }: { request: { method: string } }) => request.method === 'PATCH');
  expect(sent.filter(({ request }: { request: { postData?: object } }) => !request.postData)).toEqual([]);
  expect(new Set(log.entries.map(({ _actor }: { _actor?: string }) => _actor))).toContain('usr_ada');
});

test.each([
  ['no.har', undefined, /there is no such file/],
  ['text.har', 'not a HAR', /not a readable HAR/],
  ['empty.har', '{"log":{"entries":[]}}', /no exchanges/],
  [
    'other.har',
    '{"log":{"entries":[{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"GET","url":"http://x.test/a"},"response":{"status":200}}]}}',
    /no exchange is of the API/,
  ],
])('%s is a usage error in one line', async (name, text, problem) => {
  const file = text === undefined ? join(folder, name) : fileOf(name, text);
  const failing = replay(file, { baseUrl: 'http://127.0.0.1:9' });
  await expect(failing).rejects.toThrow(UsageError);
  await expect(failing).rejects.toThrow(problem);
});

test('the recording of a browser, which shows credentials, is sent as the people of the target', async () => {
  await using mock = await mockOf();
  const { actors, resources } = await (await fetch(`${mock.baseUrl}/_mock/target`)).json();
  const exchanges: Partial<Passed>[] = [];
  const call = async (method: string, path: string, body: string, token = 'none') => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(mock.baseUrl + path, { method, headers, body });
    const responseBody = Buffer.from(await answer.arrayBuffer());
    const responseHeaders = Object.fromEntries(answer.headers);
    const sent = { requestHeaders: headers, requestBody: Buffer.from(body), startedAt: 10 * exchanges.length };
    exchanges.push({ method, url: mock.baseUrl + path, ...sent, status: answer.status, responseHeaders, responseBody });
    return JSON.parse(responseBody.toString());
  };
  const { access_token: token } = await call('POST', '/v1/auth/sso', JSON.stringify(actors.admin.sso));
  await call('PATCH', `/v1/echo/recordings/${resources.recordingId}`, '{"title":"Weekly"}', token);
  await using other = await startSecondImplementation({});
  const input = { ...readRunInput({ allowWrites: true }), target: structuredClone(other.target) };
  const report = await replayHar(await browserHar(exchanges), input, DEFAULTS);
  expect(report.replay).toMatchObject({ recorded: 2, sent: 2, tolerant: 1 });
  expect(JSON.stringify(report)).not.toContain(token);
});

test('at a server written from the document, gaps explain what differs, and fewer after learn', async () => {
  await using server = await startSecondImplementation({});
  const target = structuredClone(server.target);
  const input = { ...readRunInput({ allowWrites: true }), target };
  const before = await replayHar(await app(), input, DEFAULTS);
  expect(idsIn(before).filter((id) => /documented|limit|unnamed/.test(id))).toEqual([]);
  expect(before).toMatchObject({ exitCode: 4, replay: { recorded: 45, sent: 43 } });
  const { answers } = await learnFrom(input);
  await using learned = await mockOf({ profile: profileOf(answers) });
  const after = await replayHar(await recordedApp(learned.baseUrl), input, DEFAULTS);
  expect(idsIn(after).filter((id) => /documented|limit|unnamed/.test(id))).toEqual([]);
  expect(after.replay?.alike).toBeGreaterThan(30);
});
