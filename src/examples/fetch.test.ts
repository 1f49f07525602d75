// Example: the mock within a Node test, without a port: `mock.fetch` takes the place of fetch.
import { createMock, type Mock } from 'platform-mock';
import { beforeAll, expect, test } from 'vitest';

/** The code under test: it is given the fetch that it uses. */
class Recordings {
  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
    private readonly send: typeof fetch,
  ) {}

  async rename(id: string, title: string): Promise<string> {
    const response = await this.send(`${this.baseUrl}/v1/echo/recordings/${id}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    });
    if (!response.ok) throw new Error(`refused with ${response.status}`);
    return ((await response.json()) as { title: string }).title;
  }

  /** As `rename`, but a connection that breaks is tried once more. */
  renameStubbornly(id: string, title: string): Promise<string> {
    return this.rename(id, title).catch((error) => {
      if (error instanceof TypeError) return this.rename(id, title);
      throw error;
    });
  }
}

let mock: Mock;
beforeAll(async () => {
  mock = await createMock();
});

/** A sandbox, which is a world of the test's own, and the code under test as Ada's client of it. */
async function begin() {
  const world = await mock.sandbox();
  const { data } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
  return { world, recordings: new Recordings(world.baseUrl, data.token, mock.fetch) };
}

test('a recording is renamed, and the control plane shows it', async () => {
  const { world, recordings } = await begin();
  expect(await recordings.rename('rec_kickoff', 'Kick-off')).toBe('Kick-off');
  const params = { path: { resource: 'recordings', record: 'rec_kickoff' } } as const;
  expect((await world.control.GET('/state/{resource}/{record}', { params })).data).toMatchObject({ title: 'Kick-off' });
});

test('another sandbox knows nothing of that', async () => {
  const { world, recordings } = await begin();
  await recordings.rename('rec_kickoff', 'Only here');
  const other = await mock.sandbox();
  const params = { path: { resource: 'recordings', record: 'rec_kickoff' } } as const;
  const [here, there] = await Promise.all(
    [world, other].map(({ control }) => control.GET('/state/{resource}/{record}', { params })),
  );
  expect(here?.data).toMatchObject({ title: 'Only here' });
  expect(there?.data).not.toMatchObject({ title: 'Only here' });
});

test('a connection that breaks rejects, as with fetch', async () => {
  const { world, recordings } = await begin();
  const dropNext = () =>
    world.control.PUT('/faults/{fault}', { params: { path: { fault: 'drop' } }, body: { times: 1 } });
  await dropNext();
  await expect(recordings.rename('rec_kickoff', 'first')).rejects.toThrow(TypeError);
  expect(await recordings.rename('rec_kickoff', 'second')).toBe('second');

  await dropNext();
  expect(await recordings.renameStubbornly('rec_kickoff', 'third')).toBe('third');
});
