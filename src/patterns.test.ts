import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageFile } from './server/files/package-root.ts';

interface Pattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

const root = packageFile('.');

const namesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const ofTests = /\.test\.|\.d\.ts$|\/(node_modules|testing)\//;

/** Every pattern in the folders' sources, except tests and test servers; a template's insertions count as one letter. */
function patternsOfSources(folders: readonly string[]): Pattern[] {
  return folders
    .flatMap(namesIn)
    .filter((name) => /\.tsx?$/.test(name) && !ofTests.test(name))
    .flatMap((name) => patternsOfSource(relative(root, name), readFileSync(name, 'utf8')));
}

function patternsOfSource(file: string, text: string): Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    const pattern = ts.isRegularExpressionLiteral(node) ? literalOf(node.text) : madeBy(node);
    if (pattern) found.push({ file, ...pattern });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

function literalOf(text: string): Omit<Pattern, 'file'> {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

/** The pattern of `new RegExp(…)`. One without a literal text is composed of patterns found elsewhere. */
function madeBy(node: ts.Node): Omit<Pattern, 'file'> | undefined {
  const isMade = (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
  const [first, second] = isMade ? (node.arguments ?? []) : [];
  const source = first && textOf(first);
  return source === undefined ? undefined : { source, flags: second && ts.isStringLiteral(second) ? second.text : '' };
}

function textOf(node: ts.Expression): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `x${literal.text}`).join('');
}

const patternsOfSchemas = (): Pattern[] =>
  namesIn('spec')
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .flatMap((name) => schemaPatterns(relative(root, name), parse(readFileSync(name, 'utf8'))));

function schemaPatterns(file: string, value: unknown): Pattern[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'pattern' && typeof member === 'string'
      ? [{ file, source: member, flags: 'u' }]
      : schemaPatterns(file, member),
  );
}

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
  const statusOf = async (source: string) => (await check(source, '', counted)).status;
  for (const source of ['(a+)+$', '\\s+$', '<[^>]*>']) expect(await statusOf(source), source).toBe('vulnerable');
  expect(await statusOf('^\\s*a')).toBe('safe');
});
