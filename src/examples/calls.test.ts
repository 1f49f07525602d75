// Example: what did the app send? A world waits for requests, counts them, and says what came nearest.
import { startMock } from 'platform-mock';
import { CallsError } from 'platform-mock/client';
// Or in Vitest's configuration: setupFiles: ['platform-mock/vitest']
import 'platform-mock/vitest';
import { afterAll, expect, test } from 'vitest';

/** The code under test: saves a title a moment after the last key, as an editor does. */
function titleField(baseUrl: string, token: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const save = (title: string): Promise<Response> =>
    fetch(`${baseUrl}/v1/echo/recordings/rec_kickoff`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    });
  return {
    type(title: string): void {
      clearTimeout(timer);
      timer = setTimeout(save, 20, title);
    },
  };
}

const mock = await startMock({ port: 0 });
afterAll(() => mock.close());

async function begin() {
  const world = await mock.sandbox();
  const { data } = await world.control.POST('/tokens', { body: { user: 'usr_ada' } });
  return { world, field: titleField(world.baseUrl, data.token) };
}

test('one update is sent, with the last title', async () => {
  const { world, field } = await begin();
  field.type('Kick');
  field.type('Kick-off');
  await expect(world).toHaveReceived({ operation: 'updateRecording', body: { title: 'Kick-off' }, count: 1 });
  await expect(world).not.toHaveReceived({ operation: 'login' });
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
