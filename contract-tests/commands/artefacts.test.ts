import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toldOfBug } from '../../src/cli/crash.ts';
import { compareReports } from '../compare/compare.ts';
import type { CheckResult, Exchange, GapResult, Report } from '../model.ts';
import { renderAnnotations } from '../report/github.ts';
import { renderHtml } from '../report/html.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderTerminal } from '../report/terminal.ts';
import { jsonText } from '../report/text.ts';
import { Secrets } from '../secrets/secrets.ts';
import { unescaped, type View } from '../secrets/views.ts';
import { loadGaps } from '../spec-data.ts';
import { withFiles, withServer } from '../testing/fixtures.ts';
import { harOf } from '../testing/har-of.ts';
import { verify } from '../testing/judge.ts';
import { type Spelled, spelledSecrets } from '../testing/spelled.ts';
import { buildReport } from './build-report.ts';
import { profileText } from './learned-profile.ts';
import { planOf, renderPlan } from './plan.ts';
import { readRunInput } from './run-input.ts';

// Every artefact, with 1,000 generated secrets that a target echoes in generated spellings and places.

const CASES = 1000;
const BATCH = 500;
/** Cases in one answer of the target: more would be cut. */
const EACH = 10;
/** Cases in one check of a report: of many checks Markdown and annotations show the first ones only. */
const SHOWN = 64;

const groupsOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
const batches = groupsOf(fc.sample(spelledSecrets, { numRuns: CASES, seed: 12 }), BATCH);
const textOf = (group: readonly Spelled[]): string => group.map(({ text }) => text).join('\n');

const targetOf = (baseUrl: string, batch: readonly Spelled[]) => ({
  baseUrl,
  profile: { name: textOf(batch.slice(0, 50)), answers: {} },
  actors: {
    admin: { login: { email: 'somebody@example.test', passwords: batch.map(({ secret }) => secret) } },
    member: { accessToken: `${'x'.repeat(20)}.y.z` },
  },
  resources: { recordingId: 'rec-1', tenantId: 'ten-1' },
});

/** Characters in a row that tell of a secret. */
const WINDOW = 8;
const fold = (text: string): string => text.toLowerCase().replaceAll('+', ' ');

/** A text as it is, and with its escapes undone as often as there are any: JSON in HTML, entities in Markdown. */
function normalForms(text: string): string[] {
  const forms: string[] = [];
  for (let view: View | undefined = { text }; view && forms.length < 4; view = unescaped(view))
    forms.push(fold(view.text));
  return forms;
}

/** The longest run of eight characters and more of `text` of which all windows are known. */
function longestKnown(text: string, windows: ReadonlySet<string>): string {
  let [run, best, end] = [0, 0, 0];
  for (let at = 0; at + WINDOW <= text.length; at += 1) {
    run = windows.has(text.slice(at, at + WINDOW)) ? run + 1 : 0;
    if (run > best) [best, end] = [run, at + WINDOW];
  }
  return best === 0 ? '' : text.slice(end - WINDOW + 1 - best, end);
}

/** What an artefact tells of secrets: runs that carry twelve characters or more of one, in the spelling of the case. */
function toldIn(artefact: string, batch: readonly Spelled[]): string[] {
  return normalForms(artefact).flatMap((text) => {
    const windows = new Set(Array.from(text, (_, at) => text.slice(at, at + WINDOW)));
    return batch.flatMap(({ part, spelled, secret }) =>
      [spelled, secret].flatMap((written) => {
        const needed = Math.min(
          written.length,
          Math.ceil((12 * written.length) / Math.min(part.length, written.length)),
        );
        const run = longestKnown(fold(written), windows);
        return run.length >= needed && text.includes(run) ? [`${secret} as ${run}`] : [];
      }),
    );
  });
}

/** The secrets of a batch of whose redaction an artefact tells. */
const redactedIn = (artefact: string): number =>
  new Set([...artefact.matchAll(/admin\.login\.passwords\.(\d+)/g)].map(([, at]) => at)).size;

const exchangeOf = (text: string): Exchange => ({
  request: { method: 'GET', url: `https://host.test/v1/a?echo=${text}`, headers: { 'X-Echo': text }, body: text },
  response: { status: 400, headers: { 'x-echo': text, [text]: '1' }, body: text },
  durationMs: 1,
});

