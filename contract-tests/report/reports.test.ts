/** What several reports say of one thing. */
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { SuiteScore } from '../model.ts';
import { BASE_URL, check, exchange, mixedReport, report } from '../testing/report.ts';
import { renderAnnotations } from './github.ts';
import { renderHtml } from './html.ts';
import { renderJunit } from './junit.ts';
import { renderMarkdown } from './markdown.ts';
import { renderSarif } from './sarif.ts';
import { renderTerminal } from './terminal.ts';
import { scoreText } from './text.ts';

const at = (path: string, decisive = false) =>
  exchange({
    request: { method: 'PATCH', url: `${BASE_URL}${path}`, headers: {} },
    curl: `curl -i -X PATCH ${BASE_URL}${path}`,
    ...(decisive && { decisive }),
  });

/** A finding that the eighth of ten requests shows. */
const exchanges = Array.from({ length: 10 }, (_, index) => at(`/v1/request-${index + 1}`, index === 7));
const given = report([
  check({ outcome: 'violation', message: 'It does not hold.', expected: 1, actual: 2, exchanges }),
]);
const curlOf = (number: number): string => `curl -i -X PATCH ${BASE_URL}/v1/request-${number}`;
const CURL = curlOf(8);

const SHOWING = [renderTerminal, renderHtml, renderMarkdown, renderJunit, renderSarif];
test.each(SHOWING)('a finding is shown with what was expected, and how to repeat it: $name', (render) => {
  const text = stripVTControlCharacters(render(mixedReport()));
  const seen = text.replaceAll('&quot;', '"').replaceAll('\\', '');
  const values = render === renderSarif ? [] : ['a JSON array', '{"items":[]}'];
  const statement = ['KEY-02', 'section 4.3', 'Statement of KEY-02.', 'GET answered no array.'];
  for (const part of [...statement, ...values, `curl -i ${BASE_URL}/v1/things`, 'One sentence about the run.'])
    expect(seen).toContain(part);
});

test('every report repeats the request that shows a finding after the two before it, not the last one', () => {
  const text = stripVTControlCharacters(renderTerminal(given));
  expect(text).toContain(`  ${curlOf(6)}\n  ${curlOf(7)}\n  ${CURL}\n`);
  expect(text).not.toContain('request-5');
  expect(renderMarkdown(given)).toContain(`${curlOf(6)}\n${curlOf(7)}\n${CURL}\n`);
  expect(renderTerminal(given)).not.toContain('request-10');
  expect(renderMarkdown(given)).toContain('Request and response (8 of 10)');
  expect(renderMarkdown(given)).not.toContain('request-10');
  expect(renderJunit(given)).toMatch(/repeat: {3}curl .*request-6\n {10}curl .*request-7\n {10}curl .*request-8</);
  expect(renderAnnotations(given)).toContain('[PATCH /v1/request-8: 200]');
});

test('the page has all requests, and says which one shows it', () => {
  const page = renderHtml(given);
  expect(page).toContain('Repeat request 8, which shows it');
  expect(page.match(/<span class="answer">/g)).toHaveLength(exchanges.length);
});

test('what depends on callers and overlap is a sequence, with the command that shows it again', () => {
  const exchanges = [
    { ...at('/v1/first'), caller: 'admin' },
    { ...at('/v1/second', true), caller: 'others.0', isAtOnce: true as const },
    at('/v1/third'),
  ];
  const message = 'Another one.';
  const also = [{ fingerprint: 'keys-array/other', message, exchanges, expected: 1, actual: 2 }];
  const dependsOn = ['caller', 'overlap', 'pause'] as const;
  const recording = 'my reports/exchanges.har';
  const replayOptions = ['--target', 'my staging.yaml', '--allow-writes'];
  const sequence = report([check({ outcome: 'violation', exchanges, dependsOn, also })], { recording, replayOptions });
  const lines = [
    '# 1 admin',
    `curl -i -X PATCH ${BASE_URL}/v1/first &`,
    '# 2 others.0, at once with 1',
    `curl -i -X PATCH ${BASE_URL}/v1/second`,
    'wait',
    '# 3 no actor',
    `curl -i -X PATCH ${BASE_URL}/v1/third`,
  ];
  const caveat =
    'These requests alone may not show it: it depends on who else calls and on requests that overlap and on a pause between requests.';
  const again =
    "platform-mock replay 'my reports/exchanges.har' --finding keys-array --target 'my staging.yaml' --allow-writes --pace 1";
  const terminal = stripVTControlCharacters(renderTerminal(sequence));
  expect(terminal).toContain(`${[...lines, caveat, again].map((line) => `  ${line}`).join('\n')}\n`);
  expect(terminal).toContain('also:    keys-array/other (--finding keys-array/2): Another one.');
  const markdown = renderMarkdown(sequence);
  for (const part of [lines.join('\n'), caveat, again]) expect(markdown).toContain(part);
  const page = renderHtml(sequence);
  expect(page).toContain('Repeat the sequence; request 2 shows it');
  expect(page).toMatch(/caller c0">admin<[\s\S]*caller c1">others\.0<\/span> <span class="caller">at once with 1</);
  expect(page).toContain(caveat);
  expect(renderTerminal(report([check({ outcome: 'violation', dependsOn })]))).not.toContain('platform-mock replay');
});

