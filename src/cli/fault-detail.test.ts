import { expect, test } from 'vitest';
import { runHere } from '../testing/command.ts';

test('faults ID: what it does, what it violates, and how it is armed', async () => {
  const { stdout, code } = await runHere(['faults', 'title-leading-zeros']);
  expect(stdout).toMatch(/^title-leading-zeros {2}\S/);
  expect(stdout).toMatch(/\nViolates\n {2}REC-22 \(section 4\.2\) \S/);
  expect(stdout).toContain('\n  platform-mock serve --fault title-leading-zeros\n');
  expect(code).toBe(0);
});

test('a fault with parameters: each in words', async () => {
  const { stdout } = await runHere(['faults', 'delay']);
  expect(stdout).toMatch(/\nViolates\n {2}no requirement\n/);
  expect(stdout).toMatch(/\nParameters\n {2}ms: .+/);
});

test('as JSON', async () => {
  const { stdout } = await runHere(['faults', 'title-leading-zeros', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    id: 'title-leading-zeros',
    kind: 'fault',
    violates: [{ id: 'REC-22', section: '4.2', statement: expect.any(String) }],
  });
});
