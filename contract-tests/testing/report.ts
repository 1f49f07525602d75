/** Reports made by hand, for the tests of the renderers. */
import { OUTCOMES, type Outcome, type Report } from '../model.ts';
import type { ReportedCheck, ReportedExchange } from '../report/arrange.ts';
import { renderHtml } from '../report/html.ts';
import { renderJunit } from '../report/junit.ts';
import { renderMarkdown } from '../report/markdown.ts';
import { renderSarif } from '../report/sarif.ts';
import { renderTerminal } from '../report/terminal.ts';
import { jsonText } from '../report/text.ts';

/** Every report that holds a run as a whole. */
export const RENDERERS = [renderTerminal, jsonText, renderHtml, renderMarkdown, renderJunit, renderSarif];

export const BASE_URL = 'https://staging.example.test/api';

/** Everything that a hostile target could send to get out of a report's markup. */
export const HOSTILE = [
  '</script><script>alert(1)</script><img src=x onerror=alert(2)>',
  '</style></pre></details><a href="javascript:alert(3)">here</a>',
  '" onmouseover="alert(4)" \' x=\'',
  ']]><failure>',
  '&lt;&#60;&amp',
  '```\n````js\n# heading\n@somebody #12 | cell | [link](https://evil.example/) <!-- \n```',
  '::error::owned\r\n  ::add-mask::x\n##[error]owned\u2028\u009b31m',
  'bell \u0007 null \u0000 escape \u001b[31m rtl \u202e bom \ufeff lone \ud800 nonchar \uffff',
].join('\n');

export function exchange(given: Partial<ReportedExchange> = {}): ReportedExchange {
  return {
    request: { method: 'GET', url: `${BASE_URL}/v1/things`, headers: { Accept: 'application/json' } },
    response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"id":12345678901234567890}' },
    durationMs: 12,
    curl: `curl -i ${BASE_URL}/v1/things`,
    ...given,
  };
}

export function check(given: Partial<ReportedCheck> = {}): ReportedCheck {
  return {
    id: 'keys-array',
    requirements: ['KEY-02'],
    title: 'the list of API keys is a JSON array',
    outcome: 'pass',
    message: '',
    exchanges: [exchange()],
    ...given,
  };
}

/** A report of these checks; the numbers of the summary are counted. */
export function report(checks: ReportedCheck[], given: Partial<Report> = {}): Report {
  const of = (outcome: string): number => checks.filter((one) => one.outcome === outcome).length;
  const ids = [...new Set(checks.flatMap(({ requirements }) => requirements))];
  return {
    schemaVersion: 1,
    tool: { name: 'platform-mock', version: '0.1.0' },
    target: { baseUrl: BASE_URL },
    profile: 'default',
    verdict: of('violation') > 0 ? 'violates' : 'conforms',
    exitCode: of('violation') > 0 ? 1 : 0,
    gates: of('violation') > 0 ? [{ cause: 'violation', text: 'One sentence about the run.' }] : [],
    startedAt: '2026-11-21T00:27:15.120Z',
    durationMs: 1834,
    requirements: ids.map((id) => ({
      id,
      section: '4.3',
      statement: `Statement of ${id}.`,
      outcome: checks.find((one) => one.requirements.includes(id))?.outcome ?? 'untested',
    })),
    checks,
    gaps: [],
    leftovers: [],
    summary: {
      ...(Object.fromEntries(OUTCOMES.map((each) => [each, of(each)])) as Record<Outcome, number>),
      ...{ checks: checks.length, text: 'One sentence about the run.' },
    },
    ...given,
  };
}

const judged = (
  id: string,
  requirement: string,
  outcome: Outcome,
  message: string,
  more: Partial<ReportedCheck> = {},
) => check({ id, requirements: [requirement], outcome, message, ...more });

const gap = (id: string, question: string, assumed: string, seen: Partial<Report['gaps'][0]>): Report['gaps'][0] => ({
  ...{ id, section: '7', question, assumed, outcome: 'undetermined' },
  ...seen,
});

