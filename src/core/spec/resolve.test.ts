import { expect, test } from 'vitest';
import { assertValidDocument } from '../../testing/valid-document.ts';
import { operationsOf } from './document.ts';
import { answersToTry, defaultAnswers, type GapAnswers, gapLedger } from './gaps.ts';
import { applyPatch, resolve } from './resolve.ts';

const resolveWith = (answers: Partial<GapAnswers>) => resolve({ ...defaultAnswers(), ...answers });

const cases = gapLedger().gaps.flatMap((gap) => answersToTry(gap).map((answer) => ({ id: gap.id, answer })));

const idsOf = (document: ReturnType<typeof resolveWith>): string[] =>
  operationsOf(document)
    .map(({ operation }) => operation.operationId)
    .sort();

test.each(cases)('the document with $id: $answer is valid OpenAPI 3.1', async ({ id, answer }) => {
  const document = resolveWith({ [id]: answer });
  await expect(assertValidDocument(document)).resolves.toBeUndefined();
  expect(idsOf(document)).toEqual(idsOf(resolveWith({})));
  const keywords = JSON.stringify(document).match(/"x-[a-z-]+"/g);
  expect(new Set(keywords)).toEqual(new Set(['"x-source"', '"x-gap"', '"x-answers"']));
});

test('two methods share a path', () => {
  const document = resolveWith({ 'scopes-path': '/v1/auth/login' });
  expect(Object.keys(document.paths['/v1/auth/login'] ?? {})).toEqual(['post', 'get']);
});

test('error statuses follow the answers', () => {
  const statuses = (answers: Partial<GapAnswers>) =>
    Object.keys(resolveWith(answers).paths['/v1/echo/recordings/{recordingId}']?.patch?.responses ?? {});
  expect(statuses({})).toEqual(['200', '400', '401', '403', '404', '413', '415', '429', '500']);
  expect(statuses({ 'validation-status': 422 })).toContain('422');
  expect(statuses({ 'foreign-recording': 'hide' })).not.toContain('403');
});

test('every answer can be seen in the document', () => {
  const base = resolveWith({});
  expect(base.info['x-answers']).toEqual(defaultAnswers());
  const changed = (answers: Partial<GapAnswers>) => resolveWith(answers).components.schemas;
  expect(changed({ 'access-token-lifetime': 900 })).toHaveProperty('TokenGrant.properties.expires_in.example', 900);
  expect(changed({ 'error-codes': 'upper-snake' })).toHaveProperty('ErrorCode.pattern', '^[A-Z]+(_[A-Z]+)*$');
});

test('patches merge objects, remove by null, unite lists and replace', () => {
  expect(applyPatch({ a: { b: 1, c: 2 } }, { a: { c: null, d: 3 } })).toEqual({ a: { b: 1, d: 3 } });
  expect(applyPatch({ a: [1, 2] }, { a: [2, 3] })).toEqual({ a: [1, 2, 3] });
  expect(applyPatch({ a: 1 }, { 'x-replace': true, b: 2 })).toEqual({ b: 2 });
});
