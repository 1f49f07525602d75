import { describe, expect, test } from 'vitest';
import { TestMock } from '../../testing/client.ts';
import { issueAccessToken } from '../operations/tokens.ts';
import { faultsWithParameters } from './environment.ts';
import { faults } from './index.ts';

/** They have tests of their own, with their parameters. */
const withParameters = new Set(faultsWithParameters.map(({ id }) => id));

/** The outcome of one request. */
interface Outcome {
  readonly status: number | 'broken' | 'no answer';
  readonly ms: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Sends `count` requests to a mock with this fault, one after another, and returns their outcomes. */
async function send(fault: string, count: number): Promise<Outcome[]> {
  await using mock = await TestMock.start({ faults: [fault] });
  return await sendTo(mock, fault, count);
}

async function sendTo(mock: TestMock, fault: string, count: number, line = 'GET /v1/api-tokens/scopes') {
  const ada = mock.world.store.users.get('usr_ada');
  const token = ada ? issueAccessToken(mock.world, ada) : '';
  const [method = '', path = ''] = line.split(' ');
  const outcomes: Outcome[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    const outcome = (status: Outcome['status'], text = '', retryAfter: string | null = null): Outcome => ({
      status,
      ms: performance.now() - started,
      text,
      retryAfter,
    });
    try {
      const response = await fetch(mock.mock.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        // Generous: responses may be slow on a busy machine.
        signal: AbortSignal.timeout(fault === 'never-answers' ? 1000 : 60_000),
        ...(method === 'PATCH' && { body: JSON.stringify({ title: `update ${at + 1}` }) }),
      });
      outcomes.push(outcome(response.status, await response.text(), response.headers.get('retry-after')));
    } catch (error) {
      outcomes.push(outcome((error as Error).name === 'TimeoutError' ? 'no answer' : 'broken'));
    }
  }
  expect(mock.world.faultHits.get(fault.split(':')[0] ?? '')).toBeGreaterThan(0);
  expect(mock.world.ownViolations).toBe(0);
  return outcomes;
}

const statuses = (outcomes: readonly Outcome[]) => outcomes.map(({ status }) => status);

/** Sends three updates; returns their statuses and the title that is stored afterwards. */
async function update(fault: string) {
  await using mock = await TestMock.start({ faults: [fault] });
  const outcomes = await sendTo(mock, fault, 3, 'PATCH /v1/echo/recordings/rec_kickoff');
  return { statuses: statuses(outcomes), title: mock.world.store.recordings.get('rec_kickoff')?.title };
}

/** The delays of the first responses with jitter, in milliseconds. */
const jitterDelays = [1261, 226, 1487];

/** The symptom of each fault. */
const symptoms: Record<string, () => Promise<void>> = {
  latency: async () => expect((await send('latency', 1))[0]?.ms).toBeGreaterThan(700),
  jitter: async () => {
    // Lower bounds only: a busy machine adds delay. Timers may fire a millisecond early.
    const outcomes = await send('jitter', 3);
    for (const [at, delay] of jitterDelays.entries()) expect(outcomes[at]?.ms).toBeGreaterThanOrEqual(delay - 2);
  },
  'slowing-down': async () => {
    const outcomes = await send('slowing-down', 10);
    expect(outcomes[9]?.ms).toBeGreaterThan(150);
  },
  'slow-drip': async () => {
    const [first] = await send('slow-drip', 1);
    expect(first?.ms).toBeGreaterThan(300);
    expect(JSON.parse(first?.text ?? '')).toMatchObject({ is_admin: true });
  },
  'drop-before-commit': async () => {
    expect(await update('drop-before-commit:every=3')).toEqual({ statuses: [200, 200, 'broken'], title: 'update 2' });
  },
  'drop-after-commit': async () => {
    expect(await update('drop-after-commit:every=3')).toEqual({ statuses: [200, 200, 'broken'], title: 'update 3' });
  },
  'truncated-body': async () =>
    expect(statuses(await send('truncated-body:every=4', 5))).toEqual([200, 200, 200, 'broken', 200]),
  'never-answers': async () => expect(statuses(await send('never-answers', 1))).toEqual(['no answer']),
  'unavailable-one-in-five': async () => {
    const outcomes = await send('unavailable-one-in-five', 6);
    expect(statuses(outcomes)).toEqual([200, 200, 200, 200, 503, 200]);
    expect(outcomes[4]?.retryAfter).toBeNull();
  },
  maintenance: async () => expect((await send('maintenance', 1))[0]).toMatchObject({ status: 503, retryAfter: '120' }),
  'rate-limit-burst': async () => {
    const outcomes = await send('rate-limit-burst', 23);
    expect(statuses(outcomes).slice(18)).toEqual([200, 429, 429, 200, 200]);
    expect(outcomes[19]?.retryAfter).toBe('1');
  },
  'bad-gateway-page': async () => {
    const [first] = await send('bad-gateway-page', 1);
    expect(first).toMatchObject({ status: 502, text: expect.stringContaining('<html>') });
  },
  'gateway-timeout': async () => {
    const [first] = await send('gateway-timeout', 1);
    expect(first?.status).toBe(504);
    expect(first?.ms).toBeGreaterThan(2500);
  },
  'captive-portal': async () => {
    const [first] = await send('captive-portal', 1);
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining('Sign in to this network') });
  },
  'crash-one-in-seven': async () => expect(statuses(await send('crash-one-in-seven', 7))[6]).toBe(500),
};

// Concurrent: they mostly wait.
describe.concurrent('environment', () => {
  const own = faults.filter(({ id, family }) => family === 'environment' && !withParameters.has(id));
  test.each(own.map(({ id }) => id))('%s', async (id) => {
    expect(symptoms).toHaveProperty(id);
    await symptoms[id]?.();
  });
});

test.each([
  ['limited', 429],
  ['limited-until', 429],
  ['busy', 503],
] as const)('%s refuses the 90th request with Retry-After', async (id, status) => {
  const outcomes = await send(id, 91);
  expect(statuses(outcomes).slice(88)).toEqual([200, status, 200]);
  expect(outcomes[89]?.retryAfter).not.toBeNull();
});

test('slow delays every response', async () => {
  const outcomes = await send('slow', 5);
  expect(Math.min(...outcomes.map(({ ms }) => ms))).toBeGreaterThan(9);
});