/** One of each outcome, with what each section of a report shows. */
export const mixedReport = (): Report =>
  report(
    [
      judged('keys-array', 'KEY-02', 'violation', 'GET answered no array.', {
        expected: 'a JSON array',
        actual: { items: [] },
      }),
      judged('keys-id', 'KEY-03', 'blocked', 'No array of keys (see keys-array)'),
      judged('keys-deep', 'KEY-04', 'blocked', 'No key (see keys-id)'),
      judged('scopes-other', 'SCO-04', 'untested', 'the target file has no actors.member', { exchanges: [] }),
      judged('sso-differ', 'SSO-16', 'untested', 'the target file has no actors.member', { exchanges: [] }),
      judged('login-jwt', 'AUT-08', 'error', 'No response: connection reset', {
        exchanges: [{ ...exchange({ error: 'connection reset' }), response: undefined }],
      }),
      judged('sso-user', 'SSO-09', 'pass', '', { title: 'the SSO answer has user' }),
    ],
    {
      gaps: [
        gap('error-body', 'What shape does an error body have?', 'code-message', {
          observed: 'code-message',
          outcome: 'match',
        }),
        gap('refresh-path', 'At which path is a refresh token exchanged?', '/v1/auth/refresh', {
          observed: '/v1/auth/token',
          outcome: 'differs',
        }),
        gap('events', 'Does the service send events?', 'none', { reason: 'Nothing shows it over HTTP.' }),
      ],
      leftovers: ['A personal access token.'],
    },
  );

/** A target that puts hostile text wherever it can. */
export const hostileReport = (text = HOSTILE): Report =>
  report(
    [
      check({
        outcome: 'violation',
        title: `title ${text}`,
        message: `message ${text}`,
        expected: text,
        actual: { [text]: [text] },
        exchanges: [
          exchange({
            request: { method: text, url: `javascript:${text}`, headers: { [text]: text }, body: text },
            response: { status: 200, headers: { 'x-evil': text }, body: text },
            curl: `curl ${text}`,
          }),
        ],
      }),
      ...(['error', 'blocked', 'untested'] as const).map((outcome) =>
        check({ id: `${outcome}${text}`, requirements: [text], title: text, outcome, message: text }),
      ),
    ],
    {
      target: { baseUrl: `https://${text}` },
      profile: text,
      startedAt: text,
      gaps: [gap(text, text, text, { section: text, observed: text, outcome: 'differs', reason: text })],
      leftovers: [text],
    },
  );

/** The report of a target that could not be reached at all. */
export const unreachableReport = (): Report =>
  report([], {
    ...{ verdict: 'unreachable', exitCode: 3, gates: [{ cause: 'unreachable', text: 'Connection refused.' }] },
    summary: { ...report([]).summary, text: 'Connection refused.' },
  });

/** More and longer findings than any reader wants. */
export const hugeReport = (): Report =>
  report(
    Array.from({ length: 60 }, (_, index) => {
      const body = `{"items":[${Array.from({ length: 1000 }, (_, item) => `{"n":${item},"text":"äöü€😀"}`).join(',')}]}`;
      const response = { status: 200, headers: { 'x-long': 'x'.repeat(20_000) }, body };
      return check({
        id: `check-${index}`,
        requirements: [`REC-${index}`],
        outcome: 'violation',
        message: 'm\u202e'.repeat(4000),
        expected: 'e'.repeat(50_000),
        actual: JSON.parse(body),
        exchanges: [exchange({ response, curl: `curl ${'€'.repeat(20_000)}` })],
      });
    }),
    { leftovers: Array.from({ length: 500 }, (_, index) => `leftover ${index} ${'y'.repeat(100)}`) },
  );

/** What every machine-readable report must be valid for. */
export const REPORTS = [mixedReport, hostileReport, unreachableReport, hugeReport];
