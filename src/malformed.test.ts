// Bytes that are no proper requests: never a 5xx, never a crash, and nothing is changed.
// `npm run attack` sends more of them; ATTACK_SEED makes others.
import { expect, test } from 'vitest';
import { keys, TestMock } from './testing/client.ts';
import { attackFrom, randomFrom } from './testing/malformed.ts';
import { sendRaw, statusesIn } from './testing/raw-client.ts';

const seed = Number(process.env.ATTACK_SEED ?? 20_261_121);
const attacks = 400 * Number(process.env.ATTACK ?? 1);
const atOnce = 16;

test('malformed bytes over raw connections', async () => {
  await using mock = await TestMock.start();
  const token = await mock.token();
  const before = JSON.stringify(mock.world);
  const random = randomFrom(seed);
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < attacks; sent += atOnce) {
    const batch = Array.from({ length: atOnce }, () => attackFrom(random, token));
    for (const answer of await Promise.all(batch.map((attack) => sendRaw(mock.mock.baseUrl, attack))))
      for (const status of statusesIn(answer)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  // 204 is what OPTIONS gets.
  expect([...statuses.keys()].filter((status) => status >= 500 || status === 200 || status === 201)).toEqual([]);
  // They got through to all parts, not only to the first one.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([400, 401, 404, 415, 431]));
  expect(JSON.stringify(mock.world)).toBe(before);
  expect(mock.mock.worlds.count).toBe(0);
  expect(mock.world.ownViolations).toBe(0);
  expect((await mock.update({ title: 'still there' })).status).toBe(200);
});

const codedAs = (coding: string): string =>
  `POST /v1/auth/sso HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;

test.each([
  ['an unknown expectation', 417, 'GET / HTTP/1.1\r\nHost: localhost\r\nExpect: foo\r\n\r\n'],
  ['HTTP/1.1 without a Host', 400, 'GET /v1/api-tokens/scopes HTTP/1.1\r\n\r\n'],
  ['another transfer coding', 501, codedAs('gzip, chunked')],
  ['CONNECT', 400, 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n'],
  ['no HTTP', 400, 'nonsense\r\n\r\n'],
])('%s is answered in the shape of errors', async (_name, status, bytes) => {
  await using mock = await TestMock.start({ profile: 'strict' });
  const answer = await sendRaw(mock.mock.baseUrl, bytes, /never/);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*^X-Mock-Basis: assumed; gaps=error-body`, 'm'));
  const { text } = await mock.call(keys);
  expect(Object.keys(JSON.parse(body))).toEqual(Object.keys(JSON.parse(text)));
});

const local = 'HTTP/1.1\r\nHost: localhost';
// A target may be a whole URL, whose host counts.
test.each([
  [`http://127.0.0.1/v1/api-tokens/scopes ${local}`, 401],
  [`HTTP://localhost:1/~box/v1/api-tokens/scopes?a=1 ${local}`, 401],
  [`http://localhost/_mock/info ${local}`, 200],
  [`http://localhost?a=1 ${local}`, 404],
  [`http://evil.example/_mock/info ${local}`, 403],
  ['/v1/api-tokens/scopes HTTP/1.0', 401],
])('GET %s is answered with %i', async (rest, status) => {
  await using mock = await TestMock.start();
  const text = `GET ${rest}\r\nConnection: close\r\n\r\n`;
  expect(statusesIn(await sendRaw(mock.mock.baseUrl, text, /never/))).toEqual([status]);
});
