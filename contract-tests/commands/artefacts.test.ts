/**
 * Every artefact of 600 secrets in generated places and spellings (known.test.ts spells 2,000): what a run, a recording of a browser, one of
 * ours, and the journal write.
 * A quarter of the secrets is in the target file, and echoed; the others are shown by exchanges.
 */
import type { RequestListener } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routesFromHar } from '../../src/cli/routes-from-har.ts';
import { createPortableMock, type PortableMock } from '../../src/doors/portable.ts';
import { recordingPath } from '../api/operations.ts';
import { compareReports } from '../compare/compare.ts';
import { parseEntry } from '../har/read-har.ts';
import { verifyHar } from '../har/recorded.ts';
import { harEntry } from '../har/write-har.ts';
import type { CheckResult, GapResult, Report } from '../model.ts';
import { renderAnnotations } from '../report/github.ts';
import { pastRunOf } from '../report/report-file.ts';
import { jsonText } from '../report/text.ts';
import { loadGaps } from '../spec-data.ts';
import { withFiles, withServer } from '../testing/fixtures.ts';
import { harOf, PASSED } from '../testing/har-of.ts';
import { verifyAt } from '../testing/judge.ts';
import { RENDERERS } from '../testing/report.ts';
import { echoedSecrets, shownSecrets, shows } from '../testing/secret-places.ts';
import { SPELLINGS } from '../testing/spelled.ts';
import type { Passed } from '../wire/passed.ts';
import { buildReport } from './build-report.ts';
import { profileText } from './learned-profile.ts';
import { planOf, renderPlan } from './plan.ts';
import { readRunInput } from './run-input.ts';

const PLACED = fc.sample(fc.oneof(shownSecrets, echoedSecrets), { numRuns: 600, seed: 21 });
/** Secrets of one report: Markdown and annotations show the first checks only. */
const BATCH = 30;

const BASE_URL = 'http://127.0.0.1:4010';
/** Half of what is sent is an update, which `verify --har` judges; of the other half `routes` makes routes. */
const sentAs = (each: Partial<Passed>, place: number): Passed => {
  const path = place % 2 === 0 ? recordingPath('rec_1') : `/v1/files/${place}`;
  return { ...PASSED, method: place % 2 === 0 ? 'PATCH' : 'POST', url: BASE_URL + path, ...each };
};

const everything = (report: Report): string =>
  [...RENDERERS, renderAnnotations].map((render) => render(report)).join('\n');

/** What is written of a run at a target, or of a recording of a browser, which has no sieve. */
async function artefactsOf(passwords: string[], passed: readonly Passed[]): Promise<Record<string, string>> {
  const entries = await Promise.all(passed.map((each) => harEntry(each)));
  const answers = entries.flatMap((entry, place) => parseEntry(entry, place + 1)?.answer ?? []);
  const checks = answers.map(({ entry, ...answer }, place): CheckResult => {
    const { request, response } = answer;
    const text = `${request.url} ${Object.values(response.headers).join(' ')} ${response.body}`;
    const said = { title: text, message: text, expected: { [text]: 1 }, actual: [response.body] };
    // Half of them are of a run.
    const exchange = place % 2 === 0 ? answer : { ...answer, entry };
    return { id: `c${place}`, requirements: ['REC-22'], outcome: 'violation', ...said, exchanges: [exchange] };
  });
  const evidence = answers.map(({ request, response }) => `${request.method} ${request.url} -> ${response.body}`);
  const gaps = loadGaps().map(
    (gap): GapResult => ({ ...gap, assumed: 'a', outcome: 'undetermined', reason: evidence[0], evidence }),
  );
  const login = { email: 'somebody@example.test', passwords };
  const target = { baseUrl: BASE_URL, actors: { admin: { login } } };
  const files = { 'target.yaml': target, 'browser.har': JSON.stringify({ log: { entries } }) };
  return await withFiles(files, async (path) => {
    const input = readRunInput({ target: path('target.yaml') });
    const given = { name: evidence.join(' '), answers: {} };
    const found = { checks, gaps, leftovers: evidence };
    const report = buildReport({ ...input, target, given, startedAt: new Date(), found });
    const plan = await planOf(input);
    const passing = { ...report, checks: report.checks.map((check) => ({ ...check, outcome: 'pass' as const })) };
    return {
      ...Object.fromEntries(RENDERERS.map((render) => [render.name, render(report)])),
      annotations: renderAnnotations(report),
      history: JSON.stringify(pastRunOf(report)),
      'learned profile': profileText({ baseUrl: target.baseUrl, learnedAt: '', answers: {}, ...report }),
      '--compare': compareReports(report, passing).text,
      '--plan': jsonText(plan) + renderPlan(plan),
      'verify --har': everything(await verifyHar(path('browser.har'), input)),
      routes: jsonText(await routesFromHar(path('browser.har'), target.baseUrl)),
    };
  });
}

