import { expect, test } from 'vitest';
import { answerOf } from '../testing/fixtures.ts';
import { namedFields, withNamed } from './named-fields.ts';

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

test('values follow the names', () => {
  expect(withNamed({}, ['label', 'abilities', 'ttl_days'], 'a run', ['read'])).toEqual({
    label: 'a run',
    abilities: ['read'],
    ttl_days: 1,
  });
});
