import { expect, test } from 'vitest';
import { fileWith, reasonsOf } from '../../testing/refused.ts';
import { loadProfile } from './profile-file.ts';

test('answers can be given as an object', () => {
  expect(loadProfile({ answers: { 'validation-status': 422 } }).get('validation-status')).toBe(422);
  expect(() => loadProfile({ answers: { 'validation-status': 418 as 422 } })).toThrow(
    '418 is not an answer to validation-status',
  );
  expect(() => loadProfile({ answers: { 'refresh-path': '/v1/auth/sso' } })).toThrow(
    'profile inline: answers.refresh-path: "/v1/auth/sso" clashes: two operations on POST /v1/auth/sso',
  );
});

const members = 'allowed: name, description, learnedFrom, learnedAt, answers';

test.each([
  ['answers:\n  error-body: xml\n', /^FILE:2: "xml" is not an answer to error-body; allowed: .*, or a value like /],
  ['answers:\n  events: none\n  error-bodies: detail\n', /^FILE:3: there is no gap error-bodies; .*error-body/],
  [
    'answers:\n\n  validation-status: 418\n',
    'FILE:3: 418 is not an answer to validation-status; allowed: 400, 422, or a value like {"body":422,"query":400}',
  ],
  ['answers: []\n', 'FILE:1: answers must be a map from gap to answer; it is []'],
  ['answers: {}\ncolour: red\n', `FILE:2: colour is unknown; ${members}`],
  ['name: 7\nanswers: {}\n', 'FILE:1: name must be string, which 7 is not'],
  ['learnedAt: yesterday\nanswers: {}\n', 'FILE:1: learnedAt must match format "date-time", which "yesterday" is not'],
  ['answers: {}\nlearnedFrom: "file:///etc"\n', /^FILE:2: learnedFrom must match pattern "\^https\?:\/\/", which/],
  [
    'answers:\n  scopes-path: /v1/admin/tenants/x/api-keys\n',
    /^FILE:2: .* clashes: two operations on GET .*: listTokenScopes and listTenantApiKeys; allowed .*, a value like "\//,
  ],
  ['answers:\n  error-body: detail\n  error-body: detail\n', 'FILE:3: not YAML: Map keys must be unique'],
  ['', 'FILE:1: a profile is a map with name, description and answers'],
  ['answers:\n  a: [1\n', /^FILE:\d: not YAML: /],
  ['answers:\n  provider-values: [a, b, c, d, e, f]\n', /^FILE:2: \["a","b","c","d","e","f"\] is not an answer/],
  ['name: x\nanswer:\n  error-body: detail\n', `FILE:2: answer is unknown; ${members}; did you mean answers?`],
])('%j is refused', async (text, reason) => {
  const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  const file = fileWith(text);
  expect(await reasonsOf(() => loadProfile(file), file)).toEqual([expected]);
});

test('an unknown name is refused with the list of shipped profiles', () => {
  expect(() => loadProfile('no-such')).toThrow(/no profile no-such: neither a file nor a shipped one \(.*default/);
  expect(() => loadProfile('strct')).toThrow(/^no profile strct: .*; did you mean strict\?$/);
  expect(() => loadProfile('./no/such.yaml')).toThrow('./no/such.yaml: cannot be read (ENOENT)');
});

test.each([
  [{ answer: {} }, 'profile inline: answer is unknown; allowed: name, answers; did you mean answers?'],
  [{ name: 'mine' }, 'profile mine: expected a shipped name, a file, or { answers: … }, but answers is missing'],
  [7, 'profile: expected a shipped name, a file, or { answers: … }, not 7'],
  [null, 'profile: expected a shipped name, a file, or { answers: … }, not null'],
])('a caller in JavaScript that passes %j gets a clear message', (source, message) => {
  expect(() => loadProfile(source as never)).toThrow(message);
});
