import { expect, test } from 'vitest';
import { ConfigError } from '../../core/spec/config-error.ts';
import { parseYaml, readYamlFile } from './yaml-file.ts';

const letters = [...'abcdefghij'];
/** Nine of nine of nine … of one value: 10^9 in all. */
const bomb = letters
  .map((name, at) => `${name}: &${name} [${Array(9).fill(at === 0 ? 1 : `*${letters[at - 1]}`)}]`)
  .join('\n');

const hostile = [
  ['an alias of nothing', 'name: *missing\n', 'Unresolved alias'],
  ['a bomb', bomb, 'Excessive alias count'],
  ['an alias of what contains it', 'answers: &a [*a]\n', 'an alias refers to what contains it'],
  ['100,000 open brackets', '['.repeat(100_000), 'nested more than 200 levels deep'],
  ['10,000 lists in one line', '- '.repeat(10_000), 'nested more than 200 levels deep'],
  [
    'indentation without end',
    Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
    'nested more than 200 levels deep',
  ],
] as const;

test.each(hostile)('%s is refused in one line', (_name, text, reason) => {
  const parse = () => parseYaml(text, 'file.yaml');
  expect(parse).toThrow(ConfigError);
  expect(parse).toThrow(reason);
  expect(parse).toThrow(/^file\.yaml.*$/);
  expect(parse).not.toThrow(/\n/);
});

test('what is nested as people nest it is read', () => {
  const depth = 90;
  const text = '['.repeat(depth) + ']'.repeat(depth);
  expect(parseYaml(text, 'file.yaml').value).toEqual(JSON.parse(text));
});

test('a device without end is refused', () => {
  expect(() => readYamlFile('/dev/zero')).toThrow('/dev/zero: cannot be read (it is a device)');
});
