import { expect, test } from 'vitest';
import { scopes, TestMock } from '../../testing/client.ts';
import { handle } from '../handle.ts';
import type { Delivery } from '../message.ts';
import { issueAccessToken } from '../operations/tokens.ts';
import { environmentFaults } from './environment.ts';

/** What a mock with this fault delivers. firing.test.ts shows that a door applies delays. */
async function delivered(fault: string, count: number) {
  await using mock = await TestMock.withoutPort({ faults: [fault] });
  const ada = mock.world.store.users.get('usr_ada');
  const authorization = `Bearer ${ada ? issueAccessToken(mock.world, ada) : ''}`;
  const url = scopes.replace('GET ', '');
  const deliveries: Delivery[] = [];
  for (let at = 1; at <= count; at += 1) {
    const sent = { method: 'GET', url, headers: { authorization }, rawHeaders: [], body: undefined };
    const request = { ...sent, origin: 'http://localhost', client: 'test' };
    deliveries.push((await handle(mock.worlds, request)).delivery);
  }
  expect(mock.world.faultHits.get(fault.split(':')[0] ?? '')).toBeGreaterThan(0);
  expect(mock.world.ownViolations).toBe(0);
  return { deliveries, draws: mock.world.image().draws };
}

const [ok, broken] = [{ status: 200 }, { closeAfter: 0 }];
const retry = { 'Retry-After': expect.anything() };
const retryAfter = (seconds: string) => expect.objectContaining({ 'Retry-After': seconds });
const page = (status: number, text: string) => ({
  status,
  headers: expect.objectContaining({ 'Content-Type': 'text/html' }),
  text: expect.stringContaining(text),
});

/** The last deliveries of so many requests. */
const symptoms: Record<string, readonly [requests: number, last: readonly object[]]> = {
  latency: [1, [{ delayMs: 800 }]],
  jitter: [3, [{ delayMs: 1261 }, { delayMs: 226 }, { delayMs: 1487 }]],
  'slowing-down': [251, [{ delayMs: 5000 }, { delayMs: 5000 }]],
  'slow-drip': [1, [{ ...ok, pieces: { size: 8, everyMs: 50 } }]],
  'truncated-body': [1, [{ ...ok, closeAfter: expect.any(Number) }]],
  'never-answers': [1, [{ ...broken, delayMs: 300_000 }]],
  'unavailable-one-in-five': [6, [ok, { status: 503, headers: expect.not.objectContaining(retry) }, ok]],
  maintenance: [1, [{ status: 503, headers: retryAfter('120') }]],
  'rate-limit-burst': [23, [ok, { status: 429, headers: retryAfter('1') }, { status: 429 }, ok, ok]],
  'bad-gateway-page': [1, [page(502, '502 Bad Gateway')]],
  'gateway-timeout': [1, [{ ...page(504, '504 Gateway Time-out'), delayMs: 3000 }]],
  'captive-portal': [1, [page(200, 'Sign in to this network')]],
  'crash-one-in-seven': [8, [ok, { status: 500, text: expect.stringContaining('   at ') }, ok]],
};

const rows = environmentFaults
  .filter(({ id }) => !id.endsWith('-commit'))
  .map(({ id }) => [id, ...(symptoms[id] ?? [])]);

test.each([
  ...(rows as [string, number, readonly object[]][]),
  ['limited', 91, [ok, { status: 429, headers: retryAfter('1') }, ok]],
  ['limited-until', 91, [ok, { status: 429, headers: retryAfter(expect.stringMatching(/ GMT$/)) }, ok]],
  ['busy', 91, [ok, { status: 503, headers: retryAfter('0') }, ok]],
  ['slow', 1, [{ delayMs: 10 }]],
] as [string, number, readonly object[]][])('%s', async (id, count, last) => {
  const { deliveries } = await delivered(id, count);
  expect(deliveries.slice(-last.length)).toMatchObject(last);
});

const near = (value: number, tolerance: number) => ({
  asymmetricMatch: (seen: number) => Math.abs(seen - value) < tolerance,
});

/** Of 4,000 delays, those at the 0th, 16th, 50th, 84th and 100th percentile. */
test.each([
  ['ms=1000;jitter=400', 1, [near(601, 2), near(728, 40), near(1000, 40), near(1272, 40), near(1399, 2)]],
  ['ms=10;jitter=500', 1, [0, 0, near(10, 40), near(350, 40), near(509, 2)]],
  // The median is `ms`, the 84th percentile `ms` and `jitter`, with a long tail.
  [
    'ms=1000;jitter=500;distribution=lognormal',
    2,
    [near(250, 150), near(667, 60), near(1000, 50), near(1500, 80), near(4500, 1500)],
  ],
])('delay:%s', async (terms, drawsEach, percentiles) => {
  const { deliveries, draws } = await delivered(`delay:${terms}`, 4000);
  expect(draws).toBe(4000 * drawsEach);
  const delays = deliveries.map(({ delayMs = 0 }) => delayMs).sort((one, other) => one - other);
  expect([0, 640, 2000, 3360, 3999].map((at) => delays[at])).toEqual(percentiles);
});
