import { expect, test } from 'vitest';
import type { Exchange } from '../model.ts';
import { loadGaps } from '../spec-data.ts';
import { answerOf, jwtOf } from '../testing/fixtures.ts';
import { Secrets } from './secrets.ts';

const PASSWORD = 'correct horse/battery+staple "ü"';
const target = {
  actors: { admin: { login: { email: 'qa@example.test', password: PASSWORD } } },
  headers: { 'X-Env': 'staging' },
};

const exchange = (authorization: string, body: unknown, headers: Record<string, string> = {}): Exchange =>
  answerOf(body, { headers, request: { headers: { Authorization: `Bearer ${authorization}` } } });

test('a claim that is the id of a resource keeps its own name', () => {
  const [tid, oid] = ['f81d4fae-7dec-11d0-a765-00a0c91e6bf6', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'];
  const secrets = new Secrets({ actors: { admin: { sso: { tid, oid } } }, resources: { tenantId: tid } });
  expect(secrets.scrub(`/tenants/${tid}/api-keys of ${oid}`)).toBe(`/tenants/${tid}/api-keys of ‹admin.sso.oid›`);
});

// Recordings at a mock hold its profile.
test.each(loadGaps())(
  'an answer of the gap $id is no secret',
  ({ id, answers = {}, examples = [], default: usual }) => {
    // Words of the gaps stay in any case; codes are the deployment's own.
    const codes = { 'invalid-credentials at refreshAccessToken': 'stale_refresh_token' };
    for (const answer of [...Object.keys(answers), ...examples, usual, ...(id === 'error-codes' ? [codes] : [])]) {
      const secrets = new Secrets({});
      const profile = { answers: { [id]: answer } };
      secrets.learnFrom(answerOf(profile));
      const text = JSON.stringify([profile, { accessToken: 1, refresh_token: 2 }]);
      expect(secrets.scrub(text)).toBe(text);
    }
  },
);

test('redacting again changes nothing, even where the name holds a secret', () => {
  const secrets = new Secrets({});
  secrets.add([{ value: 'Correct-Horse-42', name: 'header Correct-Horse' }]);
  const clean = secrets.scrub('Correct-Horse-42 and "Correct-Horse-42"');
  expect(clean).toBe('‹secret› and "‹secret›"');
  expect(secrets.scrub(clean)).toBe(clean);
});

test('a short credential is redacted where one is, and not in prose', () => {
  const secrets = new Secrets({ actors: { admin: { login: { email: 'a@b.test', password: 'wrong' } } } });
  const texts = ['{"password":"wrong"}', 'password=wrong&x=1', '/x?pw=wrong', 'wrong', 'email or password is wrong.'];
  const mark = '‹admin.login.password›';
  expect(texts.map((text) => secrets.scrub(text))).toEqual([
    ...[`{"password":"${mark}"}`, `password=${mark}&x=1`, `/x?pw=${mark}`, mark],
    'email or password is wrong.',
  ]);
});

test('a claim is redacted wherever it is whole; a constant that holds a part of it, or more, stays', () => {
  const sso = { oid: '00000000-0000-4000-8000-123456789012', tid: '20260101' };
  const secrets = new Secrets({ actors: { admin: { sso } } });
  const constants = '00000000-0000-4000-8000-000000000000 2026010199 id_12345678901';
  expect(secrets.scrub(`${constants} /users/${sso.oid}/x ${sso.tid}, ${encodeURIComponent(`"${sso.oid}"`)}`)).toBe(
    `${constants} /users/‹admin.sso.oid›/x ‹admin.sso.tid›, %22‹admin.sso.oid›%22`,
  );
});

test('a secret that a listed API key holds under any name; hints stay', () => {
  const secret = 'sk-live-0123456789abcdef0123';
  const keys = [
    { id: 'k1', note: secret, blob: Buffer.from(`sk-live-98765abcdef43210`).toString('base64'), hint: '…0123' },
  ];
  const listed = exchange('none', keys);
  const secrets = new Secrets(target);
  secrets.learnFrom({ ...listed, request: { ...listed.request, url: 'https://host.test/v1/x/api-keys?status=a' } });
  expect(secrets.scrub(JSON.stringify(keys))).toBe('[{"id":"k1","note":"‹note›","blob":"‹blob›","hint":"…0123"}]');
});

test('of tokens that begin alike no tail stays, whichever was seen first', () => {
  const real = jwtOf({ sub: 'ada' }, 'SIGNATURE-OF-THE-REAL-TOKEN');
  const forged = jwtOf({ sub: 'ada', tampered: true }, 'SIGNATURE-OF-THE-REAL-TOKEN');
  const pat = 'pat_0123.ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const wrong = 'pat_0123.ABCDEFGHIJKLMQOPQRSTUVWXYZ';
  for (const order of [
    [real, forged, pat, wrong],
    [wrong, pat, forged, real],
  ]) {
    const secrets = new Secrets(target);
    for (const token of order) secrets.learnFrom(exchange(token, {}));
    const clean = secrets.scrub(order.map((token) => `Bearer ${token}`).join('; '));
    expect(clean).toBe(['', ' 2', ' 3', ' 4'].map((nth) => `Bearer ‹Authorization header${nth}›`).join('; '));
  }
});

test('a code of a refusal that has the form of a PAT stays, and a PAT that a refusal repeats is redacted', () => {
  const secrets = new Secrets(target);
  const told = { type: 'value_error.jsondecode', input: 'pat_x1Y2.z7Q4w9K2m5R8' };
  for (const body of [told, [told]]) secrets.learnFrom(answerOf(body, { status: 422 }));
  expect(secrets.scrub(JSON.stringify(told))).toBe('{"type":"value_error.jsondecode","input":"‹PAT›"}');
});

test('a PAT is redacted by its form; with dots in its prefix only where PATs are made', () => {
  const answer = { any: 'echo.live_0123.ABCDEFGHIJKLM', other: 'echo_4567.N8pQ2rS7uVwX', file: '20240516_003.m4a' };
  const [elsewhere, made] = [new Secrets(target), new Secrets(target)];
  elsewhere.learnFrom(exchange('none', answer));
  const { request, ...rest } = exchange('none', answer);
  made.learnFrom({ request: { ...request, url: 'https://host.test/v1/api-tokens' }, ...rest });
  expect(elsewhere.scrub(Object.values(answer).join(' '))).toBe(`${answer.any} ‹PAT› ${answer.file}`);
  expect(made.scrub(`${answer.any} ${answer.other}`)).toBe('‹PAT› ‹PAT 2›');
});

test('what replaces a token is not a secret, and may be shown', () => {
  const secrets = new Secrets(target);
  for (const word of ['null', 'undefined', '']) secrets.learnFrom(exchange(word, {}));
  for (const text of ['{"title": null} of undefined, Bearer', 'Authorization: Bearer a'])
    expect(secrets.scrub(text)).toBe(text);
});

const HEADERS = ['X-Api-Key', 'X-Env-Pass', 'X-Session', 'X-CSRF', 'csrf-id', 'Sid', 'X-Auth'];
test.each(HEADERS)('the header %s is a credential, a harmless one none', (name) => {
  const secrets = new Secrets({ headers: { ...target.headers, [name]: 'q8Zr-41x9' } });
  expect(secrets.scrub('q8Zr-41x9 staging')).toBe(`‹headers.${name}› staging`);
});

const AT = '2026-01-01T00:00:00Z';
const JWT = jwtOf({ sub: 'ada' }, 'abcdefghijklm');
const KEY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj';
const PEM = `-----BEGIN PRIVATE KEY-----\n${KEY}\n-----END PRIVATE KEY-----\nand some text`;

test.each<[what: string, body: object, text: string, clean: RegExp]>([
  ['a member called session', { nested: [{ session: 'f81d4fae7dec' }] }, 'of f81d4fae7dec.', /^of ‹session›\.$/],
  ['one called session_id', { nested: [{ session_id: 'f81d4fae7dec' }] }, 'of f81d4fae7dec.', /^of ‹session_id›\.$/],
  ['one called csrf', { nested: [{ csrf: 'f81d4fae7dec' }] }, 'of f81d4fae7dec.', /^of ‹csrf›\.$/],
  ['one called password', { nested: [{ password: 'q7x' }] }, '"q7x"', /^"‹password›"$/],
  [
    'a number that is called a secret, not one about it,',
    { client_secret: 839201774512, secret_version: 20260301 },
    '839201774512 20260301',
    /^‹client_secret› 20260301$/,
  ],
  [
    'a PAT, not its prefix,',
    { token: 'echo_li_0123.ABCDEFG' },
    'echo_li_0123.ABCDEFG of echo_li',
    /^‹token› of echo_li$/,
  ],
  [
    'what an answer shows to be a credential, not what only mentions one,',
    { refresh_token: 'refresh-0001-abc', token_type: 'bearer', secret_rotated_at: AT, nested: { any: JWT } },
    `refresh-0001-abc cookie-value-1 ${JWT} bearer ${AT}`,
    /^‹refresh_token› ‹cookie› ‹JWT› bearer 2026-01-01T00:00:00Z$/,
  ],
  ['of a private key only the key', { pem: PEM }, `${KEY}, and some text`, /^‹\w+›, and some text$/],
])('%s is redacted', (_what, body, text, clean) => {
  const secrets = new Secrets(target);
  secrets.learnFrom(exchange('none', body, { 'set-cookie': 'sid=cookie-value-1; Path=/' }));
  expect(secrets.scrub(text)).toMatch(clean);
});
