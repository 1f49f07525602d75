import { expect, test } from 'vitest';
import { harOf } from '../testing/har-of.ts';
import { turnsOf } from '../testing/turns.ts';
import type { Passed } from '../wire/passed.ts';
import { readHar } from './read-har.ts';

/** The entries of a recording of these exchanges. */
async function entriesOf(...exchanges: Partial<Passed>[]) {
  return JSON.parse((await harOf(exchanges)).text).log.entries;
}

test('repeated headers are all there, and of a cookie only its value is a secret', async () => {
  const attributes = '; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Domain=api.example.test';
  const [{ request, response }] = await entriesOf({
    url: 'http://api.example.test/v1/x?id=1&id=2',
    responseHeaders: { 'set-cookie': `sid=12secret${attributes}\nid=34secret; HttpOnly` },
  });
  expect(request.queryString.map(({ value }: { value: string }) => value)).toEqual(['1', '2']);
  expect(request.url).toBe('http://api.example.test/v1/x?id=1&id=2');
  const cookies: string[] = response.headers.map(({ value }: { value: string }) => value);
  expect(cookies.map((cookie) => cookie.replace(/=(?!.*secret)[^;]+/, '=…'))).toEqual([
    `sid=…${attributes}`,
    'id=…; HttpOnly',
  ]);
});

test('a body that is too long for any reader is left out, and known not to be there', async () => {
  const long = Buffer.alloc(50_000_000);
  const { file, text } = await harOf([{ method: 'POST', requestBody: long, responseBody: long }]);
  const [entry] = JSON.parse(text).log.entries;
  expect(entry.request).toMatchObject({ bodySize: long.length, postData: { comment: 'left out: longer than 5 MB' } });
  expect(entry.response.content).toMatchObject({ size: long.length, comment: 'left out: longer than 5 MB' });
  expect((await readHar(file).next()).value).toMatchObject({ hasBody: false, hasRequestBody: false });
});

test('others run while a long body is recorded', { timeout: 120_000 }, async () => {
  const responseBody = Buffer.from(JSON.stringify(Array(50_000).fill({ title: 'A "title"', token: 'x1y2z3w4v5u6' })));
  const writing = entriesOf({ responseBody, requestHeaders: { authorization: 'Bearer x1y2z3w4v5u6' } });
  expect(await turnsOf(writing)).toBeGreaterThan(3);
  const [{ response }] = await writing;
  expect(response.content.text).not.toContain('x1y2z3w4v5u6');
});
