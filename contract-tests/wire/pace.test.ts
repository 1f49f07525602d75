import { expect, test } from 'vitest';
import { withServer } from '../testing/fixtures.ts';
import { Client } from './client.ts';
import { Pace } from './pace.ts';
import { withoutWaiting } from './time.ts';
import { readOnly } from './write-guard.ts';

const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers, body: '' });

test('without Retry-After each wait after 429 is longer', () => {
  const pace = new Pace();
  const waits = [1, 2, 3, 4].map((attempt) => pace.waitAfter(answer(429), { attempt }));
  expect(waits).toEqual([1_000, 3_000, 9_000, undefined]);
});

test('what is left of the waiting at the end is for clean-up only', () => {
  const pace = new Pace();
  const limited = answer(429, { 'retry-after': '30' });
  const waits = [...Array(5).fill(false), true, true].map((isCleanUp) => pace.waitAfter(limited, { isCleanUp }));
  expect(waits).toEqual([30_000, 30_000, 30_000, 30_000, undefined, 30_000, undefined]);
});

test.each([
  [404, {}, undefined],
  [429, { 'retry-after': '3600' }, undefined],
  [420, {}, 1000],
  [403, { 'retry-after': '2' }, 2000],
  [403, {}, undefined],
])('after %i with %j the wait is %s', (status, headers, wait) => {
  expect(new Pace().waitAfter(answer(status, headers), { isCleanUp: true })).toBe(wait);
});

test('403 that stays after its Retry-After is a refusal, of this request and of all others', async () => {
  const statuses: Record<string, number> = {};
  const waited = await withServer(
    (request, response) => {
      const path = request.url ?? '';
      statuses[path] = (statuses[path] ?? 0) + 1;
      const isOver = path !== '/refused' && path !== '/refused-too' && statuses[path] > 1;
      const headers = isOver ? {} : { 'Retry-After': '7' };
      response.writeHead(isOver && path === '/limited' ? 200 : 403, headers).end('{}');
    },
    async (baseUrl) => {
      const waits: number[] = [];
      const noted: [path: string, isTrouble: boolean][] = [];
      const client = new Client({ baseUrl }, readOnly(), ({ request }, { isTrouble }) => {
        noted.push([new URL(request.url).pathname, isTrouble]);
      });
      const wait = (milliseconds: number) => void waits.push(milliseconds);
      await withoutWaiting(wait, async () => {
        for (const path of ['/forbidden', '/limited', '/refused', '/refused-too'])
          await client.send({ method: 'GET', path });
      });
      return { waits, noted };
    },
  );
  expect(waited).toEqual({
    waits: [7000, 7000, 7000],
    noted: [
      ['/forbidden', true],
      ['/forbidden', false],
      ['/limited', true],
      ['/limited', false],
      ['/refused', true],
      ['/refused', false],
      ['/refused-too', false],
    ],
  });
});

test.each(['0', '-1', 'Thu, 01 Jan 1970 00:00:00 GMT'])('that no wait is needed, %s, uses the budget up', (header) => {
  const pace = new Pace();
  const statuses = [502, 503, 504];
  const waits = Array.from({ length: 1201 }, (_, at) =>
    pace.waitAfter(answer(statuses[at % 3] as number, { 'retry-after': header })),
  );
  expect(waits.map((wait) => wait === undefined)).toEqual([...Array(1200).fill(false), true]);
});

/** Sends 60 requests to a server that answers 503 by the time that passed since the last one, and gives what became of them. */
async function sentTo(isLimited: (sinceLastMs: number, n: number) => boolean) {
  let [time, last, n] = [0, Number.NEGATIVE_INFINITY, 0];
  let slowedTo: number | undefined;
  await withServer(
    (_request, response) => {
      n += 1;
      const isRefused = isLimited(time - last, n);
      if (!isRefused) last = time;
      response.writeHead(isRefused ? 503 : 200).end('{}');
    },
    (baseUrl) =>
      withoutWaiting(
        (milliseconds) => {
          time += milliseconds;
        },
        async () => {
          const pace = new Pace();
          const client = new Client({ baseUrl }, readOnly(), () => {}, pace);
          for (let sent = 0; sent < 60; sent++)
            expect((await client.send({ method: 'GET', path: '/' })).response.status).toBe(200);
          slowedTo = pace.slowedTo;
          client.close();
        },
        () => 0,
      ),
  );
  return { requests: n, slowedTo };
}

test('a gateway that limits requests with 503 is sent fewer a second, until none is refused', async () => {
  const { requests, slowedTo } = await sentTo((since) => since < 190);
  expect(slowedTo).toBe(5);
  expect(requests).toBeLessThan(60 + 12);
});

test('503 that come at every pace are no limit: the run is not slowed down for them', async () => {
  expect((await sentTo((_, n) => n % 3 === 0)).slowedTo).toBeUndefined();
});
