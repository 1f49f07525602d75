import { expect, test } from 'vitest';
import { routeTable } from './route-table.ts';

const find = routeTable([
  { method: 'POST', path: '/v1/things' },
  { method: 'POST', path: '/v1/things/new' },
  { method: 'GET', path: '/v1/things/{id}' },
  { method: 'PATCH', path: '/v1/things/{id}' },
  { method: 'GET', path: '/v1/a.b/{first}/c/{second}' },
]);
const found = (method: string, path: string) => {
  const route = find(method, path);
  return route && [route.operation.method, route.operation.path, route.params];
};

test('finds literal paths and templates, parameters decoded', () => {
  expect(found('POST', '/v1/things')).toEqual(['POST', '/v1/things', {}]);
  expect(found('PATCH', '/v1/things/a%2Fb')).toEqual(['PATCH', '/v1/things/{id}', { id: 'a/b' }]);
  expect(found('GET', '/v1/a.b/1/c/2')).toEqual(['GET', '/v1/a.b/{first}/c/{second}', { first: '1', second: '2' }]);
});

test('leaves to the validator what is not plain: other methods, broken escapes, other paths', () => {
  expect(found('GET', '/v1/things')).toBeUndefined();
  // The literal path is meant, and it has no GET.
  expect(found('GET', '/v1/things/new')).toBeUndefined();
  expect(found('GET', '/v1/things/%E0%A4%A')).toBeUndefined();
  expect(found('GET', '/v1/things/')).toBeUndefined();
  expect(found('GET', '/v1/things/a/b')).toBeUndefined();
  expect(found('GET', '/V1/things/a')).toBeUndefined();
  expect(found('GET', '/v1/aXb/1/c/2')).toBeUndefined();
});
