import { expect, test } from 'vitest';
import { answerOf } from '../testing/fixtures.ts';
import { namedFields } from './pats.ts';

test.each([
  ['a pointer', { errors: [{ pointer: '/label', detail: 'must be there' }] }, ['label']],
  ['a path of zod', { error: { issues: [{ path: ['label'], message: 'Required' }] } }, ['label']],
  ['Ajv', { message: "body must have required property 'label'" }, ['label']],
  ['a sentence', { message: ['label must be a string', 'ttl_days should not be empty'] }, ['label', 'ttl_days']],
  ['FastAPI', { detail: [{ loc: ['body', 'label'], msg: 'Field required' }] }, ['label']],
  ['nothing', { message: 'Bad Request' }, []],
])('a refusal names the fields that it misses: %s', (_what, body, expected) =>
  expect(namedFields(answerOf(body, { status: 400 }))).toEqual(expected),
);
