import { expect, test } from 'vitest';
import type { Asked } from '../log/entry.ts';
import { Session } from '../session/session.ts';
import { withServer } from '../testing/fixtures.ts';
import { withoutWaiting } from '../wire/time.ts';
import { Asker } from './asker.ts';

/** How many requests were under way at once at the most, and how many came, when three paths are asked for. */
async function most(concurrency: number | undefined, requestsPerSecond?: number): Promise<[most: number, all: number]> {
  let [now, seen, all] = [0, 0, 0];
  await withServer(
    (_request, response) => {
      now += 1;
      all += 1;
      seen = Math.max(seen, now);
      setTimeout(() => {
        now -= 1;
        response.end('{}');
      }, 200);
    },
    async (baseUrl) => {
      const target = { baseUrl, limits: { requestsPerSecond } };
      const session = new Session({ target, answers: {}, allowWrites: false, concurrency });
      const requests = ['/a', '/b', '/c'].map((path) => ({ method: 'GET' as const, path }));
      await new Asker(session).together(requests, { for: 'overlap', odd: [] });
      session.client.close();
    },
  );
  return [seen, all];
}

test('two requests overlap, unless more may or none', async () => {
  expect(await most(undefined)).toEqual([2, 3]);
  expect(await most(1)).toEqual([1, 3]);
  expect(await most(5)).toEqual([5, 5]);
});

test('a limit of requests a second forbids it', async () => {
  expect(await most(4, 100)).toEqual([1, 3]);
});

test('a client who is locked out after bad credentials waits, once a run', async () => {
  let isLocked = false;
  await withServer(
    (request, response) => {
      const isBad = request.headers.authorization === 'Bearer bad';
      response.statusCode = isBad ? 401 : isLocked ? 403 : 200;
      isLocked ||= isBad;
      response.end('{}');
    },
    async (baseUrl) => {
      const session = new Session({ target: { baseUrl }, answers: {}, allowWrites: false });
      const asker = new Asker(session);
      const get = (Authorization: string, asked: Partial<Asked> = {}) =>
        asker.ask({ method: 'GET', path: '/a', headers: { Authorization } }, { for: 'lock-out', odd: [], ...asked });
      const flaw = { kind: 'garbage', what: 'a made-up token' } as const;
      const statuses: unknown[] = [];
      const pass = (ms: number) => {
        if (ms > 2_000) isLocked = false;
      };
      await withoutWaiting(pass, async () => {
        for (let time = 0; time < 2; time += 1) {
          await get('Bearer bad', { flaw, odd: ['credentials'] });
          statuses.push((await get('Bearer good'))?.answer.response.status);
        }
      });
      expect([statuses, session.trouble]).toEqual([
        [200, 403],
        ['403', '403'],
      ]);
      session.client.close();
    },
  );
});
