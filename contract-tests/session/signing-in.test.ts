import { expect, test } from 'vitest';
import { answerOf, jwtOf } from '../testing/fixtures.ts';
import { lifetimeOf } from './signing-in.ts';

const NOW = Math.floor(Date.now() / 1000);
const inTenMinutes = new Date((NOW + 600) * 1000).toUTCString();
const inYears = new Date(2e12).toUTCString();

test.each<[what: string, claims: object, body: object, headers: Record<string, string>, lifetime: number]>([
  ['what the JWT claims', { iat: NOW, exp: NOW + 60 }, {}, {}, 60],
  ['expires_in, where the JWT claims nothing', {}, { expires_in: 5 }, {}, 5],
  ['expires_in of any shape of a login', { exp: NOW + 60 }, { tokens: { access: { expiresIn: 7 } } }, {}, 7],
  ['what is left of a token that is handed out again', { iat: NOW - 50, exp: NOW + 10 }, { expires_in: 10 }, {}, 10],
  ['by the clock of the target', { exp: NOW + 900 }, {}, { date: inTenMinutes }, 300],
  ['not what clocks that differ make of it', { iat: NOW, exp: NOW + 9 }, {}, { date: inYears }, 9],
  ['for ever, where nothing is stated', {}, { refresh_expires_in: 9 }, {}, Number.POSITIVE_INFINITY],
])('the lifetime of a token is %s', (_, claims, body, headers, lifetime) =>
  expect(lifetimeOf(jwtOf(claims), answerOf(body, { headers }))).toBe(lifetime),
);
