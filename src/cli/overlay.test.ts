// openapi-format, an independent implementation, applies the overlay; the result must be the resolved document.
import { openapiOverlay } from 'openapi-format';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { answersFrom, shippedProfiles } from '../core/profiles/load.ts';
import type { ApiDocument } from '../core/spec/document.ts';
import { answersToTry, defaultAnswers, gapLedger } from '../core/spec/gaps.ts';
import { resolve } from '../core/spec/resolve.ts';
import { runHere } from '../testing/command.ts';
import { type Overlay, overlayBetween } from './overlay.ts';

const base = resolve(defaultAnswers());
const info = { title: 'test', version: '1' };

type Foreign = Parameters<typeof openapiOverlay>;

/** A copy as from a file, without shared objects. */
const asWritten = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** Applies an overlay, and checks that every action has a target. */
async function apply(document: unknown, overlay: Overlay): Promise<unknown> {
  const { data, resultData } = await openapiOverlay(
    asWritten(document) as Foreign[0],
    { overlaySet: asWritten(overlay) } as Foreign[1],
  );
  expect(resultData).toMatchObject({ totalActions: overlay.actions.length, unusedActions: [] });
  return data;
}

const single = gapLedger().gaps.flatMap((gap) => answersToTry(gap).map((answer) => ({ id: gap.id, answer })));

test.each(single)('$id: $answer', async ({ id, answer }) => {
  const changed = resolve({ ...defaultAnswers(), [id]: answer });
  expect(await apply(base, overlayBetween(base, changed, info))).toEqual(changed);
});

test('from every profile to every other', async () => {
  const documents = shippedProfiles().map((name) => resolve(answersFrom(name).all));
  for (const from of documents)
    for (const to of documents) expect(await apply(from, overlayBetween(from, to, info))).toEqual(to);
});

const ref = (name: string) => ({ a: { $ref: `#/${name}` } });
const listed = (type: string) => ({ parameters: [{ name: 'limit' }, { name: 'offset', schema: { type } }] });

test.each<[from: object, to: object, targets: string[]]>([
  // An overlay has an action.
  [{ a: 1 }, { a: 1 }, ['$']],
  [{ a: { b: 1, c: 2 } }, { a: { b: 3, c: 2 } }, ['$.a']],
  [{ a: { b: [1, 2] } }, { a: { b: [2] } }, ['$.a.b', '$.a']],
  [{ a: { b: 1 } }, { a: 1 }, ['$.a', '$']],
  [{ a: 1 }, { a: { b: 1 } }, ['$.a', '$']],
  [{ a: [1] }, { a: { b: 1 } }, ['$.a', '$']],
  [ref('b'), ref('c'), ['$.a', '$']],
  [listed('string'), listed('integer'), ['$.parameters[1].schema']],
  [{ "/v1/o'clock": { a: 1 }, 'x-gap': [1] }, { "/v1/o'clock": { a: 2 } }, ["$['x-gap']", "$['/v1/o\\'clock']"]],
])('from %j to %j', async (from, to, targets) => {
  const overlay = overlayBetween(from as ApiDocument, to as ApiDocument, info);
  expect(overlay.actions.map(({ target }) => target)).toEqual(targets);
  expect(await apply(from, overlay)).toEqual(to);
});

test('spec --overlay prints it', async () => {
  const printed = async (...flags: string[]) => parse((await runHere(['spec', ...flags])).stdout);
  expect(JSON.parse((await runHere(['spec', '--format', 'json'])).stdout)).toEqual(await printed());
  const overlay = await printed('--profile', 'rfc9457', '--overlay');
  expect(overlay).toMatchObject({ overlay: '1.0.0', info: { 'x-answers': { 'error-body': 'problem' } } });
  expect(await apply(await printed(), overlay)).toEqual(await printed('--profile', 'rfc9457'));
});
