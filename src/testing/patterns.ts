import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { packageFile } from '../server/files/package-root.ts';

export interface Pattern {
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
export function patternsOfSources(folders: readonly string[]): Pattern[] {
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

export const patternsOfSchemas = (): Pattern[] =>
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
