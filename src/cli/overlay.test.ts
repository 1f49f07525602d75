// openapi-format, an independent implementation, applies the overlay; the result must be the resolved document.
import { openapiOverlay } from 'openapi-format';
import { describe, expect, test } from 'vitest';
import { answersFrom, shippedProfiles } from '../core/profiles/load.ts';
import type { ApiDocument } from '../core/spec/document.ts';
import { answersToTry, defaultAnswers, type GapAnswers, gapLedger } from '../core/spec/gaps.ts';
import { resolve } from '../core/spec/resolve.ts';
import { type Overlay, overlayBetween } from './overlay.ts';

const base = resolve(defaultAnswers());
const info = { title: 'test', version: '1' };

const overlayOf = (answers: GapAnswers): Overlay => overlayBetween(base, resolve(answers), info);

type Foreign = Parameters<typeof openapiOverlay>;

/** A copy as from a file, without shared objects. */
const asWritten = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Applies an overlay, and checks that every action has a target. */
async function apply(document: unknown, overlay: Overlay): Promise<unknown> {
  const { data, resultData } = await openapiOverlay(
    asWritten(document) as Foreign[0],
    { overlaySet: asWritten(overlay) } as unknown as Foreign[1],
  );
  expect(resultData).toMatchObject({ totalActions: overlay.actions.length, unusedActions: [] });
  return data;
}

test.each(shippedProfiles())('profile %s', async (name) => {
  const { all } = answersFrom(name);
  expect(await apply(base, overlayOf(all))).toEqual(resolve(all));
});

const single = gapLedger().gaps.flatMap((gap) => answersToTry(gap).map((answer) => ({ id: gap.id, answer })));

test.each(single)('$id: $answer', async ({ id, answer }) => {
  const answers = { ...defaultAnswers(), [id]: answer };
  expect(await apply(base, overlayOf(answers))).toEqual(resolve(answers));
});

test('from every profile to every other', async () => {
  const documents = shippedProfiles().map((name) => resolve(answersFrom(name).all));
  for (const from of documents)
    for (const to of documents) expect(await apply(from, overlayBetween(from, to, info))).toEqual(to);
});

describe('actions', () => {
  const between = (from: object, to: object) =>
    overlayBetween(from as unknown as ApiDocument, to as unknown as ApiDocument, info).actions;

  test('equal documents give one action without effect, since an overlay requires one', () => {
    expect(overlayOf(defaultAnswers()).actions).toEqual([{ target: '$', update: {} }]);
  });

  test('a scalar is changed by updating its object', () => {
    expect(between({ a: { b: 1, c: 2 } }, { a: { b: 3, c: 2 } })).toEqual([{ target: '$.a', update: { b: 3 } }]);
  });

  test('a list is removed and added again', () => {
    expect(between({ a: { b: [1, 2] } }, { a: { b: [2] } })).toEqual([
      { target: '$.a.b', remove: true },
      { target: '$.a', update: { b: [2] } },
    ]);
  });

  test('an object that becomes a scalar is removed first, and vice versa', () => {
    const removeFirst = (value: unknown) => [
      { target: '$.a', remove: true },
      { target: '$', update: { a: value } },
    ];
    expect(between({ a: { b: 1 } }, { a: 1 })).toEqual(removeFirst(1));
    expect(between({ a: 1 }, { a: { b: 1 } })).toEqual(removeFirst({ b: 1 }));
    expect(between({ a: [1] }, { a: { b: 1 } })).toEqual(removeFirst({ b: 1 }));
  });

  test('a reference is never the update itself', () => {
    expect(between({ a: { $ref: '#/b' } }, { a: { $ref: '#/c' } })).toEqual([
      { target: '$.a', remove: true },
      { target: '$', update: { a: { $ref: '#/c' } } },
    ]);
  });

  test('an object in a list is addressed by its index', () => {
    const from = { parameters: [{ name: 'limit' }, { name: 'offset', schema: { type: 'string' } }] };
    const to = { parameters: [{ name: 'limit' }, { name: 'offset', schema: { type: 'integer' } }] };
    expect(between(from, to)).toEqual([{ target: '$.parameters[1].schema', update: { type: 'integer' } }]);
  });

  test('names that are not identifiers are quoted', () => {
    const from = { "/v1/o'clock": { a: 1 }, 'x-gap': [1] };
    expect(between(from, { "/v1/o'clock": { a: 2 } })).toEqual([
      { target: "$['x-gap']", remove: true },
      { target: "$['/v1/o\\'clock']", update: { a: 2 } },
    ]);
  });
});
