import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { HarFile } from './write-har.ts';

const folder = mkdtempSync(join(tmpdir(), 'write-har-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what was sent more than once is there as often, and of a cookie only its value is a secret', () => {
  const file = join(folder, 'traffic.har');
  const har = new HarFile(file);
  har.add({
    method: 'GET',
    url: 'http://api.example.test/v1/x?id=1&id=2',
    httpVersion: 'HTTP/1.1',
    requestHeaders: { accept: 'a, b' },
    requestBody: Buffer.alloc(0),
    status: 200,
    statusText: 'OK',
    responseHeaders: {
      'set-cookie': [
        'sid=12secret; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Domain=api.example.test',
        'id=34secret; HttpOnly',
      ].join('\n'),
    },
    responseBody: Buffer.alloc(0),
    startedAt: 0,
    durationMs: 1,
  });
  har.close();
  const [{ request, response }] = JSON.parse(readFileSync(file, 'utf8')).log.entries;
  expect(request.queryString).toEqual([
    { name: 'id', value: '1' },
    { name: 'id', value: '2' },
  ]);
  expect(request.headers).toEqual([{ name: 'accept', value: 'a, b' }]);
  expect(request.url).toBe('http://api.example.test/v1/x?id=1&id=2');
  expect(response.headers).toEqual([
    {
      name: 'set-cookie',
      value: expect.stringMatching(
        /^sid=(?!.*secret).+; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Domain=api\.example\.test$/,
      ),
    },
    { name: 'set-cookie', value: expect.stringMatching(/^id=(?!.*secret).+; HttpOnly$/) },
  ]);
});
