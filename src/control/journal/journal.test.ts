import { afterAll, describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../core/world/journal.ts';
import { field, keys, patch, TestMock } from '../../testing/client.ts';

const mock = await TestMock.start();
afterAll(() => mock[Symbol.asyncDispose]());

test('a reset clears it only when asked to', async () => {
  await using mock = await TestMock.withoutPort();
  const { control } = mock.mock;
  const left = async (query: { journal?: boolean }) => {
    await mock.call('GET /v1/api-tokens/scopes');
    await control.POST('/reset', { params: { query } });
    return (await control.GET('/journal')).data.total;
  };
  expect([await left({}), await left({ journal: false }), await left({ journal: true })]).toEqual([1, 2, 0]);
});

test('reports how the response to each request was determined', async () => {
  const { control, call, mint } = await mock.sandbox();
  const token = await mint();
  await call(patch, { token, json: { title: "It's new" } });
  await call(patch, { token, json: { title: 7 } });
  await call(keys, { headers: { 'X-Mock-Fault': 'key-secret-leaked' } });
  await call(keys, { token, headers: { 'X-Mock-Fault': 'key-secret-leaked' } });
  await call('OPTIONS /v1/auth/sso');
  await call('GET /nothing');
  const { data } = await control.GET('/journal');
  expect(data).toMatchObject({ total: 6, kept: 6, capacity: 500 });
  const [unknown, options, leaked, anonymous, refused, updated] = data.entries;
  expect(updated).toMatchObject({
    id: 1,
    outcome: 'answered',
    actor: { user: 'usr_ada', username: 'ada', via: 'jwt' },
    basis: 'documented',
    request: { method: 'PATCH', url: expect.stringContaining('/v1/echo/'), body: { text: '{"title":"It\'s new"}' } },
    response: { status: 200 },
    trace: {
      operation: 'updateRecording',
      validation: 'valid',
      authentication: { outcome: 'authenticated', via: 'jwt' },
      gaps: [],
      faults: [],
      changes: [{ resource: 'recordings', id: 'rec_kickoff', change: 'updated', fields: ['title', 'updated_at'] }],
    },
  });
  expect(updated?.curl).toContain(`-H "authorization: Bearer $TOKEN"`);
  expect(updated?.curl).toContain(`--data-raw '{"title":"It'\\''s new"}'`);
  expect(refused?.trace).toMatchObject({
    validation: 'refused',
    authentication: { outcome: 'authenticated' },
    error: { kind: 'validation' },
    gaps: expect.arrayContaining([{ id: 'wrong-type', answer: 'refuse' }]),
    changes: [],
  });
  expect(anonymous?.trace).toMatchObject({
    validation: 'not reached',
    authentication: { outcome: 'refused' },
    error: { kind: 'missing-credentials' },
    faults: [],
  });
  expect(leaked?.trace).toMatchObject({ faults: ['key-secret-leaked'], validation: 'valid' });
  expect(options).toMatchObject({ response: { status: 204 } });
  expect(unknown).toMatchObject({ response: { status: 404 }, trace: { error: { kind: 'unknown-path' } } });
});

test('can be queried and cleared', async () => {
  const { control, call, mint } = await mock.sandbox();
  const token = await mint();
  await call(keys, { token });
  await call(keys);
  await call(patch, { token, json: {} });
  const ids = async (query: object) =>
    (await control.GET('/journal', { params: { query } })).data.entries.map(({ id }) => id);
  expect(await ids({})).toEqual([3, 2, 1]);
  expect(await ids({ limit: 1 })).toEqual([3]);
  expect(await ids({ status: '4xx' })).toEqual([2]);
  expect(await ids({ status: '200', method: 'GET' })).toEqual([1]);
  expect(await ids({ operation: 'updateRecording' })).toEqual([3]);
  expect(await ids({ path: 'api-keys', user: 'usr_ada' })).toEqual([1]);
  expect(await ids({ gap: 'empty-update' })).toEqual([3]);
  expect(await ids({ fault: 'title-truncated' })).toEqual([]);
  expect(await ids({ after: 2 })).toEqual([3]);
  expect(await ids({ after: 1, before: 3 })).toEqual([2]);
  await control.DELETE('/journal');
  expect(await ids({})).toEqual([]);
});

test('can be exported as HAR 1.2, with pseudonyms by which `verify --har` follows each credential', async () => {
  const { control, call } = await mock.sandbox();
  const json = { email: 'ada@analytical.example', password: 'ada-password' };
  const { body: grant } = await call('POST /v1/auth/login', { json });
  await call(`${patch}?a=1`, { token: String(field(grant, 'access_token')), json: { title: 'x' } });
  const { log } = (await control.GET('/journal/har')).data as { log: object };
  const { access_token: handedOut } = JSON.parse(String(field(log, 'entries', 0, 'response', 'content', 'text')));
  expect(handedOut).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(log).toMatchObject({ version: '1.2' });
  expect(field(log, 'entries', 1)).toMatchObject({
    startedDateTime: expect.stringMatching(/Z$/),
    time: expect.any(Number),
    request: {
      method: 'PATCH',
      url: expect.stringMatching(/^http:\/\/127/),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: expect.arrayContaining([{ name: 'authorization', value: `Bearer ${handedOut}` }]),
      queryString: [{ name: 'a', value: '1' }],
      postData: { mimeType: 'application/json', text: '{"title":"x"}' },
      headersSize: -1,
    },
    response: {
      status: 200,
      statusText: 'OK',
      content: { mimeType: expect.stringContaining('json') },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, receive: 0 },
  });
});

test('truncates long bodies', async () => {
  const { control, call, mint } = await mock.sandbox();
  const token = await mint();
  await call(patch, { token, json: { title: 'x'.repeat(50_000) } });
  const [long] = (await control.GET('/journal')).data.entries;
  expect(long?.request.body).toMatchObject({ cut: true, size: 50_012 });
  expect(long?.response?.body?.text.length).toBeLessThan(17_000);
});

describe('as server-sent events', () => {
  test('a marker says how many entries the journal no longer kept, of its requests and of other replicas', async () => {
    await using own = await TestMock.withoutPort();
    const first = async (after: number) => {
      const { body } = await own.mock.fetch(`${own.mock.baseUrl}/_mock/journal/events`, {
        headers: { 'last-event-id': `${after}` },
      });
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!/\nid: /.test(text)) text += (await reader?.read())?.value ?? '';
      await reader?.cancel();
      return text.split('\n\n').slice(1, 3);
    };
    for (let at = 0; at < 640; at += 1) await own.call('GET /v1/x');
    const entry = (number: number) => expect.stringMatching(new RegExp(`^id: ${number}\n`));
    expect(await first(1)).toEqual(['event: dropped\ndata: {"dropped":139}', entry(141)]);
    const { journal } = own.world;
    const missed: number[] = [];
    journal.listen({ entry: () => {}, missed: (count) => missed.push(count), end: () => {} });
    const last = { ...journal.get(640), number: 800 } as JournalEntry;
    journal.follow([last], 800, 0);
    journal.follow([{ ...last, number: 801 }], 801, 0);
    expect(missed).toEqual([159]);
  });

  test('ends when the sandbox is deleted, and when the server stops', async () => {
    const own = await TestMock.start();
    const box = await own.mock.sandbox();
    const ofBox = await fetch(`${box.baseUrl}/_mock/journal/events`);
    const ofMain = await fetch(`${own.mock.baseUrl}/_mock/journal/events`);
    await box[Symbol.asyncDispose]();
    expect(await ofBox.text()).toContain(': the journal');
    await own[Symbol.asyncDispose]();
    // Ended, not cut off by a timeout, which would throw here.
    expect(await ofMain.text()).toContain(': the journal');
  });
});
