import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { hasBrowser, startBrowser } from '../../src/testing/browser.ts';
import { testFolder } from '../testing/folder.ts';
import { LeftOut, type RecordedEntry, readHar } from './read-har.ts';

const file = join(testFolder(), 'traffic.har');

const entry = (status = 200, more: object = {}): object => ({
  startedDateTime: '2026-03-01T10:00:00.000Z',
  time: 12,
  request: { method: 'GET', url: 'https://api.example/v1/x', headers: [{ name: 'AUTHORIZATION', value: 'Bearer x' }] },
  response: { status, headers: [{ name: 'Content-Type', value: 'text/plain' }], content: { text: 'ä "}]{[' } },
  ...more,
});
const har = (...entries: object[]): string =>
  JSON.stringify({ log: { pages: [{ entries: ['not these'] }], version: '1.2', entries, comment: '"entries":[' } });

async function read(content: string | Buffer): Promise<RecordedEntry[]> {
  writeFileSync(file, content);
  const entries = [];
  for await (const each of readHar(file)) entries.push(each);
  return entries;
}

test('entries are read as exchanges, with any text in them', async () => {
  const [first, second, ...more] = await read(har(entry(), entry(404)));
  expect(first).toMatchObject({
    answer: {
      entry: { number: 1, startedAt: '2026-03-01T10:00:00.000Z' },
      request: { headers: { Authorization: 'Bearer x' } },
      response: { status: 200, headers: { 'content-type': 'text/plain' }, body: 'ä "}]{[' },
    },
    startedAt: Date.parse('2026-03-01T10:00:00Z'),
    endedAt: Date.parse('2026-03-01T10:00:00.012Z'),
    hasBody: true,
  });
  expect(second?.answer.entry.number).toBe(2);
  expect(more).toEqual([]);
});

test('a gzip and an indented file with a byte order mark read the same', async () => {
  const text = har(entry(), entry(404));
  const expected = await read(text);
  expect(await read(gzipSync(text))).toEqual(expected);
  expect(await read(`\ufeff${JSON.stringify(JSON.parse(text), null, 2)}`)).toEqual(expected);
});

test('texts are read as they are, wherever a piece of the file ends', async () => {
  const text = '\ufeff\ufeffin\ufeffside \ud800 \udead \0 \u{1f3a7} é \\" \\\\';
  const odd = entry(200, { response: { status: 200, headers: [], content: { text } } });
  const written = JSON.stringify(odd);
  for (let end = 0; end < 60; end += 1) {
    // Files are read in pieces of 64 KiB.
    const before = 2 ** 16 - Buffer.byteLength(written) + end - '{"log":{"x":"","entries":['.length;
    const escaped = written.replaceAll('\ufeff', '\\ufeff');
    const file = `{"log":{"x":"${'x'.repeat(before)}","entries":[${written},${escaped}]}}`;
    expect((await read(file)).map(({ answer }) => answer.response.body)).toEqual([text, text]);
  }
});

test('requests without an answer, or answered from a cache, are left out; a body that was not recorded is distinguished from an empty one', async () => {
  const content = (value: object) => ({ response: { status: 200, headers: [], content: value } });
  const read3 = await read(
    har(
      entry(0),
      entry(304),
      entry(200, { _fromCache: 'disk' }),
      entry(200, content({ size: 9 })),
      entry(200, content({})),
      entry(200, { response: { status: 200, headers: [], content: { size: -1 }, bodySize: 0 } }),
      // A redirect, as Chromium exports it.
      entry(302, { response: { status: 302, headers: [], content: { size: -1 }, bodySize: 0 } }),
    ),
  );
  expect(read3.map(({ answer, hasBody }) => [answer.entry.number, hasBody])).toEqual([
    [4, false],
    [5, true],
    [6, false],
    [7, true],
  ]);
});

