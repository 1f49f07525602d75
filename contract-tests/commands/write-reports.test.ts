import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../model.ts';
import { testFolder } from '../testing/folder.ts';
import { check, exchange, mixedReport, report } from '../testing/report.ts';
import { assertWritable, writeReports } from './write-reports.ts';

test('the folder is made with those above it, and used again as it is', async () => {
  const deep = join(testFolder(), 'a', 'b');
  for (let time = 0; time < 2; time += 1) expect(await writeReports(mixedReport(), deep)).toHaveLength(4);
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

test('that a file can be written is found out without leaving one', () => {
  const place = testFolder();
  assertWritable('--sarif', join(place, 'findings.sarif'));
  expect(readdirSync(place)).toEqual([]);
});
