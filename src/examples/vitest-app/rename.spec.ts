import { apiClient, connectMock } from 'platform-mock/client';
import { expect, inject, test } from 'vitest';

test('a recording is renamed', async () => {
  await using world = await connectMock(inject('mockUrl')).sandbox(); // a world of this test's own
  const { data } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
  const api = apiClient(world.baseUrl, { token: data?.token });

  const params = { path: { recordingId: 'rec_kickoff' } };
  await api.PATCH('/v1/echo/recordings/{recordingId}', { params, body: { title: 'Kick-off' } });
  await expect(world).toHaveReceived({ operation: 'updateRecording', body: { title: 'Kick-off' }, count: 1 });
});
