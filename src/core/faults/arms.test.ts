import { expect, test } from 'vitest';
import { isLike } from '../message.ts';
import { readFault, splitFaults, termSchema } from './arms.ts';
import { faults } from './index.ts';

test.each([
  ['latency', {}],
  ['delay:ms=800', { ms: 800 }],
  ['delay;ms=800; jitter=20 ;distribution=lognormal', { ms: 800, jitter: 20, distribution: 'lognormal' }],
  ['drop:request.path=/v1/*;request.headers.X-Test=7', { request: { path: '/v1/*', headers: { 'X-Test': '7' } } }],
  ['drop:request.path="/a;b"', { request: { path: '/a;b' } }],
  ['drop:request.body.title=007', { request: { body: { title: '007' } } }],
  ['drop:request.body.count=7', { request: { body: { count: 7 } } }],
  ['respond:body={"a":[1,"];"]};status=500', { body: { a: [1, '];'] }, status: 500 }],
  ['respond:body=short and stout', { body: 'short and stout' }],
  ['respond:body=a=b', { body: 'a=b' }],
])('%s is read', (text, terms) => {
  expect(readFault(text)).toEqual({ id: /^[a-z]+/.exec(text)?.[0], terms });
});

test.each([
  ['delay:ms', 'the fault delay: expected NAME=VALUE, as in ms=800; found ms'],
  ['delay:=5', 'found =5'],
  ['delay:__proto__.ms=5', 'found __proto__.ms=5'],
  ['delay:ms=1;ms=2', 'the fault delay: ms is given twice'],
  ['delay:ms=1;ms.x=2', 'ms.x is given twice'],
])('%s is refused', (text, message) => {
  expect(() => readFault(text)).toThrow(message);
});

test('a list is split at commas, but not within quotes and brackets', () => {
  const [nested, quoted] = ['respond;body={"a":[1,2]}', 'respond;body="x, \\"y, z"'];
  expect(splitFaults(` latency,, ${nested} , ${quoted} `)).toEqual(['latency', nested, quoted]);
});

test.each([
  ['/v1/echo/recordings/1', '/v1/echo/*', true],
  ['/v1/echo/recordings/1', '*/recordings/*', true],
  ['/v1/echo', '/v1/echo', true],
  ['/v1/echo/', '/v1/echo', false],
  ['abc', 'a*bc*c', false],
  ['aba', 'ab*ba', false],
  ['', '*', true],
  ['a.c', 'a?c', false],
] as const)('%j is like %j: %s', (text, pattern, expected) => {
  expect(isLike(text, pattern)).toBe(expected);
});

test('a pattern of thousands of stars takes no time', () => {
  expect(isLike('a'.repeat(100_000), `${'a*'.repeat(1000)}b`)).toBe(false);
});

test('every parameter of a fault is described in spec/control.yaml', () => {
  for (const { id, parameters } of faults)
    for (const name of parameters) expect(termSchema([name]), `${id}: ${name}`).toBeDefined();
});
