/** How many requests a run needs at a conforming target; they are precious where a gateway counts them. */
import { expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { targetAt } from '../../src/score/run.ts';
import { renderAnnotations } from '../report/github.ts';
import { verify, verifyAt } from '../testing/judge.ts';
import { RENDERERS } from '../testing/report.ts';

test.each([
  ['a full run, with probes and reads', {}, 'default', 215],
  ['the same where unknown fields, and those that are not writable, are refused', {}, 'strict', 215],
  ['the same where most gaps are answered otherwise', {}, 'nest', 215],
  ['a quick run', { quick: true }, 'default', 60],
])('%s judges every requirement, says how many requests it sends, and puts the title back', async (...row) => {
  const [, options, profile, most] = row;
  await using mock = await startMock({ log: () => {}, profile });
  // The first request loads what answers it, which takes long on a busy machine.
  const report = await verify({ baseUrl: mock.baseUrl, timeout: 60_000, ...options });
  expect(report).toMatchObject({ verdict: 'conforms', exitCode: 0 });
  const others = report.requirements.filter(({ outcome }) => outcome !== 'excluded' && outcome !== 'pass');
  expect(others).toEqual([]);
  // Rounds of four at once: of each, any two are a pair.
  if (profile === 'default' && !('quick' in options)) expect(report.requests?.overlaps).toBeGreaterThanOrEqual(3 * 6);

  const { total = 0, writes = 0, byOperation = {} } = report.requests ?? {};
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(most);
  expect(writes).toBeLessThan(total);
  expect(Object.values(byOperation).reduce((sum, count) => sum + count, 0)).toBe(total);
  expect(Object.keys(byOperation)).toEqual(
    expect.arrayContaining(['sso', 'login', 'recording', 'api-keys', 'scopes', 'pat']),
  );

  expect(report.leftovers.filter((line) => line.includes('title'))).toEqual([]);
  const titles = [...mock.world.store.recordings.all()].map(({ title }) => title);
  expect(titles).toContain('Kick-off: difference engine');
  expect(titles.filter((title) => /contract|suite|title/i.test(title))).toEqual([]);
});

test.each([
  ['a whole run, where it does not gate', {}, 0],
  ['--only REC-41, where nothing passes', { only: ['REC-41'] }, 4],
])('what is untested for lack of a field is named by every report of %s', async (_, options, exitCode) => {
  await using mock = await startMock({ log: () => {} });
  const report = await verifyAt({ ...targetAt(mock), reads: undefined }, { quick: true, ...options });
  expect(report.exitCode).toBe(exitCode);
  for (const render of RENDERERS)
    expect(render(report).split(/(REC-41)|the target file has no (reads.recording)/)).toEqual(
      expect.arrayContaining(['REC-41', 'reads.recording']),
    );
  expect(renderAnnotations(report)).toMatch(exitCode === 0 ? /^$/ : /no reads\.recording\.\n$/);
});

test('a run that --only limits sends the phases that these checks need', async () => {
  await using mock = await startMock({ log: () => {} });
  const report = await verify({ baseUrl: mock.baseUrl, only: ['keys-array'] });
  expect(report.checks.map(({ id }) => id)).toEqual(['keys-array']);
  // The one update finds the recording.
  expect(report.requests?.byOperation).toMatchObject({ recording: 1 });
  expect(report.requests?.total).toBeLessThan(50);
  // That update is empty.
  expect(report.leftovers.filter((line) => line.includes('summary'))).toEqual([]);
});

test('a recording that another identifier changed is named: the suite cannot put it back', async () => {
  await using mock = await startMock({ faults: ['update-of-unknown-changes-another'], log: () => {} });
  const report = await verify({ baseUrl: mock.baseUrl, allowWrites: true });
  expect(report.exitCode).toBe(1);
  const named = report.leftovers.filter((line) => line.includes('it was the answer to an update of'));
  // Once, and not those of the target file, whose titles are put back.
  expect(named).toEqual([expect.stringMatching(/^the recording rec_interview: .* of \S+ and of \S+, which may have/)]);
});
