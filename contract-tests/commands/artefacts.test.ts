/** Every artefact of 2,000 secrets in generated places and spellings: 500 of a target file, which a run and all of a report echo, and 1,500 that exchanges show. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { routesFromHar } from '../../src/cli/routes-from-har.ts';
import { compareReports } from '../compare/compare.ts';
import { parseEntry } from '../har/read-har.ts';
import { harEntry } from '../har/write-har.ts';
import type { CheckResult, Exchange, GapResult, Report } from '../model.ts';
import { renderAnnotations } from '../report/github.ts';
import { renderHtml } from '../report/html.ts';
import { pastRunOf } from '../report/report-file.ts';
import { jsonText } from '../report/text.ts';
import { unescaped, type View } from '../secrets/views.ts';
import { loadGaps } from '../spec-data.ts';
import { withFiles, withServer } from '../testing/fixtures.ts';
import { testFolder } from '../testing/folder.ts';
import { PASSED } from '../testing/har-of.ts';
import { verify } from '../testing/judge.ts';
import { RENDERERS } from '../testing/report.ts';
import { echoedSecrets, shownSecrets, shows } from '../testing/secret-places.ts';
import { type Spelled, spelledSecrets } from '../testing/spelled.ts';
import { buildReport } from './build-report.ts';
import { profileText } from './learned-profile.ts';
import { planOf, renderPlan } from './plan.ts';
import { readRunInput } from './run-input.ts';

const CASES = fc.sample(spelledSecrets, { numRuns: 500, seed: 12 });
const textOf = (group: readonly Spelled[]): string => group.map(({ text }) => text).join('\n');
const textsOf = (size: number): string[] =>
  Array.from({ length: Math.ceil(CASES.length / size) }, (_, at) => textOf(CASES.slice(at * size, (at + 1) * size)));

const targetOf = (baseUrl: string) => ({
  baseUrl,
  profile: { name: textOf(CASES.slice(0, 50)), answers: {} },
  actors: {
    admin: { login: { email: 'somebody@example.test', passwords: CASES.map(({ secret }) => secret) } },
    member: { accessToken: `${'x'.repeat(20)}.y.z` },
  },
  resources: { recordingId: 'rec-1', tenantId: 'ten-1' },
});

const fold = (text: string): string => text.toLowerCase().replaceAll('+', ' ');

/** The secrets that an artefact tells, as it is or with its escapes undone: JSON in HTML, entities in Markdown. */
function toldIn(artefact: string): string[] {
  const forms: string[] = [];
  for (let view: View | undefined = { text: artefact }; view && forms.length < 4; view = unescaped(view))
    forms.push(fold(view.text));
  return CASES.flatMap(({ spelled, secret }) =>
    [spelled, secret].filter((written) => forms.some((form) => form.includes(fold(written)))),
  );
}

const exchangeOf = (text: string): Exchange => ({
  request: { method: 'GET', url: `https://host.test/v1/a?echo=${text}`, headers: { 'X-Echo': text }, body: text },
  response: { status: 400, headers: { 'x-echo': text, [text]: '1' }, body: text },
  durationMs: 1,
});

/** A report in which each place holds each case. */
function reportOf(outcome: 'violation' | 'pass'): Report {
  // Of many checks Markdown and annotations show the first ones only.
  const texts = textsOf(64);
  const checks = texts.map((text, at): CheckResult => {
    const exchanges = [{ ...exchangeOf(text), decisive: true as const }];
    const said = { title: text, message: text, expected: { [text]: text }, actual: [text] };
    return { id: `c${at}`, requirements: ['REC-22'], outcome, ...said, exchanges };
  });
  const gaps = loadGaps().map(({ id, section, question }, at): GapResult => {
    const text = texts[at % texts.length] ?? '';
    const said = { observed: { [text]: text }, reason: text, evidence: [text] };
    return { id, section, question, assumed: 'a', outcome: 'differs', ...said };
  });
  const target = targetOf('https://host.test');
  const found = { checks, gaps, leftovers: texts };
  return buildReport({ ...readRunInput({}), target, given: target.profile, startedAt: new Date(), found });
}