/** Of how many secrets an artefact shows the redaction at least, where it is not made for all of a batch. */
const SHOWN_IN: Readonly<Record<string, number>> = {
  // One finding, and one answer that shows it.
  'report.json of a run': 50,
  'HTML of a run': 50,
  'Markdown, and the step summary': 100,
  '--plan': 50,
  // What looks like a member with a secret is masked as a whole.
  'crash output': 400,
  // Pseudonyms do not say what they stand for.
  HAR: 0,
};

/** A report in which each place holds each case. */
function reportOf(batch: readonly Spelled[], outcome: 'violation' | 'pass'): Report {
  const target = targetOf('https://host.test', batch);
  const groups = groupsOf(batch, SHOWN);
  const checks = groups.map((group, at): CheckResult => {
    const text = textOf(group);
    const exchanges = [{ ...exchangeOf(text), decisive: true as const }];
    const said = { title: text, message: text, expected: { [text]: text }, actual: [text] };
    return { id: `c${at}`, requirements: ['REC-22'], outcome, ...said, exchanges };
  });
  const gaps = loadGaps().map(({ id, section, question }, at): GapResult => {
    const text = textOf(groups[at % groups.length] ?? []);
    const said = { observed: { [text]: text }, reason: text, evidence: [text] };
    return { id, section, question, assumed: 'a', outcome: 'differs', ...said };
  });
  return buildReport({
    ...readRunInput({}),
    target,
    given: { name: textOf(batch.slice(0, 50)), answers: {} },
    startedAt: new Date(),
    found: { checks, gaps, leftovers: groups.map(textOf) },
  });
}

/** All artefacts of one batch: of a run at a target that echoes the cases, and of a report that holds them everywhere. */
async function artefactsOf(batch: readonly Spelled[]): Promise<Record<string, string>> {
  const groups = groupsOf(batch, EACH);
  let asked = 0;
  return withServer(
    (_request, response) => {
      const text = textOf(groups[asked++ % groups.length] ?? []);
      response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ error: text, [text]: 1 }));
    },
    (baseUrl) =>
      withFiles({ 'target.yaml': targetOf(baseUrl, batch) }, async (path) => {
        const file = path('target.yaml');
        const target = targetOf(baseUrl, batch);
        const run = await verify({ target: file, quick: true });
        const plan = await planOf(readRunInput({ target: file }));
        const report = reportOf(batch, 'violation');
        const learned = { baseUrl, learnedAt: '', answers: {}, gaps: report.gaps, leftovers: [] };
        return {
          'report.json of a run': JSON.stringify(run, null, 2),
          'HTML of a run': renderHtml(run),
          'report.json': JSON.stringify(report, null, 2),
          '--json': jsonText(report),
          HTML: renderHtml(report),
          'Markdown, and the step summary': renderMarkdown(report),
          JUnit: renderJunit(report),
          terminal: renderTerminal(report),
          annotations: renderAnnotations(report),
          '--compare': compareReports(report, reportOf(batch, 'pass')).text + compareReports(report, run).text,
          '--plan': JSON.stringify(plan) + renderPlan(plan),
          'learned profile': profileText(learned),
          'crash output': groups.map((group) => toldOfBug(new Error(new Secrets(target) && textOf(group)))).join('\n'),
          HAR: (await recordedSpelled(batch)).text,
        };
      }),
  );
}

/** A recording of sign-ins whose answers echo the request. */
const recordedSpelled = (batch: readonly Spelled[]) =>
  harOf(
    batch.map(({ secret, part, text }) => ({
      url: `https://host.test/v1/auth/login?echo=${encodeURIComponent(text)}`,
      requestHeaders: { 'Content-Type': 'application/json', 'X-Echo': text },
      requestBody: Buffer.from(JSON.stringify({ email: 'somebody@example.test', password: secret })),
      status: 400,
      statusText: text,
      responseHeaders: { 'content-type': 'application/json', [part]: text },
      responseBody: Buffer.concat([Buffer.from(JSON.stringify({ error: text })), Buffer.from([0xff])]),
    })),
  );

test.each(batches.map((batch, at) => [at + 1, batch] as const))(
  'no artefact tells a secret, however it is echoed: part %i',
  async (_part, batch) => {
    const artefacts = await artefactsOf(batch);
    for (const [name, artefact] of Object.entries(artefacts)) {
      expect.soft({ name, told: toldIn(artefact, batch).slice(0, 3) }).toEqual({ name, told: [] });
      expect.soft(redactedIn(artefact), `redacted in ${name}`).toBeGreaterThanOrEqual(SHOWN_IN[name] ?? BATCH);
    }
  },
);
