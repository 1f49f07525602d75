import { expect, test } from 'vitest';
import { routeTable } from './routes.ts';

const find = routeTable([
  { method: 'POST', path: '/v1/things' },
  { method: 'POST', path: '/v1/things/new' },
  { method: 'GET', path: '/v1/things/{id}' },
  { method: 'PATCH', path: '/v1/things/{id}' },
  { method: 'GET', path: '/v1/a.b/{first}/c/{second}' },
]);
const match = (method: string, path: string) => {
  const route = find(method, path);
  if (typeof route !== 'object') return route;
  return 'methods' in route ? route.methods : [route.operation.method, route.operation.path, route.params];
};

test('finds literal paths and templates, parameters decoded', () => {
  expect(match('POST', '/v1/things')).toEqual(['POST', '/v1/things', {}]);
  expect(match('PATCH', '/v1/things/a%2Fb')).toEqual(['PATCH', '/v1/things/{id}', { id: 'a/b' }]);
  expect(match('GET', '/v1/a.b/1/c/2')).toEqual(['GET', '/v1/a.b/{first}/c/{second}', { first: '1', second: '2' }]);
});

test('reports the methods of a path, an invalid escape, and an unknown path', () => {
  expect(match('GET', '/v1/things')).toEqual(['POST']);
  // The literal path takes precedence; it has no GET.
  expect(match('GET', '/v1/things/new')).toEqual(['POST']);
  expect(match('PUT', '/v1/things/a')).toEqual(['GET', 'PATCH']);
  expect(match('GET', '/v1/things/%E0%A4%A')).toBe('bad-escape');
  for (const path of ['/v1/things/', '/v1/things/a/b', '/V1/things/a', '/v1/aXb/1/c/2'])
    expect(match('GET', path)).toBeUndefined();
});
