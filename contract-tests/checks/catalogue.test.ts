import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allChecks, CHECK_FILES } from './catalogue.ts';

test('every file of checks has its place', () => {
  const files = readdirSync(new URL('.', import.meta.url)).flatMap(
    (name) => /^(.+)\.contract\.ts$/.exec(name)?.[1] ?? [],
  );
  // What is generated comes after all of them.
  expect(files.filter((name) => name !== 'explore').sort()).toEqual([...CHECK_FILES].sort());
});

test('no two checks share an id', () => {
  expect(new Set(allChecks.map(({ id }) => id)).size).toBe(allChecks.length);
});
