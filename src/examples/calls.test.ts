// Example: what did the app send? A world waits for requests, counts them, and says what came nearest.
import { createMock, startMock } from 'platform-mock';
import { CallsError } from 'platform-mock/client';
// Or in Vitest's configuration: setupFiles: ['platform-mock/vitest']
import 'platform-mock/vitest';
import { afterAll, describe, expect, test } from 'vitest';

/** The code under test: saves a title a moment after the last key, as an editor does. */
class TitleField {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly baseUrl: string,
    private readonly token: string,
    private readonly send: typeof fetch,
  ) {}

  type(title: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(title), 20);
  }

  private save(title: string): Promise<Response> {
    return this.send(`${this.baseUrl}/v1/echo/recordings/rec_kickoff`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    });
  }
}

const served = await startMock({ port: 0 });
const portless = await createMock();
afterAll(() => served.close());

describe.each([
  { where: 'at a served mock', mock: served, send: fetch },
  { where: 'over mock.fetch', mock: portless, send: portless.fetch },
])('$where', ({ mock, send }) => {
  async function begin() {
    const world = await mock.sandbox();
    const { data } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
    return { world, field: new TitleField(world.baseUrl, data.token, send) };
  }

  test('one update is sent, with the last title', async () => {
    const { world, field } = await begin();
    field.type('Kick');
    field.type('Kick-off');
    await expect(world).toHaveReceived({ operation: 'updateRecording', body: { title: 'Kick-off' }, count: 1 });
    await expect(world).not.toHaveReceived({ operation: 'login' });
  });

  test('the calls are there to look at, in order', async () => {
    const { world, field } = await begin();
    field.type('First');
    const [first] = await world.calls({ operation: 'updateRecording' });
    field.type('Second');
    await world.calls([{ body: { title: 'First' } }, { body: { title: /^Sec/ }, status: 200 }]);
    const later = await world.calls({ path: '/v1/echo/recordings/rec_kickoff' }, { after: first?.id ?? 0 });
    expect(later.map(({ user, body }) => [user, body])).toEqual([['usr_ada', { title: 'Second' }]]);
  });

  test('where nothing matches, the nearest request is compared field by field', async () => {
    const { world, field } = await begin();
    field.type('Kick off');
    await world.calls({ operation: 'updateRecording' });
    const error = await world
      .calls({ operation: 'updateRecording', body: { title: 'Kick-off' } }, { timeout: 0 })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(CallsError);
    expect((error as Error).message).toBe(
      [
        'Expected at least 1 of updateRecording, body {"title":"Kick-off"}, received none.',
        'Nearest of 1: #1 PATCH /v1/echo/recordings/rec_kickoff -> 200, which differs in 1 of 2:',
        '  =  operation   "updateRecording"',
        '  ≠  body.title  expected "Kick-off", received "Kick off"',
        'Received:',
        '  #1 PATCH /v1/echo/recordings/rec_kickoff -> 200',
      ].join('\n'),
    );
  });
});
