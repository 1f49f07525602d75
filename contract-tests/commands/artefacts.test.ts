/**
 * Every artefact of 2,000 secrets in generated places and spellings: what a run, a recording of a browser, one of ours, and the journal write.
 * A quarter of the secrets is in the target file, and echoed; the others are shown by exchanges.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routesFromHar } from '../../src/cli/routes-from-har.ts';
import { createPortableMock, type PortableMock } from '../../src/doors/portable.ts';
import { compareReports } from '../compare/compare.ts';
import { parseEntry } from '../har/read-har.ts';
import { harEntry } from '../har/write-har.ts';
import type { CheckResult, GapResult } from '../model.ts';
import { renderAnnotations } from '../report/github.ts';
import { pastRunOf } from '../report/report-file.ts';
import { jsonText } from '../report/text.ts';
import { loadGaps } from '../spec-data.ts';
import { withFiles } from '../testing/fixtures.ts';
import { harOf, PASSED } from '../testing/har-of.ts';
import { RENDERERS } from '../testing/report.ts';
import { echoedSecrets, shownSecrets, shows } from '../testing/secret-places.ts';
import type { Passed } from '../wire/passed.ts';
import { buildReport } from './build-report.ts';
import { profileText } from './learned-profile.ts';
import { planOf, renderPlan } from './plan.ts';
import { readRunInput } from './run-input.ts';

const PLACED = fc.sample(fc.oneof(shownSecrets, echoedSecrets), { numRuns: 2000, seed: 21 });
/** Secrets of one report: Markdown and annotations show the first checks only. */
const BATCH = 30;

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
  const target = { baseUrl: 'http://127.0.0.1:4010', actors: { admin: { login } } };
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
      routes: jsonText(await routesFromHar(path('browser.har'), target.baseUrl).catch(() => ({}))),
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
    const ofShown = shown.flatMap(({ exchanges }) => exchanges.map((each) => ({ ...PASSED, ...each })));
    const echoes = given.flatMap(({ exchanges }) => exchanges.slice(-1).map((each) => ({ ...PASSED, ...each })));
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
  }
});
