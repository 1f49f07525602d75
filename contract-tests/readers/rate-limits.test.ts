import { expect, test } from 'vitest';
import { answerOf } from '../testing/fixtures.ts';
import { limitOf } from './rate-limits.ts';

const at = (path: string, headers: Record<string, string>) => ({
  answer: answerOf({}, { headers, request: { method: 'GET', url: `https://host.test${path}` } }),
  date: 0,
});

test.each([
  ['none', {}, undefined],
  [
    'a policy of RFC 9331 drafts',
    { 'ratelimit-limit': '25', 'ratelimit-policy': '25;w=10', 'ratelimit-reset': '3' },
    150,
  ],
  ['structured fields', { 'ratelimit-policy': '"default";q=100;w=60', ratelimit: '"default";r=99;t=50' }, 100],
  ['a window by its reset', { 'x-ratelimit-limit': '25', 'x-ratelimit-reset': '10' }, 150],
])('the limit in requests a minute: %s', (_what, headers, expected) => {
  expect(limitOf([at('/v1/scopes', headers as Record<string, string>)])).toBe(expected);
});

test('nothing is learned where the window is not known, or routes differ', () => {
  expect(() => limitOf([at('/v1/scopes', { 'x-ratelimit-limit': '25' })])).toThrow('how long the window is');
  const [few, many] = [{ 'ratelimit-policy': '5;w=60' }, { 'ratelimit-policy': '100;w=60' }];
  expect(() => limitOf([at('/v1/auth/sso', few), at('/v1/scopes', many)])).toThrow(
    'routes have limits of their own (GET /v1/auth/sso: 5 in 60 s; GET /v1/scopes: 100 in 60 s)',
  );
});
