import { expect, expectTypeOf, test } from 'vitest';
import { apiClient, type paths } from './client.ts';
import { createPortableMock } from './portable.ts';

const mock = await createPortableMock();
const update = { params: { path: { recordingId: 'rec_kickoff' } }, body: { title: 'Typed' } };
const path = '/v1/echo/recordings/{recordingId}';

test('the types of the client state no guess: error bodies and members that profiles answer differently are unknown', async () => {
  const { error, data } = await apiClient(mock.baseUrl, { fetch: mock.fetch }).PATCH(path, update);
  expectTypeOf(error?.error).toBeUnknown();
  expectTypeOf(data?.title).toEqualTypeOf<string | undefined>();
  const scopes = await apiClient(mock.baseUrl, { fetch: mock.fetch }).GET('/v1/api-tokens/scopes');
  expectTypeOf(scopes.data?.is_admin).toBeUnknown();
  expect(error?.error).toMatchObject({ message: expect.any(String) });
});

test('with the types of a profile, the client has those', async () => {
  const { error } = await apiClient<paths>(mock.baseUrl, { fetch: mock.fetch }).PATCH(path, update);
  expectTypeOf(error?.error.message).toEqualTypeOf<string | undefined>();
  expect(error?.error.message).toMatch(/token/);
});

test('a record of the control plane has the type of its resource', async () => {
  const of = { path: { resource: 'recordings', record: 'rec_kickoff' } } as const;
  const { data } = await mock.control.GET('/state/{resource}/{record}', { params: of });
  expectTypeOf(data.status).toEqualTypeOf<'pending' | 'processing' | 'completed' | 'failed'>();
  const users = await mock.control.GET('/state/{resource}', { params: { path: { resource: 'users' } } });
  expectTypeOf(users.data.items).items.toHaveProperty('email').toEqualTypeOf<string>();
  expect([data.title, users.data.total]).toEqual(['Kick-off: difference engine', users.data.items.length]);
});
