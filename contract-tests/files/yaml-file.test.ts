import { expect, test } from 'vitest';
import { loadBaseline } from '../commands/baseline.ts';
import { UsageError } from '../errors.ts';
import { readTarget } from '../session/target-file.ts';
import { withFiles } from '../testing/fixtures.ts';
import { parseYaml } from './yaml-file.ts';

const letters = [...'abcdefghij'];
/** Nine of nine of nine … of one value: 10^9 in all. */
const bomb = letters.map((name, at) => `${name}: &${name} [${Array(9).fill(at === 0 ? 1 : `*${letters[at - 1]}`)}]`);
const indented = Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`);

test.each([
  ['an alias of nothing', 'baseUrl: *nothing', /cannot be read: Unresolved alias .*nothing/],
  ['an alias of what contains it', 'baseUrl: &a [*a]', /cannot be read: an alias refers to what contains it/],
  ['aliases that multiply', bomb.join('\n'), /cannot be read: Excessive alias count/],
  ['100,000 open brackets', `baseUrl: ${'['.repeat(100_000)}`, /:1: nested more than 200 levels deep/],
  ['10,000 lists in one line', '- '.repeat(10_000), /nested more than 200 levels deep/],
  ['indentation without end', indented.join('\n'), /nested more than 200 levels deep/],
])('%s is a usage error of one line', (_name, text, reason) =>
  withFiles({ 'target.yaml': text }, async (path) => {
    const read = (): unknown => readTarget({ target: path('target.yaml') });
    expect(read).toThrow(UsageError);
    expect(read).toThrow(reason);
    expect(read).not.toThrow('\n');
  }),
);

test('a device without end is a usage error, as a target file and as a baseline', () => {
  for (const load of [() => readTarget({ target: '/dev/zero' }), () => loadBaseline('/dev/zero', [], [])])
    expect(load).toThrow(/cannot be read \(it is a device\)/);
});

test('what is nested as people nest it is read', () => {
  const text = '['.repeat(90) + ']'.repeat(90);
  expect(parseYaml(text, 'file.yaml').value).toEqual(JSON.parse(text));
});

test('merge keys are merged, in every file that is read', () => {
  const text = 'base: &base { a: 1, b: 2 }\nown: { <<: *base, b: 3 }\nquoted: { "<<": 1 }\n';
  expect(parseYaml(text, 'file.yaml').value).toMatchObject({ own: { a: 1, b: 3 }, quoted: { '<<': 1 } });
});
