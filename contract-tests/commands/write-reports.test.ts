import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../model.ts';
import { testFolder } from '../testing/folder.ts';
import { check, exchange, mixedReport, RENDERERS, report } from '../testing/report.ts';
import { show } from '../values/json.ts';
import { buildReport } from './build-report.ts';
import { readRunInput } from './run-input.ts';
import { assertWritable, writeReports } from './write-reports.ts';

test('the folder is made with those above it, and used again as it is', async () => {
  const deep = join(testFolder(), 'a', 'b');
  for (let time = 0; time < 2; time += 1) expect(await writeReports(mixedReport(), deep)).toHaveLength(4);
  rmSync(join(deep, 'report.md'));
  mkdirSync(join(deep, 'report.md', 'in the way'), { recursive: true });
  await expect(writeReports(mixedReport(), deep)).rejects.toThrow('cannot be written');
  expect(readdirSync(deep).sort()).toEqual(['junit.xml', 'report.html', 'report.json', 'report.md']);
});

test('a long body is in report.json once, and with each check that did not pass', async () => {
  const body = 'x'.repeat(2_000);
  const exchanges = [exchange({ response: { status: 200, headers: {}, body } })];
  const place = testFolder();
  await writeReports(
    report([check({ exchanges }), check({ exchanges }), check({ exchanges, outcome: 'violation' })]),
    place,
  );
  const { checks } = JSON.parse(readFileSync(join(place, 'report.json'), 'utf8')) as Report;
  expect(checks.map((one) => one.exchanges[0]?.response)).toEqual([
    { status: 200, headers: {}, body },
    { status: 200, headers: {}, bodyRef: '#/checks/0/exchanges/0/response/body' },
    { status: 200, headers: {}, body },
  ]);
});

test('without bodies, reports have names and types of members, and marks where messages quote values', () => {
  const title = 'Salary of Ada Lovelace';
  const body = JSON.stringify({ title, tags: ['Lovelace', 'Ada'], count: 7_345, none: null });
  const request = { method: 'PATCH', url: 'https://h.test/v1/x', headers: {}, body: JSON.stringify({ title }) };
  const found = check({
    message: `The title became "${title}".`,
    expected: title,
    actual: { title },
    exchanges: [exchange({ request, response: { status: 200, headers: {}, body } })],
  });
  const brief = check({
    message: `A count of 7345 at 200: ${show({ title })} and ${show('x'.repeat(140) + title)}`,
    expected: 'at most 7345 of 12',
    actual: `200 application/json: ${show(body)}`,
  });
  const target = { baseUrl: 'https://h.test' };
  const given = { ...readRunInput({}), target, given: undefined, startedAt: new Date() };
  const built = buildReport({ ...given, withoutBodies: true, found: { checks: [found, brief] } });
  const text = RENDERERS.map((render) => render(built)).join('\n');
  for (const value of ['Salary', 'Lovelace', '7345']) expect(text).not.toContain(value);
  const [{ message, expected, actual, exchanges } = found, other] = built.checks;
  expect({ message, expected, actual }).toEqual({
    message: 'The title became "‹title›".',
    expected: '‹title›',
    actual: { title: 'string' },
  });
  expect(other).toMatchObject({ expected: 'at most ‹count› of 12', actual: '200 application/json: "…"' });
  expect(exchanges[0]?.response?.body).toBe('{"title":"string","tags":["string"],"count":"number","none":"null"}');
});

test('that a file can be written is found out without leaving one', () => {
  const place = testFolder();
  assertWritable('--sarif', join(place, 'findings.sarif'));
  expect(readdirSync(place)).toEqual([]);
});