/** What a mock writes of the requests that it got. */
async function journalOf(mock: PortableMock, passed: readonly Passed[]): Promise<Record<string, string>> {
  await mock.fetch(`${mock.baseUrl}/_mock/journal`, { method: 'DELETE' });
  for (const { url, requestHeaders, responseHeaders, requestBody, responseBody } of passed) {
    // A client may send what a service answers.
    const body = String(requestBody.length > 0 ? requestBody : responseBody);
    const sent = Object.entries({ ...requestHeaders, ...responseHeaders });
    const headers = Object.fromEntries(sent.map(([name, value]) => [name, encodeURI(String(value))]));
    await mock.fetch(`${mock.baseUrl}/v1/files${new URL(url).search}`, { method: 'POST', body, headers });
  }
  const read = async (path: string) => await (await mock.fetch(`${mock.baseUrl}/_mock/${path}`)).text();
  return { journal: await read('journal?limit=1000'), 'HAR of the journal': await read('journal/har') };
}

test('no artefact of a run or a recording tells a secret', { timeout: 600_000 }, async () => {
  const mock = await createPortableMock({ routes: [{ routes: [{ method: 'POST', path: '/v1/files', body: {} }] }] });
  for (let at = 0; at < PLACED.length; at += BATCH) {
    const batch = PLACED.slice(at, at + BATCH);
    const given = batch.filter((_, place) => place % 4 === 0);
    const shown = batch.filter((placed) => !given.includes(placed));
    const ofShown = shown.flatMap(({ exchanges }) => exchanges.map(sentAs));
    const echoes = given.flatMap(({ exchanges }) => exchanges.slice(-1).map(sentAs));
    const { routes, ...artefacts } = await artefactsOf(
      given.map(({ secret }) => secret),
      [...ofShown, ...echoes],
    );
    const { journal, ...ofMock } = await journalOf(mock, ofShown);
    const recordings = { routes, ...ofMock, '--record': (await harOf(ofShown)).text };
    for (const placed of batch) {
      const isShown = shown.includes(placed);
      const all = { ...artefacts, ...(isShown && recordings) };
      // The newest entry of a page comes first: its echo of an older one's secret is not known yet.
      if (isShown && placed.exchanges.length === 1) Object.assign(all, { journal });
      for (const [name, artefact] of Object.entries(all))
        expect({ name, ...placed, shown: shows(artefact ?? '', placed.secret) }).toMatchObject({ shown: [] });
    }
    expect(artefacts.renderHtml).toContain('admin.login.passwords.');
    expect(artefacts['verify --har']).toMatch(/Entry \d+/);
    expect(routes).toContain('/v1/files/');
  }
});

test('a run at a target that echoes credentials tells none', { timeout: 600_000 }, async () => {
  const passwords = PLACED.slice(0, 20).map(({ secret }) => secret);
  const spellings = Object.values(SPELLINGS);
  let echoed = 0;
  const echo: RequestListener = (_request, response) => {
    const messages = Array.from({ length: 12 }, () => {
      echoed += 1;
      return spellings[echoed % spellings.length]?.(passwords[echoed % passwords.length] ?? '');
    });
    response.setHeader('content-type', 'application/json').setHeader('x-echo', encodeURI(messages[0] ?? ''));
    response.end(JSON.stringify({ messages, access_token: messages[1] }));
  };
  const login = { email: 'somebody@example.test', passwords };
  const admin = { login, pat: passwords[0], sso: { oid: passwords[1], upn: passwords[2] } };
  const target = { actors: { admin }, resources: { recordingId: 'rec_1', tenantId: 'ten_1' } };
  const report = await withServer(echo, (baseUrl) => verifyAt({ ...target, baseUrl }));
  const text = everything(report);
  expect(report).toMatchObject({
    exitCode: 1,
    requests: { total: expect.toSatisfy((total) => total * 12 > passwords.length) },
  });
  for (const secret of passwords) expect({ secret, shown: shows(text, secret) }).toMatchObject({ shown: [] });
});