describe('a replay', () => {
  const recorded = { ...at('/v1/recorded'), entry: { number: 4, startedAt: '2026-11-21T00:27:15Z' } };
  const differs = check({
    ...{ id: 'entry-4', requirements: [], outcome: 'differs', message: 'another status: gap x' },
    ...{ expected: 200, actual: 201, exchanges: [at('/v1/sent', true), recorded] },
  });
  const unsent = check({ id: 'entry-5', requirements: [], outcome: 'untested', message: 'no such person' });
  const overlaps = { here: 0, recorded: 0 };
  const replay = { recorded: 3, sent: 2, alike: 1, tolerant: 1, overlaps, groups: [] };
  const given = report([check({ id: 'entry-3', requirements: [] }), differs, unsent], { replay });

  test('says in its own words what became of the interactions', () => {
    const terminal = stripVTControlCharacters(renderTerminal(given));
    for (const line of [
      'not sent entry-5: no such person',
      '3 interactions: 1 alike, 1 otherwise, 1 not sent in',
      'exit 0: One',
    ])
      expect(terminal).toContain(line);
    const page = renderHtml(given);
    for (const part of ['Replay of a recording', '<h1>1 of 2 alike</h1>', '<dt>As recorded</dt>'])
      expect(page).toContain(part);
    expect(page).toMatch(/caller">target<.*\/v1\/sent[\s\S]*caller">recorded<.*\/v1\/recorded/);
    const markdown = renderMarkdown(given);
    expect(markdown).toContain('1 of 2 alike: ');
    expect(markdown).toContain('| Outcome | Interactions |');
    for (const text of [terminal, page, markdown]) expect(text).not.toMatch(/Conforms|Requirements|\d checks?\b/);
    const broken = renderMarkdown(report([{ ...differs, outcome: 'violation' }], { replay }));
    for (const part of ['#### another status: gap x', 'As recorded:', 'Request and response at the target'])
      expect(broken).toContain(part);
    expect(renderJunit(given)).toContain('message="untested: no such person"');
  });

  test('of a finding says whether it shows again', () => {
    const finding = { id: 'keys-array', outcome: 'undecided' as const };
    const text = renderHtml(report([], { finding, verdict: 'inconclusive' }));
    expect(text).toContain('<h1>Undecided</h1>');
    expect(text).not.toMatch(/id="(findings|counts|requirements|gaps)"/);
  });
});

test('without a mark it is the last one', () => {
  const last = report([check({ outcome: 'violation', exchanges: [at('/v1/first'), at('/v1/last')] })]);
  expect(renderTerminal(last)).toContain('/v1/last');
  expect(renderHtml(last)).toContain('Repeat request 2, which shows it');
});

test('what a pass does not show is said', () => {
  const remarked = report([check({ message: 'Every other tenant was refused.' })]);
  // Where CI is set, it is coloured.
  expect(stripVTControlCharacters(renderTerminal(remarked))).toContain(
    'remark KEY-02: Every other tenant was refused.',
  );
  expect(renderMarkdown(remarked)).toMatch(
    /Passed, with a remark: 1 check<\/summary>\s+- Every other tenant was refused/,
  );
});

const score: SuiteScore = {
  faults: 200,
  killed: 199,
  killRate: 0.995,
  variants: 40,
  falseAlarms: 1,
  metaFaults: 20,
  metaFaultsConforming: 0,
};
const sentence =
  'The suite itself is measured: it catches 199 of 200 deliberate faults (99.5 %), raises 1 false alarm at 40 conforming variants, and passes 0 of 20 servers that do not implement the API.';

test('the score is one sentence, and never rounded up', () => {
  expect(scoreText(score)).toBe(sentence);
  expect(scoreText({ ...score, killRate: 0.9999 })).toContain('(99.9 %)');
  expect(scoreText({ ...score, killRate: 1 })).toContain('(100 %)');
});

test('HTML and Markdown print the score where there is one', () => {
  const measured = report([check()], { score });
  expect(renderHtml(measured)).toContain(sentence);
  expect(renderMarkdown(measured).replaceAll('\\', '')).toContain(sentence);
  expect(renderHtml(report([check()]))).not.toContain('The suite itself is measured');
});
