// Example: parallel tests on one server, each with a world of its own.
// Test files that run side by side share a server the same way: start it in vitest's globalSetup, `provide` its base URL,
// and use connectMock(inject('mockUrl')) in place of startMock().

import { connectMock, type RunningMock, startMock } from 'platform-mock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** What a frontend does: signs in and renames a recording. */
async function renameRecording(baseUrl: string, token: string, title: string): Promise<Response> {
  return fetch(`${baseUrl}/v1/echo/recordings/rec_kickoff`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });
}

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ port: 0 });
});
afterAll(() => mock.close());

describe.concurrent('parallel tests', () => {
  test.each(['first', 'second', 'third'])('the %s renames the same recording, unseen by the others', async (title) => {
    await using world = await connectMock(mock.baseUrl).sandbox();
    const { data: minted } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
    const response = await renameRecording(world.baseUrl, minted?.token ?? '', title);
    expect(await response.json()).toMatchObject({ title });

    const { data } = await world.control.GET('/journal');
    expect(data?.entries).toHaveLength(1);
  });

  test('a session ends while the user works', async () => {
    await using world = await mock.sandbox();
    const { data: minted } = await world.control.POST('/tokens', { body: { user: 'usr_ada', lifetime: 60 } });
    await world.control.POST('/clock/advance', { body: { seconds: 61 } });
    expect((await renameRecording(world.baseUrl, minted?.token ?? '', 'too late')).status).toBe(401);
  });

  test('the backend fails twice, then recovers', async () => {
    await using world = await mock.sandbox();
    const { data: minted } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
    const fault = { path: { fault: 'update-fails-after-commit' } };
    await world.control.PUT('/faults/{fault}', { params: fault, body: { operation: 'updateRecording', times: 2 } });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1)
      statuses.push((await renameRecording(world.baseUrl, minted?.token ?? '', 'again')).status);
    expect(statuses).toEqual([500, 500, 200]);
  });
});
