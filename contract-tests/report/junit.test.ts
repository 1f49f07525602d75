import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { elementsOf } from '../testing/markup.ts';
import { hostileReport, mixedReport, REPORTS } from '../testing/report.ts';
import { renderJunit } from './junit.ts';

/** What Jenkins' junit-10.xsd and jest-junit's junit.xsd both accept: the elements in their order, with these attributes. */
const ELEMENTS = /^testsuites( testsuite properties( property)+( testcase( skipped| error| failure)?)+)+$/;
const ATTRIBUTES: Readonly<Record<string, string>> = {
  testsuites: 'name tests failures errors time',
  testsuite: 'name tests failures errors skipped time timestamp',
  properties: '',
  property: 'name value',
  testcase: 'classname name time',
  skipped: 'message',
  error: 'message type',
  failure: 'message type',
};

describe('renderJunit', () => {
  const elements = elementsOf(renderJunit(mixedReport()));
  const all = (name: string) => elements.filter((element) => element.name === name);

  it('has a suite an area and a test case a check', () => {
    const names = all('testsuite').map(({ attributes }) => attributes.name);
    expect(names).toEqual(['contract.key', 'contract.sco', 'contract.sso', 'contract.aut', 'contract.verdict']);
    expect(all('testcase')).toHaveLength(8);
    expect(all('testcase')[0]?.attributes).toEqual({
      classname: 'contract.key',
      name: 'keys-array: the list of API keys is a JSON array',
      time: '0.012',
    });
  });

  it('counts failures, errors and skipped tests, in all and for each suite', () => {
    const inAll = { tests: '8', failures: '2', errors: '1', time: '1.834' };
    expect(all('testsuites')[0]?.attributes).toMatchObject(inAll);
    const inFirst = { tests: '3', failures: '1', errors: '0', skipped: '2', timestamp: '2026-11-21T00:27:15' };
    expect(all('testsuite')[0]?.attributes).toMatchObject(inFirst);
  });

  it('makes a violation a failure, a failed set-up an error, and says why something was skipped', () => {
    expect(all('failure').map(({ attributes }) => attributes)).toEqual([
      { message: 'GET answered no array.', type: 'violation' },
      { message: 'Violates: One sentence about the run.', type: 'violates' },
    ]);
    expect(all('error')[0]?.attributes).toEqual({ message: 'No response: connection reset', type: 'error' });
    expect(all('skipped').map(({ attributes }) => attributes.message)).toEqual([
      'blocked KEY-03: No array of keys (see keys-array)',
      'blocked KEY-04: No key (see keys-id)',
      'untested SCO-04: the target file has no actors.member',
      'untested SSO-16: the target file has no actors.member',
    ]);
  });

  it.each(REPORTS)('is valid: $name', (make) => {
    const xml = renderJunit(make());
    expect(XMLValidator.validate(xml)).toBe(true);
    const written = elementsOf(xml);
    expect(written.map(({ name }) => name).join(' ')).toMatch(ELEMENTS);
    for (const { name, attributes } of written) {
      const { tests = '0', failures = '0', errors = '0', skipped = '0', time = '0.000' } = attributes;
      expect(Object.keys(attributes).join(' ')).toBe(ATTRIBUTES[name]);
      expect([tests, failures, errors, skipped, time].join(' ')).toMatch(/^(\d+ ){4}\d+\.\d{3}$/);
    }
  });

  it('names verdict and target in every suite', () => {
    const properties = all('property').map(({ attributes }) => `${attributes.name}=${attributes.value}`);
    expect(properties.filter((property) => property === 'verdict=violates')).toHaveLength(5);
    expect(properties).toContain('target=https://staging.example.test/api');
  });

  it('stays well-formed with anything that a target sends', () => {
    const xml = renderJunit(hostileReport());
    expect(elementsOf(xml).filter(({ name }) => name === 'failure')).toHaveLength(2);
    expect(xml).not.toContain(']]>');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 does not allow.
    expect(xml).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Cs}/u);
    for (const [entity] of xml.matchAll(/&[^;]{0,8};?/g)) expect(entity).toMatch(/^&(amp|lt|gt|quot|apos|#\d+);$/);
  });
});
