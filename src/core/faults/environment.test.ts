import { afterEach, expect, test } from 'vitest';
import { TestMock } from '../../testing/client.ts';
import { issueAccessToken } from '../operations/tokens.ts';
import { faults } from './index.ts';

let mock: TestMock | undefined;
afterEach(async () => {
  await mock?.[Symbol.asyncDispose]();
  mock = undefined;
});

/** What one request met. */
interface Met {
  readonly status: number | 'broken' | 'no answer';
  readonly ms: number;
  readonly text: string;
  readonly retryAfter: string | null;
}

/** Sends as many requests as there are lines, one after the other, and gives what each met. */
async function meet(fault: string, count: number, line = 'GET /v1/api-tokens/scopes'): Promise<Met[]> {
  mock = await TestMock.start({ faults: [fault] });
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
        signal: AbortSignal.timeout(4000),
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
const update = 'PATCH /v1/echo/recordings/rec_kickoff';
const title = () => mock?.world.store.recordings.get('rec_kickoff')?.title;

/** What shows each of them. */
const symptoms: Record<string, () => Promise<void>> = {
  latency: async () => expect((await meet('latency', 1))[0]?.ms).toBeGreaterThan(700),
  jitter: async () => {
    const times = (await meet('jitter', 3)).map(({ ms }) => Math.round(ms));
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(100);
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
    expect(statuses(await meet('drop-before-commit', 3, update))).toEqual([200, 200, 'broken']);
    expect(title()).toBe('update 2');
  },
  'drop-after-commit': async () => {
    expect(statuses(await meet('drop-after-commit', 3, update))).toEqual([200, 200, 'broken']);
    expect(title()).toBe('update 3');
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

test.each(faults.filter(({ family }) => family === 'environment').map(({ id }) => id))('%s', async (id) => {
  await symptoms[id]?.();
  expect(symptoms).toHaveProperty(id);
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
