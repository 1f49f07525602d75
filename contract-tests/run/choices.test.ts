import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { READ_ONLY_FIELDS, readOnlyField, WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, sentObject } from '../log/entry.ts';
import { loadModel } from '../plan/model.ts';
import { recordOf } from '../rules/documented.ts';
import { sameValue } from '../rules/fields.ts';
import type { Rule } from '../rules/rule.ts';
import { verify } from '../testing/judge.ts';
import { asText, isObject, type JsonObject, memberOf } from '../values/json.ts';
import { otherValues, tellingPairs, unlike } from './choices.ts';

/** What the suite sends in its first requests, so that an earlier run at a defective target may have left it behind. */
const left = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.keys(READ_ONLY_FIELDS).map((field) => [field, otherValues(field, record)[0]]));

describe('choices of the planner', () => {
  test('at 200 recordings, and where an earlier run left its own values, each differs from the present one', async () => {
    await using mock = await startMock({ recordings: 200, log: () => {} });
    const records = [...mock.world.store.recordings.all()].map((record) => ({ ...record }) as JsonObject);
    expect(records.length).toBeGreaterThanOrEqual(200);
    const likeOurs = loadModel().recording.dimensions.analysis?.find(({ id }) => id === 'like-ours')?.value;
    for (const record of records.flatMap((each) => [each, { ...each, ...left(each) }])) {
      for (const field of Object.keys(READ_ONLY_FIELDS)) {
        const values = otherValues(field, record);
        expect(values.length).toBeGreaterThan(0);
        for (const value of values) expect(sameValue(field, value, memberOf(record, field))).toBe(false);
      }
      const sent = unlike(likeOurs as JsonObject, record);
      for (const [name, value] of Object.entries(sent))
        if (readOnlyField(name)) expect(value).not.toBe(memberOf(record, readOnlyField(name) ?? ''));
    }
  });

  test('of the pairs of filters the first one has several matches and others that match one of both, if any pair has', () => {
    const keys = fc.array(
      fc.record({ provider: fc.constantFrom('a', 'b', 'c'), status: fc.constantFrom('x', 'y', 'z') }),
    );
    fc.assert(
      fc.property(keys, (list) => {
        const tellingOf = ({ provider, status }: { provider: string; status: string }): number =>
          list.filter((key) => key.provider === provider && key.status === status).length > 1 &&
          list.some((key) => key.provider === provider && key.status !== status) &&
          list.some((key) => key.provider !== provider && key.status === status)
            ? 1
            : 0;
        const pairs = tellingPairs(list);
        expect(pairs.map(tellingOf)[0] ?? 0).toBe(Math.max(0, ...pairs.map(tellingOf)));
        expect(pairs).toHaveLength(new Set(list.map(({ provider, status }) => provider + status)).size);
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  test('a run sends no title, and no member that no update writes, that the recording shows already', async () => {
    await using mock = await startMock({ log: () => {} });
    const { recordings } = mock.world.store;
    for (const record of recordings.all()) recordings.put({ ...record, filename: 'inside.mp3', status: 'failed' });
    let log: readonly Entry[] = [];
    const keeping: Rule = {
      id: 'kept-log',
      requirements: ['REC-01'],
      title: 'keeps the log',
      judge: (judged) => {
        log = judged.entries;
        return [];
      },
    };
    const report = await verify({ baseUrl: mock.baseUrl, probe: false, rules: [keeping] });
    // A custom rule that no exchange shows is reported, too.
    expect(report.checks.find(({ id }) => id === keeping.id)?.outcome).toBe('untested');
    const shown = new Map<string, JsonObject>();
    let sent = 0;
    for (const entry of log) {
      const record = shown.get(entry.resource ?? '');
      const { analysis, ...body } = sentObject(entry);
      const members = [...Object.entries({ ...body, ...(isObject(analysis) ? analysis : {}) }), ...entry.query];
      for (const [name, value] of entry.operation === 'recording' && record ? members : []) {
        // Everyday updates send one title twice; later phases overlap, and put back what was there.
        const isTitle = name === 'title' && /^fields.* recording /.test(entry.asked?.for ?? '');
        const field = memberOf(WRITABLE_FIELDS, name) ? (isTitle ? name : undefined) : readOnlyField(name);
        if (field === undefined) continue;
        sent += 1;
        expect(asText(value), `${name} of ${entry.asked?.for}`).not.toBe(asText(memberOf(record ?? {}, field)));
      }
      shown.set(entry.resource ?? '', recordOf(entry) ?? record ?? {});
    }
    expect(sent).toBeGreaterThan(40);
  });
});
