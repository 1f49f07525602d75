import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { allRules } from '../../contract-tests/rules/rules.ts';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { type Fault, faults } from '../core/faults/index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { metaFaults } from './meta-faults.ts';
import { renderEach, renderScore, renderScoreMarkdown } from './report.ts';
import type { FaultRun, MetaFaultRun, Run, VariantRun } from './run.ts';
import { allJobs } from './score.ts';
import { isDocumented, type Score, shortcomings, tally } from './tally.ts';
import { notPassing, variants } from './variants.ts';

const fault = (id: string, requirements: string[], family: Fault['family'] = 'state'): Fault => ({
  id,
  family,
  parameters: [],
  description: `Does ${id}.`,
  requirements,
});
const faultRun = (id: string, given: Partial<FaultRun> = {}): FaultRun => ({
  kind: 'fault',
  id,
  hits: 1,
  ownViolations: 0,
  violated: ['A-1'],
  checks: ['check-a'],
  ...given,
});
const variantRun = (id: string, alarms: string[] = [], coverage: string[] = []): VariantRun => ({
  kind: 'variant',
  id,
  description: `is ${id}`,
  alarms,
  coverage,
  passed: 10,
  unmet: 2,
  verdict: 'conforms',
});
const metaRun = (id: string, verdict: MetaFaultRun['verdict']): MetaFaultRun => ({
  kind: 'meta-fault',
  id,
  description: `does ${id}`,
  verdict,
});
const requirements = [
  { id: 'A-1', section: '1', statement: 'One.' },
  { id: 'A-2', section: '1', statement: 'Two.' },
  { id: 'A-3', section: '1', statement: 'Three.', excluded: 'it cannot be observed' },
];
const scoreOf = (given: readonly Fault[], runs: readonly Run[]) => tally(given, requirements, runs, 1.4);

const one = [fault('one', ['A-1', 'A-2'])];

describe('a kill', () => {
  const resultOf = (given: Partial<FaultRun>) => scoreOf(one, [faultRun('one', given)]).faults[0];

  test.each([
    ['the fault never did anything', { hits: 0 }, /nothing that the suite sent/],
    ['the mock broke in another way', { ownViolations: 2 }, /break its own spec 2 times/],
    ['only another requirement was violated', { violated: ['A-2'] }, /only A-2 were found violated, not A-1/],
    ['no check found anything', { violated: [] }, /no check found a violation/],
  ])('is not counted where %s', (_name, given, reason) => {
    expect(resultOf(given)).toMatchObject({ result: 'survived', reason: expect.stringMatching(reason) });
  });

  test('is a violation of the main requirement by a fault that really ran', () => {
    expect(resultOf({})).toMatchObject({ result: 'killed' });
    expect(scoreOf(one, []).faults[0]).toMatchObject({ result: 'not run' });
  });
});

test('the figures count what can be seen only, and never round up', () => {
  const given = [
    ...Array.from({ length: 2001 }, (_, at) => fault(`f${at}`, ['A-1'])),
    fault('unseen', ['A-3']),
    fault('slow', [], 'environment'),
    fault('other', [], 'variation'),
  ];
  const runs = given.slice(1).map(({ id }) => faultRun(id));
  const { totals } = scoreOf(given, [...runs, variantRun('v', ['x: violation: y', 'z']), metaRun('m', 'conforms')]);
  expect(totals).toMatchObject({
    requirements: 2,
    faults: 2001,
    killed: 2000,
    killRate: 0.999,
    unobservableFaults: 1,
    environmentFaults: 1,
    variants: 1,
    falseAlarms: 1,
    unmetNeeds: 2,
    metaFaults: 1,
    metaFaultsConforming: 1,
  });
});

test('every shortcoming is a line that names it, in the terminal and in the Markdown', () => {
  const score = scoreOf(one, [
    faultRun('one', { violated: [] }),
    variantRun('v', ['x: violation: y']),
    variantRun('w', [], ['coverage lost: 1 fewer', 'z: untested: no']),
    metaRun('m', 'conforms'),
  ]);
  const lines = [
    'survivor: one (breaks A-1): no check found a violation',
    'unmeasured: no fault breaks A-2 first of all',
    'false alarm: v: x: violation: y',
    'w: coverage lost: 1 fewer; z: untested: no',
    'green: a server that does m (m) was found to conform',
  ];
  expect(shortcomings(score)).toEqual(lines);
  for (const text of [renderScore(score), renderScoreMarkdown(score)])
    for (const line of lines) expect(text).toContain(line);
  expect(renderScore(score).split('\n').length).toBeLessThan(40);
});

test('without shortcomings the summary says so', () => {
  const runs = [faultRun('one'), faultRun('two', { violated: ['A-2'] }), variantRun('v'), metaRun('m', 'violates')];
  const score = scoreOf([...one, fault('two', ['A-2'])], runs);
  expect(shortcomings(score)).toEqual([]);
  expect(renderScoreMarkdown(score)).toContain('Nothing.');
});

test('what is measured has unique ids, and what is pinned is measured', () => {
  const jobs = allJobs().map(({ kind, id }) => `${kind} ${id}`);
  expect(new Set(jobs).size).toBe(jobs.length);
  expect(variants().map(({ id }) => id)).toEqual(expect.arrayContaining(Object.keys(notPassing)));
});

test('the shipped figures are about this catalogue; `npm run score` measures whether they are true', () => {
  const shipped = JSON.parse(readFileSync(packageFile('spec', 'score.json'), 'utf8')) as Score['totals'];
  const documented = faults.filter(isDocumented);
  const excluded = loadRequirements().filter((one) => one.excluded !== undefined);
  const ofExcluded = documented.filter((one) => excluded.some(({ id }) => id === one.requirements[0]));
  expect(shipped).toMatchObject({
    checks: allRules.length,
    requirements: loadRequirements().length - excluded.length,
    faults: documented.length - shipped.unobservableFaults,
    variants: variants().length,
    metaFaults: metaFaults.length,
    ...{ killed: shipped.faults, falseAlarms: 0, metaFaultsConforming: 0 },
  });
  // Some of them the mock lets be seen, and then they count.
  expect(shipped.unobservableFaults).toBeLessThan(ofExcluded.length);
});

test('each target is a line, and what is wrong with it another one', () => {
  const given = [fault('one', ['A-1']), fault('two', ['A-2'])];
  const runs = [faultRun('one'), faultRun('two', { hits: 0 }), metaRun('empty', 'conforms')];
  const [first, second, third, ...wrong] = renderEach(scoreOf(given, runs)).trimEnd().split('\n');
  expect(first).toBe('  one: killed, by check-a');
  expect(second).toBe('  two: survived, nothing that the suite sent triggered it');
  expect(third).toBe('  empty: conforms');
  expect(wrong.join('\n')).toMatch(/survivor: two.*green: .*empty/s);
});
