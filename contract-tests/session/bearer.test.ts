import { describe, expect, test } from 'vitest';
import { answerOf, jwtOf } from '../testing/fixtures.ts';
import { isNearlySpent, isSpent, received } from './bearer.ts';

const NOW = Math.floor(Date.now() / 1000);

describe('the lifetime of a token, from its receipt', () => {
  test.each<
    [what: string, claims: object, body: object, headers: Record<string, string>, lifetime: number | undefined]
  >([
    ['what the JWT claims', { iat: NOW, exp: NOW + 60 }, {}, {}, 60],
    ['expires_in, where the JWT claims nothing', {}, { expires_in: 5 }, {}, 5],
    ['expires_in of any shape of a login', { exp: NOW + 60 }, { tokens: { access: { expiresIn: 7 } } }, {}, 7],
    ['what is left of a token that is handed out again', { iat: NOW - 50, exp: NOW + 10 }, { expires_in: 10 }, {}, 10],
    ['by the clock of the target', { exp: NOW + 900 }, {}, { date: new Date((NOW + 600) * 1000).toUTCString() }, 300],
    [
      'not what clocks that differ make of it',
      { iat: NOW, exp: NOW + 9 },
      {},
      { date: new Date(2e12).toUTCString() },
      9,
    ],
    ['nothing', {}, { refresh_expires_in: 9 }, {}, undefined],
  ])('%s', (_, claims, body, headers, lifetime) => {
    expect(received(jwtOf(claims), 'a test', answerOf(body, { headers })).lifetime).toBe(lifetime);
  });
});

describe('age', () => {
  const aged = (seconds: number, lifetime?: number) => {
    const receivedAt = performance.now() - seconds * 1000;
    return { token: '', source: '', receivedAt, lifetime };
  };

  test('a token may be over in its last second, since lifetimes are whole seconds', () => {
    expect([1, 8.5, 9.5].map((age) => isSpent(aged(age, 10)))).toEqual([false, false, true]);
    expect(isSpent(aged(0, 1))).toBe(true);
  });

  test('it is replaced before that', () => {
    expect([7, 8.5].map((age) => isNearlySpent(aged(age, 10)))).toEqual([false, true]);
  });

  test('a token that states no lifetime, or was given, is good for the whole run', () => {
    const given = { token: '', source: '', lifetime: 1 };
    expect([isSpent(aged(9e9)), isNearlySpent(aged(9e9)), isSpent(given)]).toEqual([false, false, false]);
  });
});
