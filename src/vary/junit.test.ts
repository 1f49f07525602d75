import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { fileWith } from '../testing/refused.ts';
import { readJunit } from './junit.ts';

const dom = `<body>\n  <div class="a" />\n</body> & é`.repeat(2500);
const escaped = dom
  .replaceAll('&', '&amp;')
  .replaceAll('<', '&lt;')
  .replaceAll('"', '&quot;')
  .replaceAll('é', '&#233;');
const nested = (depth: number): string =>
  `${'<testsuite name="inner">'.repeat(depth)}<testcase name="a"/>${'</testsuite>'.repeat(depth)}`;
const named = '<testcase classname="cart.test.ts" name="Cart &gt; Line &gt; is shown"/>';

const failed = { message: 'x <body>', outcome: 'failed' };

test.each([
  ['1,001 tests of a describe', named.repeat(1001), { id: 'cart.test.ts › Cart > Line > is shown', outcome: 'passed' }],
  ['a DOM in an attribute', `<testcase name="a"><failure message="x ${escaped}"/></testcase>`, failed],
  ['a DOM in a text', `<testcase name="a"><failure>x ${escaped}</failure></testcase>`, failed],
  ['suites in suites, as node:test writes them', nested(300), { id: 'inner › a', outcome: 'passed' }],
  ['members that are no attributes', '<testcase name="a"><classname><toString/></classname></testcase>', { id: 'a' }],
])('%s', (_, cases, expected) => {
  const found = readJunit(fileWith(`<testsuites><testsuite>${cases}</testsuite></testsuites>`, 'x.xml'));
  expect(found).toMatchObject([expected]);
});

test.each([
  ['text that is cut off', '<testsuites><testsuite>', /x\.xml:1 is not XML: /],
  [
    'an entity that expands without end',
    `<!DOCTYPE a [<!ENTITY e "${'x'.repeat(9000)}">]><testsuites><testsuite name="${'&e;'.repeat(900)}"/></testsuites>`,
    /x\.xml cannot be read as JUnit: .*exceeded/,
  ],
])('%s is refused', (_, text, message) => {
  expect(() => readJunit(fileWith(text, 'x.xml'))).toThrow(message);
});

test.each([
  ['a pipe, which would block', (file: string) => execFileSync('mkfifo', [file]), /is not a regular file/],
  ['a link out of the folder', (file: string) => symlinkSync(fileWith('<testsuites/>', 'y.xml'), file), /leads out of/],
  ['a link that leads nowhere', (file: string) => symlinkSync('/nowhere/x', file), /leads nowhere/],
])('%s is refused', (_, make, message) => {
  const file = join(testFolder(), 'x.xml');
  make(file);
  expect(() => readJunit(file)).toThrow(message);
});
