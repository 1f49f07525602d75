// docs/api.md has an anchor for everything that code, reports and messages cite; src/papers.test.ts follows its links.
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadRequirements } from '../../contract-tests/spec-data.ts';
import { operationsOf } from '../core/spec/document.ts';
import { defaultAnswers, gapLedger } from '../core/spec/gaps.ts';
import { resolve } from '../core/spec/resolve.ts';
import { packageFile } from '../server/files/package-root.ts';
import { sourceDocument } from '../server/files/sections.ts';

const page = readFileSync(packageFile('docs', 'api.md'), 'utf8');
const anchors = [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
const requirements = loadRequirements();
const { gaps, openPoints, alsoOpen } = gapLedger();
const operations = operationsOf(resolve(defaultAnswers()));

test('every section, requirement and gap has one anchor', () => {
  const cited = [...requirements, ...gaps, ...openPoints, ...alsoOpen].map(({ section }) => section);
  const ids = [...requirements, ...gaps].map(({ id }) => id);
  const sections = Object.keys(sourceDocument().sections);
  expect([...new Set(cited)].filter((section) => !sections.includes(section))).toEqual([]);
  expect([...sections, ...ids].filter((id) => !anchors.includes(id))).toEqual([]);
  expect(anchors).toHaveLength(new Set(anchors).size);
});

test('every section has a summary', () => {
  const { sections, about } = sourceDocument();
  expect(Object.keys(about)).toEqual(Object.keys(sections));
});

test('every operation is in the section that documents it', () => {
  const places = operations.map(({ method, path }) => {
    const [before, after] = page.split(`**\`${method.toUpperCase()} ${path}\`**`);
    return after && before?.match(/^#+ (.*)$/gm)?.at(-1);
  });
  const expected = operations.map(({ operation }) => {
    const number = String((operation as unknown as { 'x-source': string })['x-source']);
    return `${'#'.repeat(number.split('.').length + 1)} ${number} ${sourceDocument().sections[number]}`;
  });
  expect(places).toEqual(expected);
});

const source = packageFile('..', 'shared', 'source-document.md');

test.runIf(existsSync(source))('no sentence of the source document is on the page', () => {
  const plain = (markdown: string) =>
    markdown
      .replaceAll(/[`*\\]/g, '')
      .replaceAll(/\s+/g, ' ')
      .toLowerCase();
  const sentences = plain(readFileSync(source, 'utf8'))
    .split(/[.:;|]\s|\s\|/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').length >= 6);
  expect(sentences.length).toBeGreaterThan(40);
  expect(sentences.filter((sentence) => plain(page).includes(sentence))).toEqual([]);
});
