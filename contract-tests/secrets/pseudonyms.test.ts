import { expect, test } from 'vitest';
import { harOf } from '../testing/har-of.ts';
import { answered, sent } from '../testing/secret-places.ts';
import type { Passed } from '../wire/passed.ts';

const recorded = async (...exchanges: Partial<Passed>[]): Promise<string> => (await harOf(exchanges)).text;

const PARTS = ['p://127.0.0.1:4010', 'http://127.0.0.1:4010', 'http', '127.0.0.1', '4010', '://', 'localhost:4010/'];
test.each(PARTS)('a URL stays one, and leads to where it led, when %s is a secret', async (secret) => {
  const url = `http://127.0.0.1:4010/x?token=${secret}`;
  const first = { url, ...sent('', { host: '127.0.0.1:4010', authorization: `Basic ${btoa(`ada:${secret}`)}` }) };
  const har = await recorded(first, { url, ...answered('', { location: url }) });
  for (const { request, response } of JSON.parse(har).log.entries) {
    const urls = [request.url, response.redirectURL || request.url];
    expect(urls.map((each) => new URL(each).origin)).toEqual(['http://127.0.0.1:4010', 'http://127.0.0.1:4010']);
    expect(request.queryString[0].value).not.toContain(secret);
  }
});

test('what only has a part in common with a secret stays', async () => {
  const others = {
    id: 'rec_kickoff',
    ref: 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
    title: 'Recording 1 of hunter24, at adamant',
    filename: '20240516_003.m4a',
    email: 'ada@example.test',
    code: 'recording_not_found',
    token_type: 'bearer',
    created_at: '2026-01-01T00:00:00Z',
    status: 'completed',
    items: [{ tokens: 4010, max_tokens: 400_000, authorization: 'required' }],
  };
  const url = 'http://127.0.0.1:4010/v1/echo/recordings/rec_kickoff';
  const har = await recorded(
    sent(
      JSON.stringify({
        logins: ['ada', 'hunter2', 'recording', 'completed', '2026-01', 'adam'].map((password) => ({ password })),
      }),
    ),
    sent('', { authorization: 'Bearer rec_kickoff.f81d4fae-7dec-11d0-a765-00a0c91e6bf6.8f3kQz81mXwP27Lr' }),
    { url, ...answered(JSON.stringify(others)) },
  );
  const { request, response } = JSON.parse(har).log.entries[2];
  expect([request.url, JSON.parse(response.content.text)]).toEqual([url, others]);
});

test('a secret that a list of API keys shows by mistake is replaced under any name', async () => {
  const secret = 'a1B2c3D4e5F6g7H8i9J0';
  const url = 'http://127.0.0.1:4010/v1/admin/tenants/t/api-keys';
  const har = await recorded({ url, ...answered(JSON.stringify([{ id: 'k1', value: secret }])) });
  expect(har).not.toContain(secret);
});

test('a secret has one pseudonym, whatever it is sent as', async () => {
  const secret = 'sk-a1B2c3D4e5F6g7H8i9J0';
  const bodies = [{ password: secret }, { token: secret }, { password: secret }];
  const har = await recorded(...bodies.map((body) => sent(JSON.stringify(body), { [secret]: 'as a name' })));
  expect(har.toLowerCase()).not.toContain(secret.toLowerCase());
  const entries: { request: { postData: { text: string } } }[] = JSON.parse(har).log.entries;
  const pseudonyms = entries.map(({ request }) => Object.values(JSON.parse(request.postData.text))[0]);
  expect(new Set(pseudonyms).size).toBe(1);
});
