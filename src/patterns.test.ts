import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { check } from 'recheck';
import { expect, test } from 'vitest';
import { packageFile } from './server/files/package-root.ts';
import { type Pattern, patternsOfSchemas, patternsOfSources } from './testing/patterns.ts';

// The sender of the text must not decide how long a pattern takes: each is found linear, or it is not used.

/** The result for a pattern is cached: checking all of them takes half a minute. */
const cacheFile = packageFile('.cache', 'patterns.json');

const nameOf = ({ file, source, flags }: Pattern): string => `${file}: /${source}/${flags}`;
const keyOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;

/** By seed and steps, not by the clock: the same verdict on any machine, however busy. */
const counted = { randomSeed: 1, timeout: null, attackTimeout: null, incubationTimeout: null } as const;

async function verdictsOn(patterns: readonly Pattern[]): Promise<ReadonlyMap<string, string>> {
  const known: Record<string, string> = existsSync(cacheFile) ? JSON.parse(readFileSync(cacheFile, 'utf8')) : {};
  const verdicts = new Map<string, string>();
  const queue = [...new Map(patterns.map((pattern) => [keyOf(pattern), pattern])).values()];
  const work = async (): Promise<void> => {
    for (let pattern = queue.pop(); pattern; pattern = queue.pop()) {
      const { source, flags } = pattern;
      const key = keyOf(pattern);
      verdicts.set(key, known[key] ?? (await check(source, flags, counted)).status);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  mkdirSync(dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify(Object.fromEntries(verdicts)));
  return verdicts;
}

test('every pattern in the sources and in the schemas is linear', async () => {
  const patterns = [...patternsOfSources(['src', 'contract-tests']), ...patternsOfSchemas()];
  expect(patterns.length).toBeGreaterThan(200);
  const verdicts = await verdictsOn(patterns);
  const found = patterns.filter((pattern) => verdicts.get(keyOf(pattern)) !== 'safe').map(nameOf);
  expect(found).toEqual([]);
});

test('finds patterns that are not linear', async () => {
  const statuses = ['(a+)+$', '\\s+$', '<[^>]*>', '^\\s*a'].map((source) => check(source, '', counted));
  expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([
    'vulnerable',
    'vulnerable',
    'vulnerable',
    'safe',
  ]);
});