/** All that is written of a report. */
const artefactsOf = (report: Report): Record<string, string> => ({
  ...Object.fromEntries(RENDERERS.map((render) => [render.name, render(report)])),
  annotations: renderAnnotations(report),
  history: JSON.stringify(pastRunOf(report)),
  'learned profile': profileText({ baseUrl: 'https://host.test', learnedAt: '', answers: {}, ...report }),
});

const PLACED = fc.sample(fc.oneof(shownSecrets, echoedSecrets), { numRuns: 1500, seed: 21 });
/** Secrets of one report: Markdown and annotations show the first checks only. */
const BATCH = 30;

test('no artefact of a recording or a run tells what an exchange shows to be a secret', {
  timeout: 600_000,
}, async () => {
  const folder = testFolder();
  for (let at = 0; at < PLACED.length; at += BATCH) {
    const batch = PLACED.slice(at, at + BATCH);
    const passed = batch.flatMap(({ exchanges }) => exchanges.map((each) => ({ ...PASSED, ...each })));
    // As a browser records it, without a sieve.
    const entries = await Promise.all(passed.map((each) => harEntry(each)));
    const answers = entries.flatMap((entry, place) => parseEntry(entry, place + 1)?.answer ?? []);
    const checks = answers.map(({ entry, ...answer }, place): CheckResult => {
      const { request, response } = answer;
      const text = `${request.url} ${Object.values(response.headers).join(' ')} ${response.body}`;
      const said = { title: 'A', message: text, expected: { [text]: 1 }, actual: [response.body] };
      // Half of them are of a run.
      const exchange = place % 2 === 0 ? answer : { ...answer, entry };
      return { id: `c${place}`, requirements: ['REC-22'], outcome: 'violation', ...said, exchanges: [exchange] };
    });
    const target = { baseUrl: 'http://127.0.0.1:4010' };
    const given = { ...readRunInput({}), target, given: undefined, startedAt: new Date() };
    const evidence = answers.map(({ request, response }) => `${request.method} ${request.url} -> ${response.body}`);
    const gaps = loadGaps().map(
      (gap): GapResult => ({ ...gap, assumed: 'a', outcome: 'undetermined', reason: evidence[0], evidence }),
    );
    const artefacts = artefactsOf(buildReport({ ...given, found: { checks, gaps, leftovers: evidence } }));
    const file = join(folder, 'browser.har');
    writeFileSync(file, JSON.stringify({ log: { entries } }));
    const routes = await routesFromHar(file, target.baseUrl).catch(() => ({}));
    const all = Object.entries({ ...artefacts, routes: jsonText(routes) });
    for (const { secret, exchanges } of batch)
      for (const [name, artefact] of all)
        expect({ name, exchanges, shown: shows(artefact, secret) }).toMatchObject({ shown: [] });
  }
});

test('no artefact tells a secret, however it is echoed', async () => {
  // More cases in one answer would be cut.
  const texts = textsOf(10);
  let asked = 0;
  const { run, plan } = await withServer(
    (_request, response) => {
      const text = texts[asked++ % texts.length] ?? '';
      response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: text, [text]: 1 }));
    },
    (baseUrl) =>
      withFiles({ 'target.yaml': targetOf(baseUrl) }, async (path) => {
        const target = path('target.yaml');
        return { run: await verify({ target, quick: true }), plan: await planOf(readRunInput({ target })) };
      }),
  );
  const report = reportOf('violation');
  const artefacts = {
    'HTML of a run': renderHtml(run),
    ...artefactsOf(report),
    '--compare': compareReports(report, reportOf('pass')).text + compareReports(report, run).text,
    '--plan': jsonText(plan) + renderPlan(plan),
  };
  for (const [name, artefact] of Object.entries(artefacts)) {
    expect.soft({ name, told: toldIn(artefact).slice(0, 3) }).toEqual({ name, told: [] });
    if (name !== 'history') expect.soft(artefact, name).toContain('admin.login.passwords.');
  }
});
