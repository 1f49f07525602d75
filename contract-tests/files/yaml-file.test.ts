import { describe, expect, test } from 'vitest';
import { loadBaseline } from '../commands/baseline.ts';
import { UsageError } from '../errors.ts';
import { readTarget } from '../session/target-file.ts';
import { withFiles } from '../testing/fixtures.ts';

const loadTarget = (target: string) => readTarget({ target });

const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]', ...'bcdefg'].map((line, at) => {
  if (at === 0) return line;
  const before = `*${'abcdefg'[at - 1]}`;
  return `${line}: &${line} [${Array(10).fill(before).join(', ')}]`;
});

const FILES: Record<string, [text: string, reason: RegExp]> = {
  'an alias of nothing': ['baseUrl: *nothing', /cannot be read: Unresolved alias .*nothing/],
  'an alias of itself': ['baseUrl: &a [*a]', /cannot be read: an alias refers to what contains it/],
  'aliases that multiply': [bomb.join('\n'), /cannot be read: Excessive alias count/],
  'nesting without end': [`baseUrl: ${'['.repeat(100_000)}`, /:1: nested more than 200 levels deep/],
};

test.each([
  ['a target file', loadTarget],
  ['a baseline', (file: string) => loadBaseline(file, [], [])],
])('%s that is a device without end is a usage error', (_kind, load) => {
  expect(() => load('/dev/zero')).toThrow(/cannot be read \(it is a device\)/);
});

describe.each(Object.entries(FILES))('%s is a usage error of one line', (_name, [text, reason]) => {
  test.each([
    ['in a target file', loadTarget],
    ['in a baseline', (file: string) => loadBaseline(file, [], [])],
  ])('%s', (_kind, load) =>
    withFiles({ 'file.yaml': text }, async (path) => {
      const read = (): unknown => load(path('file.yaml'));
      expect(read).toThrow(UsageError);
      expect(read).toThrow(reason);
      expect(read).not.toThrow('\n');
    }),
  );
});
