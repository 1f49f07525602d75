import { describe, expect, test } from 'vitest';
import { TestMock } from '../../testing/client.ts';
import { issueAccessToken } from '../operations/tokens.ts';
import { faults } from './index.ts';

/** What one request met. */
interface Met {
  readonly status: number | 'broken' | 'no answer';
  readonly ms: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Sends a mock with this fault as many requests, one after the other, and gives what each met. */
async function meet(fault: string, count: number): Promise<Met[]> {
  await using mock = await TestMock.start({ faults: [fault] });
  return await meetAt(mock, fault, count);
}

async function meetAt(mock: TestMock, fault: string, count: number, line = 'GET /v1/api-tokens/scopes') {
  const ada = mock.world.store.users.get('usr_ada');
  const token = ada ? issueAccessToken(mock.world, ada) : '';
  const [method = '', path = ''] = line.split(' ');
  const met: Met[] = [];
  for (let at = 0; at < count; at += 1) {
    const started = performance.now();
    const ended = (status: Met['status'], text = '', retryAfter: string | null = null): Met => ({
      status,
      ms: performance.now() - started,
      text,
      retryAfter,
    });
    try {
      const response = await fetch(mock.mock.baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        // On a busy machine any answer may take long, but not for ever.
        signal: AbortSignal.timeout(fault === 'never-answers' && at === 9 ? 1000 : 60_000),
        ...(method === 'PATCH' && { body: JSON.stringify({ title: `update ${at + 1}` }) }),
      });
      met.push(ended(response.status, await response.text(), response.headers.get('retry-after')));
    } catch (error) {
      met.push(ended((error as Error).name === 'TimeoutError' ? 'no answer' : 'broken'));
    }
  }
  expect(mock.world.faultHits.get(fault)).toBeGreaterThan(0);
  expect(mock.world.ownViolations).toBe(0);
  return met;
}

const statuses = (met: readonly Met[]) => met.map(({ status }) => status);

/** Sends three updates, and gives what they met and the title that is stored then. */
async function update(fault: string) {
  await using mock = await TestMock.start({ faults: [fault] });
  const met = await meetAt(mock, fault, 3, 'PATCH /v1/echo/recordings/rec_kickoff');
  return { met: statuses(met), title: mock.world.store.recordings.get('rec_kickoff')?.title };
}

/** By how many milliseconds jitter delays the first answers. */
const JITTER = [1261, 226, 1487];

/** What shows each of them. */
const symptoms: Record<string, () => Promise<void>> = {
  latency: async () => expect((await meet('latency', 1))[0]?.ms).toBeGreaterThan(700),
  jitter: async () => {
    // Lower bounds only: on a busy machine anything may take longer. A timer may be a millisecond early.
    const met = await meet('jitter', 3);
    for (const [at, delay] of JITTER.entries()) expect(met[at]?.ms).toBeGreaterThanOrEqual(delay - 2);
  },
  'slowing-down': async () => {
    const met = await meet('slowing-down', 10);
    expect(met[9]?.ms).toBeGreaterThan(150);
  },
  'slow-drip': async () => {
    const [first] = await meet('slow-drip', 1);
    expect(first?.ms).toBeGreaterThan(300);
    expect(JSON.parse(first?.text ?? '')).toMatchObject({ is_admin: true });
  },
  'drop-before-commit': async () => {
    expect(await update('drop-before-commit')).toEqual({ met: [200, 200, 'broken'], title: 'update 2' });
  },
  'drop-after-commit': async () => {
    expect(await update('drop-after-commit')).toEqual({ met: [200, 200, 'broken'], title: 'update 3' });
  },
  'truncated-body': async () =>
    expect(statuses(await meet('truncated-body', 5))).toEqual([200, 200, 200, 'broken', 200]),
  'never-answers': async () => expect(statuses(await meet('never-answers', 10)).slice(8)).toEqual([200, 'no answer']),
  'unavailable-one-in-five': async () => {
    const met = await meet('unavailable-one-in-five', 6);
    expect(statuses(met)).toEqual([200, 200, 200, 200, 503, 200]);
    expect(met[4]?.retryAfter).toBeNull();
  },
  maintenance: async () => expect((await meet('maintenance', 1))[0]).toMatchObject({ status: 503, retryAfter: '120' }),
  'rate-limit-burst': async () => {
    const met = await meet('rate-limit-burst', 23);
    expect(statuses(met).slice(18)).toEqual([200, 429, 429, 200, 200]);
    expect(met[19]?.retryAfter).toBe('1');
  },
  'bad-gateway-page': async () => {
    const met = await meet('bad-gateway-page', 5);
    expect(met[4]).toMatchObject({ status: 502, text: expect.stringContaining('<html>') });
  },
  'gateway-timeout': async () => {
    const met = await meet('gateway-timeout', 7);
    expect(met[6]?.status).toBe(504);
    expect(met[6]?.ms).toBeGreaterThan(2500);
  },
  'captive-portal': async () => {
    const met = await meet('captive-portal', 5);
    expect(met[4]).toMatchObject({ status: 200, text: expect.stringContaining('Sign in to this network') });
  },
  'crash-one-in-seven': async () => expect(statuses(await meet('crash-one-in-seven', 7))[6]).toBe(500),
};

// Side by side: they wait.
describe.concurrent('environment', () => {
  test.each(faults.filter(({ family }) => family === 'environment').map(({ id }) => id))('%s', async (id) => {
    expect(symptoms).toHaveProperty(id);
    await symptoms[id]?.();
  });
});

test.each([
  ['limited', 429],
  ['limited-until', 429],
  ['busy', 503],
] as const)('%s refuses the 90th request, and says for how long', async (id, status) => {
  const met = await meet(id, 91);
  expect(statuses(met).slice(88)).toEqual([200, status, 200]);
  expect(met[89]?.retryAfter).not.toBeNull();
});

test('slow takes its time', async () => {
  const met = await meet('slow', 5);
  expect(Math.min(...met.map(({ ms }) => ms))).toBeGreaterThan(9);
});
