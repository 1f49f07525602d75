import { expect, test } from 'vitest';
import { Session } from '../session/session.ts';
import { answerOf, encode, jwtOf } from '../testing/fixtures.ts';
import type { Answer } from '../wire/exchange.ts';
import { tokenDeaths } from './token-lives.ts';

const BASE = 'https://host.test';
const SSO = { oid: 'o', tid: 't', upn: 'a@host.test' };
const TOKEN = jwtOf({ sub: 'a' });
const PAT = 'pat_1.secret';

/** One answer: of which path, to which token, with which status, and after how many seconds. */
type Line = [path: string, token: string | undefined, status: number, seconds: number];

/** A session that has seen these answers, the token being handed out before them with an hour to live. */
function sessionAfter(...lines: Line[]): Session {
  const session = new Session({
    target: { baseUrl: BASE, actors: { admin: { sso: SSO, pat: PAT } } },
    answers: {},
    allowWrites: false,
  });
  const grant = { access_token: TOKEN, expires_in: 3600 };
  session.signIn.noteSso('admin', answerOf(grant, { request: { method: 'POST', url: `${BASE}/v1/auth/sso` } }));
  const start = performance.now();
  for (const [path, token, status, seconds] of lines) {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const method = path.startsWith('/v1/auth') || path === '/v1/api-tokens' ? 'POST' : 'GET';
    const answer: Answer = answerOf({}, { status, request: { method, url: BASE + path, headers } });
    (session.traffic as { at: number; answer: Answer }[]).push({ at: start + seconds * 1000, answer });
  }
  session.close();
  return session;
}

const ages = (...lines: Line[]): number[] => tokenDeaths(sessionAfter(...lines)).map(({ age }) => Math.round(age));

test('a token that is refused where it was accepted has died, at any age below the one announced', () => {
  expect(ages(['/a', TOKEN, 200, 0], ['/a', TOKEN, 401, 4])).toEqual([4]);
  expect(ages(['/a', PAT, 200, 1], ['/a', PAT, 401, 3])).toEqual([2]);
  expect(ages(['/a', TOKEN, 200, 0], ['/a', TOKEN, 401, 3599])).toEqual([]);
});

test('it has not where it was never accepted there, lacks a right, or is accepted again', () => {
  expect(ages(['/a', TOKEN, 200, 0], ['/b', TOKEN, 401, 4])).toEqual([]);
  expect(ages(['/a', TOKEN, 200, 0], ['/a', TOKEN, 403, 4])).toEqual([]);
  expect(ages(['/a', TOKEN, 200, 0], ['/a', TOKEN, 401, 1], ['/a', TOKEN, 200, 2])).toEqual([]);
});

test.each<[what: string, line: Line]>([
  ['a sign-in, which may end the session before it', ['/v1/auth/sso', undefined, 200, 2]],
  ['the exchange of a refresh token', ['/v1/auth/refresh', undefined, 200, 2]],
  ['forged credentials, after which a target may lock callers out', ['/a', `${encode('x')}.x.x`, 401, 2]],
  ['a request without credentials', ['/a', undefined, 401, 2]],
])('%s excuses the refusal', (_what, line) => {
  expect(ages(['/a', TOKEN, 200, 0], line, ['/a', TOKEN, 401, 4])).toEqual([]);
});

test('a new PAT excuses the end of a PAT, and not that of a JWT', () => {
  const made: Line = ['/v1/api-tokens', TOKEN, 201, 2];
  expect(ages(['/a', PAT, 200, 0], made, ['/a', PAT, 401, 4])).toEqual([]);
  expect(ages(['/a', TOKEN, 200, 0], made, ['/a', TOKEN, 401, 4])).toEqual([4]);
});
