import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Check } from './checks/check.ts';
import { blocked, violation } from './failure.ts';
import { runCheck } from './run-check.ts';
import { Session } from './session/session.ts';
import { withServer } from './testing/fixtures.ts';
import type { Answer } from './values/answer.ts';

/** A session at a target that does not answer. */
const newSession = (): Session =>
  new Session({ target: { baseUrl: 'http://127.0.0.1:1' }, answers: {}, allowWrites: true });

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
  const result = await runCheck(check, newSession());
  expect(result).toMatchObject({ outcome: 'violation', message: 'It does not hold.', expected: 1, actual: 2 });
  expect(result.unstable).toBeUndefined();
  expect(runs()).toBe(2);
});

test('a violation that does not show again still counts, and says so', async () => {
  const result = await runCheck(failing(1).check, newSession());
  expect(result).toMatchObject({
    outcome: 'violation',
    unstable: true,
    message: 'Unstable: seen once, and not when it was repeated. It does not hold.',
  });
});

test('what a check says of the answers of the run so far is not repeated: they stay what they are', async () => {
  const { check, runs } = failing(1);
  const result = await runCheck({ ...check, isOfTheRun: true }, newSession());
  expect(result).toMatchObject({ outcome: 'violation', message: 'It does not hold.' });
  expect(runs()).toBe(1);
});

test('a target that is broken throughout is not asked everything twice', async () => {
  const session = newSession();
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
  const handler: RequestListener = (_request, response) =>
    response.writeHead(statuses.shift() ?? 200, { 'Content-Type': 'application/json' }).end('{}');
  const run: Check['run'] = async (session) => {
    const { answer } = await session.signIn.sso('admin');
    if (answer.response.status !== 200) throw violation('It failed.', 200, answer.response.status);
  };
  const result = await withServer(handler, async (baseUrl) => {
    const asked = { baseUrl, actors: { admin: { sso: { oid: 'o', tid: 't', upn: 'u' } } } };
    const session = new Session({ target: asked, answers: {}, allowWrites: true });
    return runCheck(check(run), session).finally(() => session.close());
  });
  expect(result).toMatchObject({ outcome: 'violation', unstable: true, actual: 500 });
  expect(result.exchanges.map(({ response }) => response?.status)).toEqual([500, 200]);
});

describe('the exchange that shows it', () => {
  const send = async (session: Session, path: string) => session.send({ method: 'GET', path });

  async function decisive(run: Check['run']): Promise<string[]> {
    return withServer(
      (_request, response) => response.writeHead(200).end(),
      async (baseUrl) => {
        const session = new Session({ target: { baseUrl }, answers: {}, allowWrites: true });
        const { exchanges } = await runCheck(check(run), session).finally(() => session.close());
        return exchanges.filter((one) => one.decisive).map(({ request }) => request.url.slice(baseUrl.length));
      },
    );
  }

  test('is the one that the check names', async () => {
    const run = async (session: Session) => {
      const shown = await send(session, '/shown');
      await send(session, '/last');
      throw violation('It does not hold.', 1, 2).seenIn(shown);
    };
    expect(await decisive(run)).toEqual(['/shown']);
  });

  test('is the last one where it names none', async () => {
    const run = async (session: Session) => {
      await send(session, '/first');
      await send(session, '/last');
      throw violation('It does not hold.', 1, 2);
    };
    expect(await decisive(run)).toEqual(['/last']);
  });

  test('is shown even if another check asked for it', async () => {
    let shown: Answer | undefined;
    const run = async (session: Session) => {
      const { result } = await session.recorder.scope(() => send(session, '/elsewhere'));
      if (result.status === 'fulfilled') shown ??= result.value;
      await send(session, '/own');
      throw shown && violation('It does not hold.', 1, 2).seenIn(shown);
    };
    expect(await decisive(run)).toEqual(['/elsewhere']);
  });

  test('of a violation that did not show again is that of the first time', async () => {
    let runs = 0;
    const run = async (session: Session) => {
      runs += 1;
      await send(session, `/${runs}`);
      if (runs === 1) throw violation('It does not hold.', 1, 2);
    };
    expect(await decisive(run)).toEqual(['/1']);
  });

  test('is not there where the check passes', async () => {
    const run = async (session: Session) => {
      await send(session, '/');
    };
    expect(await decisive(run)).toEqual([]);
  });
});

describe('a check that is blocked by one that passed', () => {
  const named = (id: string, run: Check['run']): Check => ({ ...check(run), id });
  const passes = named('the-answer', async () => {});

  test('is run once more, since the target may have had a bad moment', async () => {
    const session = newSession();
    await runCheck(passes, session);
    let runs = 0;
    const builds = named('builds-on-it', async () => {
      runs += 1;
      if (runs === 1) throw blocked('the-answer', 'There was no answer');
    });
    expect(await runCheck(builds, session)).toMatchObject({ outcome: 'pass' });
  });

  test('is an error when that shows again: no check judges what it found', async () => {
    const session = newSession();
    await runCheck(passes, session);
    const builds = named('builds-on-it', async () => {
      throw blocked('the-answer', 'There was no answer');
    });
    expect(await runCheck(builds, session)).toMatchObject({
      outcome: 'error',
      message: expect.stringMatching(/^There was no answer \(see the-answer\)\. That check passed, so /),
    });
  });

  test('stays blocked where that one did not pass, or did not run', async () => {
    const session = newSession();
    const builds = named('builds-on-it', async () => {
      throw blocked('the-answer', 'There was no answer');
    });
    expect((await runCheck(builds, session)).outcome).toBe('blocked');
    await runCheck({ ...failing(9).check, id: 'the-answer' }, session);
    expect((await runCheck(builds, session)).outcome).toBe('blocked');
  });
});

test('a bug of the suite is not a violation', async () => {
  const broken = check(async () => {
    throw new TypeError('x is undefined');
  });
  const result = await runCheck(broken, newSession());
  expect(result).toMatchObject({ outcome: 'error', message: expect.stringContaining('The suite itself failed') });
});
