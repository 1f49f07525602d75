import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import type { Asked } from '../log/entry.ts';
import { Session } from '../session/session.ts';
import { withServer } from '../testing/fixtures.ts';
import { withoutWaiting } from '../wire/time.ts';
import { Asker } from './asker.ts';

/** Asks for three paths at a server that answers nothing until so many requests are under way. Returns the most that were, and how many came. */
async function asked(overlap: number, limits: { concurrency?: number; requestsPerSecond?: number } = {}) {
  let [most, all] = [0, 0];
  const open = new Set<ServerResponse>();
  await withServer(
    (_request, response) => {
      all += 1;
      most = Math.max(most, open.add(response).size);
      // One more than there may be gets the time to come.
      if (most >= overlap) setTimeout(answerAll, 50);
    },
    async (baseUrl) => {
      const { concurrency, requestsPerSecond } = limits;
      const target = { baseUrl, limits: { requestsPerSecond } };
      const session = new Session({ target, answers: {}, allowWrites: false, concurrency });
      const requests = ['/a', '/b', '/c'].map((path) => ({ method: 'GET' as const, path }));
      await new Asker(session).together(requests, { for: 'overlap', odd: [] });
      session.client.close();
    },
  );
  return { most, all };

  function answerAll(): void {
    for (const response of open) response.end('{}');
    open.clear();
  }
}

test('as many requests overlap as may; those that read fill up to --concurrency', async () => {
  expect(await asked(3)).toEqual({ most: 3, all: 3 });
  expect(await asked(2, { concurrency: 2 })).toEqual({ most: 2, all: 3 });
  expect(await asked(1, { concurrency: 1 })).toEqual({ most: 1, all: 3 });
  expect(await asked(5, { concurrency: 5 })).toEqual({ most: 5, all: 5 });
});

test('a limit of requests a second forbids it', async () => {
  expect(await asked(1, { concurrency: 4, requestsPerSecond: 100 })).toEqual({ most: 1, all: 3 });
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
