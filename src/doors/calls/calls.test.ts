import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { presetFault } from '../client.ts';
import { connectMock, type Sandbox } from '../connect.ts';
import { createPortableMock } from '../portable.ts';
import { CallsError } from './index.ts';
import { callMatchers } from './matchers.ts';

const mock = await createPortableMock();
let world: Sandbox;
let token: string;
beforeEach(async () => {
  world = await mock.sandbox();
  token = (await world.control.POST('/tokens', { body: { user: 'usr_ada' } })).data.token;
});
afterEach(() => void vi.useRealTimers());

const update = (body: unknown, init: RequestInit = {}) =>
  mock.fetch(`${world.baseUrl}/v1/echo/recordings/rec_kickoff?from=test`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'X-Page': 'recordings' },
    body: JSON.stringify(body),
    ...init,
  });
const scopes = (headers: HeadersInit = { Authorization: `Bearer ${token}` }) =>
  mock.fetch(`${world.baseUrl}/v1/api-tokens/scopes`, { headers });
const atOnce = { timeout: 0 };

describe('waiting', () => {
  test('a call that is made later is found, and a second one is waited for', async () => {
    const waiting = world.calls({ operation: 'updateRecording', count: { min: 2 } });
    await update({ title: 'one' });
    await scopes();
    await update({ title: 'two' });
    expect((await waiting).map(({ id, body }) => [id, body])).toEqual([
      [1, { title: 'one' }],
      [3, { title: 'two' }],
    ]);
  });

  test('a simulated clock neither ends the wait nor stops it', async () => {
    vi.useFakeTimers();
    const waiting = world.calls({ operation: 'listTokenScopes' });
    vi.advanceTimersByTime(3_600_000);
    await scopes();
    expect(await waiting).toHaveLength(1);
    await expect(world.calls({ operation: 'login' }, { timeout: 1 })).rejects.toThrow(CallsError);
  });

  test('the signal ends it; the message tells that nothing came, and where the app should call', async () => {
    const controller = new AbortController();
    const waiting = world.calls({}, { timeout: 60_000, signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toThrow(
      `Expected at least 1 of any request, received none until the signal was aborted.\nNo request was received. Does the app call ${world.baseUrl}?`,
    );
  });

  test('a world that is deleted ends it, and is not made again', async () => {
    const waiting = expect(world.calls({ operation: 'login' }, { timeout: 60_000 })).rejects.toThrow(
      'received none until the world was deleted or the mock stopped.',
    );
    const { journal } = mock.worlds.sandbox(world.name);
    await expect.poll(() => journal.isWatched).toBe(true);
    await world[Symbol.asyncDispose]();
    await waiting;
    expect(mock.worlds.find(world.name)).toBeUndefined();
  });

  test('a request without an answer counts at the end', async () => {
    const params = { path: { fault: 'never-answers' } };
    await world.control.PUT('/faults/{fault}', { params, body: {} });
    const controller = new AbortController();
    const hanging = Array.from({ length: 6 }, () =>
      update({ title: 'x' }, { signal: controller.signal }).catch(() => {}),
    );
    const received = async () => (await world.control.GET('/journal')).data.entries.length;
    await expect.poll(received).toBe(6);
    const [call] = await world.calls({ path: /rec_kickoff/, count: 6 }, { timeout: 50 });
    expect(call?.path).toBe('/v1/echo/recordings/rec_kickoff');
    controller.abort();
    await Promise.all(hanging);
  });
});

describe('what matches', () => {
  test.each([
    [{ method: 'patch', path: '/v1/echo/recordings/rec_kickoff', query: { from: 'test' } }, true],
    [{ path: /recordings/, headers: { 'x-PAGE': 'recordings' }, user: 'usr_ada', status: 200 }, true],
    [{ headers: { authorization: 'Bearer [masked]' } }, true],
    [{ body: { analysis: { key_topics: ['a', expect.any(String)] } } }, true],
    [{ body: expect.objectContaining({ title: expect.stringMatching(/^Fir/) }) }, true],
    [{ body: { title: /first/ } }, false],
    [{ body: { analysis: { key_topics: ['a'] } } }, false],
    [{ body: { summary: expect.anything() } }, false],
    [{ body: {} }, true],
    [{ body: [] }, false],
    [{ query: { from: 'elsewhere' } }, false],
    [{ user: 'usr_grace' }, false],
    [{ operation: 'login' as const }, false],
  ])('%o: %s', async (pattern, isMatch) => {
    await update({ title: 'First', analysis: { key_topics: ['a', 'b'] } });
    const found = await world.calls({ ...pattern, count: { max: 9 } }, atOnce);
    expect(found).toHaveLength(isMatch ? 1 : 0);
  });

  test('a body that is not JSON is text', async () => {
    await update({}, { body: 'no JSON' });
    expect((await world.calls({ body: /^no/, status: 400 }, atOnce))[0]?.body).toBe('no JSON');
  });
});

describe('counting', () => {
  test('calls of more than one page of the journal', async () => {
    for (let count = 0; count < 50; count += 1) await mock.fetch(`${world.baseUrl}/v1/${count}?${'x'.repeat(15_000)}`);
    expect(await world.calls({ path: /^.v1/, count: 50 }, atOnce)).toHaveLength(50);
  });

  test.each([
    [0, /^Expected 0 of updateRecording, received 2 \(#1, #2\)\.\nReceived:/],
    [1, /^Expected 1 of/],
    [{ max: 1 }, /^Expected from 0 to 1 of/],
    [3, /^Expected 3 of updateRecording, received 2 \(#1, #2\)\.\nNearest of 3: #3 GET/],
    [{ min: 3 }, /^Expected at least 3 of/],
  ])('%j of two', async (count, message) => {
    await update({ title: 'one' });
    await update({ title: 'two' });
    await scopes();
    await expect(world.calls({ operation: 'updateRecording', count }, atOnce)).rejects.toThrow(message);
  });
});

describe('order', () => {
  test('what came after an entry; others may come between', async () => {
    for (const title of ['one', 'two', 'three']) await update({ title });
    const later = await world.calls({ path: /rec_kickoff/ }, { after: 1, timeout: 0 });
    expect(later.map(({ id }) => id)).toEqual([2, 3]);
    const apart = await world.calls([{ body: { title: 'one' } }, { body: { title: 'three' } }], atOnce);
    expect(apart.map(({ id }) => id)).toEqual([1, 3]);
  });

  test('what came too early is pointed out', async () => {
    await scopes();
    await update({ title: 'one' });
    const inOrder = world.calls([{ operation: 'updateRecording' }, { operation: 'listTokenScopes' }], atOnce);
    await expect(inOrder).rejects.toThrow(
      'Expected 2 calls in order; no. 2, listTokenScopes, was not received after #2. #1 matches, but came before.\n',
    );
  });
});

describe('what cannot be asked', () => {
  test('an operation that the API does not have: the control plane names those that it has', async () => {
    const refused = { name: 'ControlRefusal', message: expect.stringMatching(/updateRecording\b/) };
    await expect(world.calls({ operation: 'updateRecordings' as never })).rejects.toMatchObject(refused);
  });

  test('what the control plane refuses is thrown, with the call, the field and what it may be', async () => {
    const body = { seconds: 'a minute' as never };
    await expect(world.control.PATCH('/clock', { body })).rejects.toThrow(
      /PATCH .*\/_mock\/clock: 400 .*\n {2}seconds: /,
    );
  });

  test('no mock there, and a preset that is none: what was asked for, and what to do', async () => {
    await expect(connectMock('http://127.0.0.1:9').sandbox('a')).rejects.toThrow(
      /^PUT http:\/\/127\.0\.0\.1:9\/_mock\/sandboxes\/a: .*\. Does the mock run there\?$/,
    );
    expect(() => presetFault('unavailabl' as 'unavailable')).toThrow('no preset unavailabl; did you mean unavailable?');
  });

  test.each([
    [{ bodi: {} }, {}, 'calls has no option bodi; it takes operation, '],
    [{ count: { min: 5, max: 0 } }, {}, 'with min up to max; it is {"min":5,"max":0}'],
    [{ count: -1 }, {}, 'count is a whole number or { min, max }, with min up to max; it is -1'],
    [[{ count: 1 }], {}, 'calls has no option count'],
    [{}, { timeuot: 1 }, 'did you mean timeout?'],
  ])('%j %j', async (pattern, options, message) => {
    await expect(world.calls(pattern as never, options as never)).rejects.toThrow(message);
  });
});

describe('the matcher', () => {
  test('tells why, and what there was', async () => {
    await update({ title: 'one' });
    const asked = (isNot: boolean, expected: object) =>
      callMatchers.toHaveReceived.call({ isNot }, world, expected, { timeout: 10 });
    const found = await asked(true, { operation: 'updateRecording' });
    expect(found.pass).toBe(true);
    expect(found.message()).toMatch(/^Expected no such calls, received:\n {2}#1 curl -i -X PATCH /);
    const missed = await asked(false, { operation: 'login' });
    expect(missed.pass).toBe(false);
    expect(missed.message()).toMatch(/^Expected at least 1 of login, received none in 0\.01 s\.\nNearest of 1: #1/);
    await expect(callMatchers.toHaveReceived.call({}, mock.fetch as never, {})).rejects.toThrow(/takes a mock/);
  });

  test('compares the nearest request field by field', async () => {
    await update({ title: 'Kick off' });
    const expected = { operation: 'updateRecording', body: { title: 'Kick-off' } } as const;
    const message = [
      'Expected at least 1 of updateRecording, body {"title":"Kick-off"}, received none.',
      'Nearest of 1: #1 PATCH /v1/echo/recordings/rec_kickoff -> 200, which differs in 1 of 2:',
      '  =  operation   "updateRecording"',
      '  ≠  body.title  expected "Kick-off", received "Kick off"',
      'Received:',
      '  #1 PATCH /v1/echo/recordings/rec_kickoff -> 200',
    ].join('\n');
    await expect(world.calls(expected, atOnce)).rejects.toMatchObject({ message });
  });

  test("is added to Jest's expect", async () => {
    const extend = vi.fn();
    vi.stubGlobal('expect', { extend });
    await import('../jest.ts');
    vi.unstubAllGlobals();
    expect(extend).toHaveBeenCalledWith(callMatchers);
  });
});

describe('what responses rest on', () => {
  test('gaps lists what decided them, with operation and answer; a profile is no assumption', async () => {
    await scopes();
    await scopes({});
    const gaps = await world.gaps();
    expect(gaps.find(({ id }) => id === 'missing-credentials-status')).toMatchObject({
      section: '7',
      answer: 401,
      isAssumed: true,
      operations: ['listTokenScopes'],
      responses: 1,
    });
    expect(gaps.find(({ id }) => id === 'scopes-path')).toMatchObject({ responses: 1 });
    await world.control.PATCH('/profile', { body: { answers: { 'missing-credentials-status': 401 } } });
    expect((await world.gaps()).find(({ id }) => id === 'missing-credentials-status')?.isAssumed).toBe(false);
    expect(await mock.gaps()).toEqual([]);
  });

  test('what the journal has dropped is no proof that nothing came', async () => {
    const { control } = world;
    for (let at = 0; at < 501; at += 1) await scopes();
    for (const ask of [
      () => world.calls({ operation: 'ssoLogin', count: 0 }),
      () => callMatchers.toHaveReceived.call({ isNot: true }, world, { operation: 'ssoLogin' }),
      () => callMatchers.toRestOn(world, ['scopes-path', 'scopes-response', 'scope-values']),
    ])
      await expect(ask()).rejects.toThrow('has dropped 1 earlier requests, so nothing is known of them');
    // The dropped one came before, or does not matter.
    expect(await world.calls({ operation: 'ssoLogin', count: 0 }, { after: 1 })).toEqual([]);
    expect(await world.calls({ operation: 'listTokenScopes' })).toHaveLength(500);
    await control.POST('/reset', { params: { query: { journal: true } } });
    expect(await world.calls({ count: 0 })).toEqual([]);
  });

  test('toRestOn fails at a new assumption, and names it', async () => {
    await scopes();
    const rests = (...ids: string[]) => callMatchers.toRestOn(world, ids);
    expect((await rests('scopes-path', 'scopes-response', 'scope-values')).pass).toBe(true);
    const { pass, message } = await rests('scopes-response', 'scope-values');
    expect(pass).toBe(false);
    expect(message()).toContain(
      '  scopes-path (section 4.4): At which path are the token scopes listed? Assumed: "/v1/api-tokens/scopes"; decided listTokenScopes',
    );
    await expect(rests('scope-path')).rejects.toThrow('there is no gap scope-path; did you mean scopes-path');
  });
});