const whole = har(entry(), entry(), entry());
const cutAt = whole.lastIndexOf('"request"');
test.each([
  ['', /traffic\.har: not a readable HAR: the file is empty/],
  ['<html>', /it is not JSON, or was cut/],
  ['{"log":{"version":"1.2"}}', /it has no exchanges in log\.entries/],
  ['{"log":{"entries":{"0":{}}}}', /it has no exchanges in log\.entries/],
  [`${whole} x`, /it is not JSON, or was cut/],
  ['{"log":{"entries":[7]}}', /entry 1 is not an object/],
  ['{"log":{"entries":[{"a":1},["b"]]}}', /entry 1: request must be an object|entry 2 is not an object/],
  ['{"log":{"entries":[{"a":}]}}', /entry 1 is not JSON/],
  [whole.slice(0, cutAt), /it is not JSON, or was cut/],
  [gzipSync(whole).subarray(0, 200), /its gzip is damaged or truncated/],
  [Buffer.from('504b0304', 'hex'), /its ZIP archive is damaged \(/],
  [har(entry(200, { request: { method: 'GET', url: 'no url' } })), /entry 1: request\.url must be a URL; it/],
  [har(entry(200, { startedDateTime: 'today' })), /entry 1: startedDateTime must be an ISO 8601 date-time; it is/],
  [har(entry(200, { response: { status: '200' } })), /entry 1: response\.status must be a number; it is "200"/],
])('what is not a whole HAR is one line that names the entry: %#', async (content, message) => {
  await expect(read(content)).rejects.toThrow(message);
});

test('names that every object has, and a deep nesting, harm nothing', async () => {
  const headers = '[{"name":"__proto__","value":"x"},{"name":"constructor","value":"y"}]';
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const one = JSON.stringify(entry()).slice(0, -1);
  const text = `{"log":{"entries":[${one},"request":{"method":"GET","url":"https://a.example/","headers":${headers}},"_deep":${deep}}]}}`;
  const [recorded] = await read(text);
  expect(recorded?.answer.request.headers.constructor).toBe('y');
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test('an entry that cannot be read is left out, and counted', async () => {
  const wrong = { request: { method: 'GET', url: 'no url' } };
  writeFileSync(file, har(entry(), entry(200, wrong), entry(404), entry(200, wrong)).replace('"time":12', '"time":'));
  const leftOut = new LeftOut();
  const read = [];
  for await (const { answer } of readHar(file, leftOut)) read.push(answer.entry.number);
  expect(read).toEqual([3]);
  expect(leftOut.text).toBe('3 entries cannot be read (the first: entry 1 is not JSON)');
});

test('bodies in base64 are texts, of requests and of responses', async () => {
  const base64 = (text: string) => ({ text: Buffer.from(text).toString('base64'), encoding: 'base64' });
  const postData = { mimeType: 'application/json', ...base64('{"a":"ä"}') };
  const request = { method: 'POST', url: 'https://api.example/v1/x', headers: [], postData };
  const [recorded] = await read(
    har(entry(200, { request, response: { status: 200, headers: [], content: base64('ü') } })),
  );
  expect(recorded?.answer).toMatchObject({ request: { body: '{"a":"ä"}' }, response: { body: 'ü' } });
});

test.runIf(hasBrowser)(
  'what Playwright records is read, with bodies attached to it, in a folder and in a ZIP archive',
  async () => {
    await using mock = await startMock();
    await using browser = await startBrowser();
    const folder = testFolder();
    for (const name of ['recorded.har', 'recorded.zip']) {
      const path = join(folder, name);
      const context = await browser.newContext({ recordHar: { path, content: 'attach' } });
      const page = await context.newPage();
      await page.goto(`${mock.baseUrl}/_mock/info`);
      const signIn = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"oid":"ä"}' };
      await page.evaluate(async (init) => (await fetch('/v1/auth/sso', init)).text(), signIn);
      await context.close();
      const entries = [];
      for await (const { answer } of readHar(path)) entries.push(answer);
      expect(entries.at(-1)).toMatchObject({
        request: { method: 'POST', body: signIn.body },
        response: { status: 400, body: expect.stringContaining('"validation_failed"') },
      });
    }
  },
);

test('an attached body is read only by the name that Playwright gives it', async () => {
  const folder = testFolder();
  const path = join(folder, 'a.har');
  writeFileSync(join(folder, 'secret.json'), 'secret');
  const hash = `${'0a'.repeat(20)}.json`;
  writeFileSync(join(folder, hash), 'attached');
  const attached = (name: string) =>
    entry(200, { response: { status: 200, headers: [], content: { size: 8, _file: name } } });
  writeFileSync(
    path,
    har(attached(hash), attached('secret.json'), attached(`../${hash}`), attached(`${'0b'.repeat(20)}.json`)),
  );
  const entries = [];
  for await (const { answer, hasBody } of readHar(path)) entries.push([answer.response.body, hasBody]);
  expect(entries).toEqual([['attached', true], ...Array(3).fill(['', false])]);
});
