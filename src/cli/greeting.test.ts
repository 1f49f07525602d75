import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { TestMock } from '../testing/client.ts';
import { greeting } from './greeting.ts';

test('the start-up message can be copied and works', async () => {
  await using mock = await TestMock.start();
  // Colors depend on the environment of the tests.
  const text = stripVTControlCharacters(greeting(mock.mock));
  expect(text).toContain(`Base URL     ${mock.mock.baseUrl}`);
  const [, line = ''] = /(curl -X PATCH .*)/.exec(text) ?? [];
  const [, path = ''] = /PATCH http:\/\/[^/]+(\S+)/.exec(line) ?? [];
  const [, token] = /Bearer ([^']+)/.exec(line) ?? [];
  const [, raw = ''] = /-d '(.*)'/.exec(line) ?? [];
  expect(await mock.call(`PATCH ${path}`, { token, raw })).toMatchObject({ status: 200, body: { title: 'Hello' } });
  for (const [, claims = ''] of text.matchAll(/SSO claims +(.*)/g)) {
    expect((await mock.call('POST /v1/auth/sso', { raw: claims })).status).toBe(200);
  }
  for (const [, credentials = ''] of text.matchAll(/Login +(.*)/g)) {
    expect((await mock.call('POST /v1/auth/login', { raw: credentials })).status).toBe(200);
  }
});
