import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { BASE_URL, check, exchange, mixedReport, REPORTS, report } from '../testing/report.ts';
import { renderSarif } from './sarif.ts';

const list = (items: object) => ({ type: 'array', items });
const text = { type: 'string' };
const message = closed({ text }, ['text']);
const uri = { type: 'string', pattern: "^[!#$%&'()*+,\\-./:;=?@\\w~\\[\\]]*$" };
const location = closed({
  physicalLocation: closed({ artifactLocation: closed({ uri }) }),
  logicalLocations: list(closed({ fullyQualifiedName: text })),
  message,
});
const level = { enum: ['none', 'note', 'warning', 'error'] };
const moment = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$' };
const invocation = closed(
  {
    executionSuccessful: { type: 'boolean' },
    exitCode: { type: 'integer' },
    startTimeUtc: moment,
    endTimeUtc: moment,
    toolExecutionNotifications: list(closed({ level, message }, ['message'])),
  },
  ['executionSuccessful'],
);
const result = {
  ...closed(
    {
      ruleId: text,
      ruleIndex: { type: 'integer', minimum: -1 },
      level,
      kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
      message,
      partialFingerprints: { type: 'object', additionalProperties: text },
      suppressions: list(closed({ kind: { enum: ['inSource', 'external'] }, justification: text }, ['kind'])),
      locations: list(location),
    },
    ['message'],
  ),
  // 3.27.10: what is not `fail` has no level.
  if: { properties: { kind: { not: { const: 'fail' } } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { level: { const: 'none' } } },
};
const rule = closed({ id: text, shortDescription: message, help: message, properties: { type: 'object' } }, ['id']);
const driver = closed({ name: text, version: text, rules: { ...list(rule), uniqueItems: true } }, ['name']);
const tool = closed({ driver }, ['driver']);
const shown = { invocations: list(invocation), results: list(result), properties: { type: 'object' } };
const run = closed({ tool, ...shown }, ['tool']);
const $schema = { type: 'string', pattern: '^https://' };

/** What SARIF 2.1.0 demands of the members that we write; every other one would be a mistake. */
const SUBSET = closed({ $schema, version: { const: '2.1.0' }, runs: list(run) }, ['version', 'runs']);

function closed(properties: Record<string, object>, required: string[] = []) {
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

const read = (given = mixedReport()) => JSON.parse(renderSarif(given)).runs[0];

describe('SARIF', () => {
  test.each(REPORTS)('is valid: $name', (make) => {
    const validate = new Ajv({ allErrors: true, strict: false }).compile(SUBSET);
    validate(JSON.parse(renderSarif(make())));
    expect(validate.errors).toBeNull();
  });

  test('has a rule a check, and a result for each that did not pass: at the request that shows it', () => {
    const { tool, results, invocations } = read();
    expect(tool.driver.rules).toHaveLength(8);
    expect(results).toHaveLength(7);
    expect(results[0]).toMatchObject({ ruleId: 'keys-array', ruleIndex: 0, kind: 'fail', level: 'error' });
    expect(results[0].message.text).toMatch(/^GET answered no array\.\nRepeat it: curl -i /);
    expect(results[0].locations[0].logicalLocations[0].fullyQualifiedName).toBe('GET /v1/things');
    expect(results[1]).toMatchObject({ ruleId: 'keys-id', kind: 'open', level: 'none' });
    expect(invocations[0]).toMatchObject({ exitCode: 1, executionSuccessful: true });
  });

  test('names a path as it was sent', () => {
    const url = `${BASE_URL}/v1/things/a%2Bb%20"c"`;
    const asked = exchange({ request: { method: 'GET', url, headers: {} } });
    const [found] = read(report([check({ outcome: 'violation', message: 'm', exchanges: [asked] })])).results;
    expect(found.locations[0].physicalLocation.artifactLocation.uri).toBe('v1/things/a%2Bb%20%22c%22');
  });

  test('suppresses a known finding, with the reason', () => {
    const [known] = read(report([check({ outcome: 'violation', message: 'm', known: 'TICKET-1' })])).results;
    expect(known.suppressions).toEqual([{ kind: 'external', justification: 'TICKET-1' }]);
  });
});
