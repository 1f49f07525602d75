import { describe, expect, test } from 'vitest';
import { defineRoutes } from '../../index.ts';
import { TestMock } from '../../testing/client.ts';
import { assertValidDocument } from '../../testing/valid-document.ts';

const routes = [
  defineRoutes({
    routes: [
      { path: '/v1/steps', answers: [{ body: 'one' }, { body: 'two' }] },
      { path: '/v1/notes', body: '{{ tables.notes }}' },
      { method: 'POST', path: '/v1/notes', answer: () => ({ status: 201 }) },
    ],
    tables: { notes: [{ id: 'n1', text: 'first' }] },
  }),
];

const mock = await TestMock.withoutPort({ routes });

describe('/_mock/routes', () => {
  test('lists routes as they are tried, and removes those that were added', async () => {
    const { control } = await mock.sandbox();
    await control.POST('/routes', { body: { path: '/v1/a' } });
    await control.POST('/routes', { body: { path: '/v1/b', auth: 'administrator', times: 2 } });
    const listed = async () => (await control.GET('/routes')).data;
    const ids = ['route-2', 'route-1', 'GET /v1/steps', 'GET /v1/notes', 'POST /v1/notes'];
    expect((await listed())?.routes.map(({ id }) => id)).toEqual(ids);
    const given = { id: 'route-2', source: 'route-2', method: 'GET', path: '/v1/b', auth: 'administrator' };
    expect((await listed())?.routes[0]).toEqual({ ...given, override: false, served: 0, left: 2 });
    expect((await listed())?.tables).toEqual({ notes: 1 });
    await control.DELETE('/routes/{route}', { params: { path: { route: 'route-1' } } });
    expect((await listed())?.routes).toHaveLength(4);
    const again = control.DELETE('/routes/{route}', { params: { path: { route: 'route-1' } } });
    await expect(again).rejects.toThrow('No route route-1 was added to this world');
  });

  test.each([
    [{ path: '/v1/x', status: 700 }, 'status: must be <= 599'],
    [{ path: 'v1/x' }, 'path: path must start with /'],
    [{ path: '/_mock/x' }, 'is one of the mock itself'],
    [{ path: '/v1/{a}/{a}' }, 'has the parameter a twice'],
    [{ path: '/v1/{a' }, 'has a brace too many'],
    [{ path: '/v1/x?y=1' }, 'put its parameters below when.query'],
    [{ path: '/v1/x', body: '{{ id | nope }}' }, 'not a template: undefined filter: nope'],
    [{ path: '/v1/x', answers: [{}], status: 200 }, 'status: status is not allowed with answers'],
    [{ path: '/v1/x', after: 'first' }, 'after: after needs answers'],
    [{ path: '/v1/x', when: { body: { a: { matches: '(' } } } }, 'when.body.a'],
    [{ path: '/v1/x', when: { headers: { a: { matches: '(a)\\1' } } } }, 'when.headers.a.matches has \\1, and'],
    [{ path: '/v1/x', when: { query: { a: { equal: 1 } } } }, 'when.query.a'],
  ])('refuses %j', async (body, reason) => {
    const { control } = await mock.sandbox();
    const refused = { name: 'ControlRefusal', status: 400, message: expect.stringContaining(reason) };
    await expect(control.POST('/routes', { body: body as never })).rejects.toMatchObject(refused);
    expect((await control.GET('/routes')).data.routes).toHaveLength(3);
  });
});

test('the OpenAPI document of a world lists its routes as yours, and stays valid', async () => {
  const { control } = await mock.sandbox();
  const plain = JSON.stringify((await control.GET('/spec.json')).data);
  expect(plain).toContain('"x-basis":"yours"');
  const full = { query: { full: true } };
  for (const body of [
    { path: '/v1/echo/recordings/{id}', auth: 'required' as const, when: full, body: {} },
    { path: '/v1/api-tokens/scopes', override: true, status: 418 },
    { path: '/v1/things/{thing}/parts/{part}', description: 'A part.', body: 1 },
  ])
    await control.POST('/routes', { body });
  const document = (await control.GET('/spec.json')).data as { paths: Record<string, Record<string, object>> };
  await expect(assertValidDocument(document as never)).resolves.toBeUndefined();
  expect(document.paths['/v1/echo/recordings/{recordingId}']?.get).toMatchObject({
    'x-basis': 'yours',
    security: [{ bearer: [] }],
    parameters: [{ name: 'full', in: 'query' }],
  });
  expect(document.paths['/v1/echo/recordings/{recordingId}']?.patch).not.toHaveProperty('x-basis');
  expect(document.paths['/v1/api-tokens/scopes']?.get).toMatchObject({ 'x-basis': 'yours', responses: { 418: {} } });
  expect(document.paths['/v1/things/{thing}/parts/{part}']?.get).toMatchObject({
    summary: 'A part.',
    parameters: [{ name: 'thing' }, { name: 'part' }],
  });
});
