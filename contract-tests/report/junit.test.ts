import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { elementsOf } from '../testing/markup.ts';
import { hostileReport, hugeReport, mixedReport, REPORTS, unreachableReport } from '../testing/report.ts';
import { renderJunit } from './junit.ts';

const xmllint = (input: string, ...options: string[]) =>
  spawnSync('xmllint', ['--huge', ...options, '-'], { input, encoding: 'utf8' });
const SCHEMA = fileURLToPath(new URL('../testing/junit.xsd', import.meta.url));
const hasXmllint = xmllint('<a/>').status === 0;

describe('renderJunit', () => {
  const elements = elementsOf(renderJunit(mixedReport()));
  const all = (name: string) => elements.filter((element) => element.name === name);

  it('has a suite an area and a test case a check', () => {
    const names = all('testsuite').map(({ attributes }) => attributes.name);
    expect(names).toEqual(['contract.key', 'contract.sco', 'contract.sso', 'contract.aut']);
    expect(all('testcase')).toHaveLength(7);
    expect(all('testcase')[0]?.attributes).toEqual({
      classname: 'contract.key',
      name: 'keys-array: the list of API keys is a JSON array',
      time: '0.012',
    });
  });

  it('counts failures, errors and skipped tests, in all and for each suite', () => {
    const inAll = { tests: '7', failures: '1', errors: '1', time: '1.834' };
    expect(all('testsuites')[0]?.attributes).toMatchObject(inAll);
    const inFirst = { tests: '3', failures: '1', errors: '0', skipped: '2', timestamp: '2026-11-21T00:27:15' };
    expect(all('testsuite')[0]?.attributes).toMatchObject(inFirst);
  });

  it('fills a failure with what is needed to understand and repeat it', () => {
    const [failure, ...others] = all('failure');
    expect(others).toEqual([]);
    expect(failure?.attributes).toEqual({ message: 'GET answered no array.', type: 'violation' });
    for (const text of [
      'KEY-02 (section 4.3): Statement of KEY-02.',
      'expected: a JSON array',
      'actual:   {&quot;items&quot;:[]}',
      'repeat:   curl -i https://staging.example.test/api/v1/things',
    ]) {
      expect(failure?.text).toContain(text);
    }
  });

  it('makes a failed set-up an error, and says why something was skipped', () => {
    expect(all('error')[0]?.attributes).toEqual({ message: 'No response: connection reset', type: 'error' });
    expect(all('skipped').map(({ attributes }) => attributes.message)).toEqual([
      'blocked KEY-03: No array of keys (see keys-array)',
      'blocked KEY-04: No key (see keys-id)',
      'untested SCO-04: the target file has no actors.member',
      'untested SSO-16: the target file has no actors.member',
    ]);
  });

  // CI must have it.
  describe.skipIf(!hasXmllint && process.env.CI !== 'true')('at xmllint (skipped where it is not installed)', () => {
    const isValid = (xml: string): boolean => xmllint(xml, '--noout', '--schema', SCHEMA).status === 0;

    it.each(REPORTS)('is valid, and read alike: $name', (make) => {
      const xml = renderJunit(make());
      expect(isValid(xml)).toBe(true);
      for (const name of ['testcase', 'failure', 'error', 'skipped', 'property'])
        expect(xmllint(xml, '--xpath', `count(//${name})`).stdout.trim(), name).toBe(
          String(elementsOf(xml).filter((element) => element.name === name).length),
        );
    });
  });

  it('names verdict and target in every suite', () => {
    const properties = all('property').map(({ attributes }) => `${attributes.name}=${attributes.value}`);
    expect(properties.filter((property) => property === 'verdict=violates')).toHaveLength(4);
    expect(properties).toContain('target=https://staging.example.test/api');
  });

  it('is never empty, since an empty file counts as success', () => {
    const [error] = elementsOf(renderJunit(unreachableReport())).filter(({ name }) => name === 'error');
    expect(error?.attributes.message).toBe('Unreachable: Connection refused.');
  });

  it('stays well-formed with anything that a target sends', () => {
    const xml = renderJunit(hostileReport());
    expect(elementsOf(xml).filter(({ name }) => name === 'failure')).toHaveLength(1);
    expect(xml).not.toContain(']]>');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 does not allow.
    expect(xml).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/u);
    for (const [entity] of xml.matchAll(/&[^;]{0,8};?/g)) expect(entity).toMatch(/^&(amp|lt|gt|quot|apos|#\d+);$/);
    elementsOf(renderJunit(hugeReport()));
  });
});
