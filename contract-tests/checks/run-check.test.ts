import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { violation } from '../failure.ts';
import { Session } from '../target/session.ts';
import type { Check } from './check.ts';
import { runCheck } from './run-check.ts';

const target = { baseUrl: 'http://127.0.0.1:1' };

function check(run: Check['run']): Check {
  return { id: 'a-check', requirements: ['SSO-01'], title: 'holds', needs: [], run };
}

function failing(times: number): { check: Check; runs: () => number } {
  let runs = 0;
  const made = check(async () => {
    runs += 1;
    if (runs <= times) throw violation('It does not hold.', 1, 2);
  });
  return { check: made, runs: () => runs };
}

test('a violation is repeated once, and reported as it was when it shows again', async () => {
  const { check, runs } = failing(2);
  const result = await runCheck(check, new Session({ target, answers: {}, allowWrites: true }));
  expect(result).toMatchObject({ outcome: 'violation', message: 'It does not hold.', expected: 1, actual: 2 });
  expect(result.unstable).toBeUndefined();
  expect(runs()).toBe(2);
});

test('a violation that does not show again still counts, and says so', async () => {
  const result = await runCheck(failing(1).check, new Session({ target, answers: {}, allowWrites: true }));
  expect(result).toMatchObject({
    outcome: 'violation',
    unstable: true,
    message: 'Unstable: seen once, and not when it was repeated. It does not hold.',
  });
});

test('a target that is broken throughout is not asked everything twice', async () => {
  const session = new Session({ target, answers: {}, allowWrites: true });
  let runs = 0;
  for (let index = 0; index < 60; index += 1) {
    const { check, runs: own } = failing(9);
    await runCheck(check, session);
    runs += own();
  }
  expect(runs).toBe(80);
});

test('what is repeated asks the target anew', async () => {
  const statuses = [500, 200];
  const server = createServer((_request, response) =>
    response.writeHead(statuses.shift() ?? 200, { 'Content-Type': 'application/json' }).end('{}'),
  ).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = new Session({
    target: { baseUrl, actors: { admin: { sso: { oid: 'o', tid: 't', upn: 'u' } } } },
    answers: {},
    allowWrites: true,
  });
  try {
    const result = await runCheck(
      check(async (session) => {
        const { answer } = await session.signIn.sso('admin');
        if (answer.response.status !== 200) throw violation('It failed.', 200, answer.response.status);
      }),
      session,
    );
    expect(result).toMatchObject({ outcome: 'violation', unstable: true, actual: 500 });
    expect(result.exchanges.map(({ response }) => response?.status)).toEqual([500, 200]);
  } finally {
    session.close();
    server.close();
  }
});

test('a bug of the suite is no violation', async () => {
  const broken = check(async () => {
    throw new TypeError('x is undefined');
  });
  const result = await runCheck(broken, new Session({ target, answers: {}, allowWrites: true }));
  expect(result).toMatchObject({ outcome: 'error', message: expect.stringContaining('The suite itself failed') });
});
