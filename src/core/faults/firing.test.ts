import { afterAll, describe, expect, test } from 'vitest';
import { type Call, inTurn, patch as recording, scopes, TestMock } from '../../testing/client.ts';
import { sendRaw } from '../../testing/raw-client.ts';
import type { HookContext } from './fault.ts';
import { faults } from './index.ts';
import { Turn, withFaults } from './turn.ts';

const mock = await TestMock.start();
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

/** A new sandbox, with a fault, and what requests to it come to: a status, or that the connection broke. */
async function sandbox(fault?: string, terms = {}) {
  const { name, control, call } = await mock.sandbox();
  const arm = (id: string, body = {}) => control.PUT('/faults/{fault}', { params: { path: { fault: id } }, body });
  if (fault !== undefined) await arm(fault, terms);
  const get = (line = scopes) => call(line, { token });
  const send = (line: string, more: Call = {}) =>
    call(line, { token, ...more }).then(
      ({ status }) => status,
      () => 'broken' as const,
    );
  const update = (title = 'x', headers = {}) => send(recording, { json: { title }, headers });
  const stateOf = async (id: string) => (await control.GET('/faults')).data.find((one) => one.id === id);
  const title = () => mock.title(`/~${name}`);
  return { name, control, call, arm, get, send, update, stateOf, title };
}

describe('a fault that is armed for some requests', () => {
  test.each([
    ['drop-before-commit', 'broken'],
    ['drop-after-commit', 'broken'],
    ['truncated-body', 'broken'],
    ['rate-limit-burst', 429],
    ['update-conflicts', 409],
    ['limited', 429],
  ] as const)('%s hits the first one, once, and is disarmed', async (id, symptom) => {
    const { update, stateOf } = await sandbox(id, { times: 1 });
    expect(await inTurn(3, () => update())).toEqual([symptom, 200, 200]);
    const { hits, armed } = (await stateOf(id)) ?? {};
    expect({ hits, armed }).toEqual({ hits: 1, armed: undefined });
  });

  test.each([
    ['title-truncated', {}, {}],
    ['truncate', { bytes: 100_000 }, { parameters: { bytes: 100_000 } }],
  ])('requests that %s cannot hit leave it armed', async (id, parameters, armed) => {
    const { send, update, stateOf } = await sandbox(id, { ...parameters, times: 1 });
    expect([await send(scopes), await update('short')]).toEqual([200, 200]);
    expect(await stateOf(id)).toMatchObject({ hits: 0, armed: { left: 1, ...armed } });
  });

  test('of requests at the same time, it hits no more than it is armed for', async () => {
    const { update, stateOf } = await sandbox('drop-after-commit', { times: 2 });
    const seen = await Promise.all(Array.from({ length: 8 }, () => update()));
    expect(seen.filter((one) => one === 'broken')).toHaveLength(2);
    expect(await stateOf('drop-after-commit')).toMatchObject({ hits: 2 });
  });

  test('it counts requests, not steps of a request', async () => {
    // It changes who calls, and what is answered.
    const { send, stateOf } = await sandbox('refused-update-written', { times: 1 });
    const garbage = () => send(recording, { token: 'x', json: { title: 'x' } });
    expect([await garbage(), await garbage()]).toEqual([401, 401]);
    expect(await stateOf('refused-update-written')).toMatchObject({ hits: 1 });
  });

  test('`every` hits every nth that it could hit', async () => {
    const { arm, send, update } = await sandbox('drop-before-commit', { every: 3 });
    const seen = await inTurn(6, async () => ((await send(scopes)) === 200 ? await update() : 'hit'));
    expect(seen).toEqual([200, 200, 'broken', 200, 200, 'broken']);
    // Armed again, it counts from zero.
    await update();
    await arm('drop-before-commit', { every: 2, times: 1 });
    expect(await inTurn(4, () => update())).toEqual([200, 'broken', 200, 200]);
  });

  test('a share of them is drawn from the seed', async () => {
    const share = async () => {
      const { update } = await sandbox('maintenance', { probability: 0.3 });
      return inTurn(30, () => update());
    };
    const drawn = await share();
    const hits = drawn.filter((status) => status === 503).length;
    expect(hits).toBeGreaterThan(2);
    expect(hits).toBeLessThan(20);
    expect(await share()).toEqual(drawn);
  });
});

describe('a fault that needs to have seen other requests', () => {
  test.each([
    ['jwt-ended-by-pat', 'POST /v1/api-tokens', 'updateRecording', recording],
    ['jwt-dies-early', scopes, 'updateRecording', recording],
  ] as const)('%s hits the operation that it is armed for', async (id, first, operation, then) => {
    const { control, arm, send } = await sandbox();
    const { data } = await control.POST('/tokens', { body: { user: 'usr_ada' } });
    await arm(id, { operation });
    const ask = (line: string) => send(line, { token: data.token, ...(line !== scopes && { json: { name: 'n' } }) });
    expect(await ask(first)).toBeLessThan(300);
    await control.PATCH('/clock', { body: { seconds: 2 } });
    expect([await ask(then), await ask(scopes)]).toEqual([401, 200]);
  });

  test('clock-ahead moves no clock where it is not its turn', async () => {
    const { control, update } = await sandbox('clock-ahead', { every: 2 });
    const ahead = async () => (await control.GET('/info')).data.offsetMilliseconds > 500_000;
    await update();
    expect(await ahead()).toBe(false);
    await update();
    expect(await ahead()).toBe(true);
    await control.POST('/reset', { body: { keep: ['faults'] } });
    expect(await ahead()).toBe(false);
    await update();
    await update();
    expect(await ahead()).toBe(true);
  });
});

describe('a fault in the header', () => {
  test.each([
    ['drop-before-commit', 'broken'],
    ['update-conflicts', 409],
    ['delay;ms=0, respond;status=418', 418],
    ['respond;status=500;body={"a":[1,2],"b":"; ,"};headers.Retry-After="3, 4"', 500],
  ])('%s hits that request at once, and no other', async (header, symptom) => {
    const { update, control } = await sandbox();
    expect(await update('x', { 'X-Mock-Fault': header })).toBe(symptom);
    expect(await update()).toBe(200);
    const { data } = await control.GET('/journal');
    expect(data.entries.map(({ trace }) => trace.faults.length > 0)).toEqual([false, true]);
  });

  test('its parameters are in force instead of the armed ones', async () => {
    const { update } = await sandbox('respond', { status: 503 });
    expect([await update('x', { 'X-Mock-Fault': 'respond;status=418' }), await update()]).toEqual([418, 503]);
  });

  test.each([
    ['no-such-fault', 'there is no fault no-such-fault'],
    ['delay;ms=600001', 'ms must be <= 600000; found 600001'],
    ['drop;times=2', 'times counts requests, and a header is for this one only'],
    ['delay;ms=1, delay;ms=2', 'is given twice'],
  ])('%s is refused: %s', async (header, message) => {
    const refused = await mock.call(recording, { token, json: {}, headers: { 'X-Mock-Fault': header } });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(message);
  });
});

describe('cadences', () => {
  test.each([
    ['update-conflicts', {}, [200, 409, 200, 409]],
    // Terms replace its cadence.
    ['unavailable-one-in-five', { every: 2 }, [200, 503, 200, 503]],
    ['unavailable-one-in-five', { operation: 'updateRecording' }, [503, 503]],
  ])('%s, armed with %o', async (id, terms, statuses) => {
    const { update } = await sandbox(id, terms);
    expect(await inTurn(statuses.length, () => update())).toEqual(statuses);
  });

  test('each says so in its description', () => {
    const cadences = faults.filter(({ cadence }) => cadence !== undefined);
    expect(cadences.length).toBeGreaterThan(5);
    for (const { id, description } of cadences)
      expect(description, id).toMatch(/every .*(th|second)\b|after|from the/i);
  });
});

test.each([
  [{ method: 'patch' }, [200, 503, 503]],
  [{ path: '/v1/echo/*' }, [200, 503, 503]],
  [{ path: '/v1/api-tokens/scopes' }, [503, 200, 200]],
  [{ headers: { 'X-Screen': 'edit*' } }, [200, 200, 503]],
  [{ query: { page: '2' } }, [503, 200, 200]],
  [{ body: { title: 'wanted' } }, [200, 200, 503]],
  [{ body: { title: '*', analysis: { depth: { of: 2 } } } }, [200, 200, 503]],
  [{ method: 'PATCH', body: { title: 'other' } }, [200, 503, 200]],
  [{ method: 'GET', body: { title: 'wanted' } }, [200, 200, 200]],
])('a request matcher: %j', async (request, statuses) => {
  const { send } = await sandbox('respond', { request });
  const wanted = { title: 'wanted', analysis: { depth: { of: 2, more: true } } };
  expect([
    await send(`${scopes}?page=2`),
    await send(recording, { json: { title: 'other' } }),
    await send(recording, { json: wanted, headers: { 'x-screen': 'editor' } }),
  ]).toEqual(statuses);
});

/** What comes over a connection in answer to a GET, until it closes. */
function rawGet(sandbox: string): Promise<string> {
  const line = `${scopes.replace(' ', ` /~${sandbox}`)} HTTP/1.1`;
  const headers = `Host: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close`;
  return sendRaw(mock.mock.baseUrl, `${line}\r\n${headers}\r\n\r\n`, /never/);
}

const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4);

describe('respond', () => {
  const quota = { error: { code: 'quota' } };
  const html = { 'content-type': 'text/html' };

  test.each([
    [
      { status: 507, headers: { 'Retry-After': '9' }, body: quota },
      { status: 507, body: quota, basis: 'fault' },
      { 'retry-after': '9', 'content-type': 'application/json' },
    ],
    [{ status: 200, headers: html, body: '<p>Hello</p>' }, { status: 200, body: '<p>Hello</p>' }, html],
    [{ status: 204, body: { left: 'out' } }, { status: 204, text: '' }, {}],
    [{}, { status: 503, body: { error: { code: 'service_unavailable' } } }, {}],
  ])('%j in the place of the service', async (terms, seen, headers) => {
    const { call, title } = await sandbox('respond', terms);
    const before = await title();
    const response = await call(recording, { token, json: { title: 'never' } });
    expect(response).toMatchObject(seen);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(await title()).toBe(before);
  });

  const ofOperation = { template: null, cases: [{ at: ['listTokenScopes'], template: { of: '${code}' } }] };
  test.each([
    ['problem', 'application/problem+json', expect.objectContaining({ status: 503 })],
    [{ template: '${code}' }, 'application/json', 'service_unavailable'],
    [ofOperation, 'application/json', { of: 'service_unavailable' }],
  ] as const)('its error body is that of the profile and of the operation: %j', async (shape, type, expected) => {
    const { control, get } = await sandbox('respond');
    await control.PATCH('/profile', { body: { answers: { 'error-body': shape } } });
    const { headers, body } = await get();
    expect([headers.get('content-type'), body]).toEqual([type, expected]);
  });
});

test('delay: takes so long, and adds up with other faults', async () => {
  const { arm, send } = await sandbox('delay', { ms: 150 });
  await arm('respond');
  const started = performance.now();
  expect(await send(scopes)).toBe(503);
  // Timers may fire a millisecond early.
  expect(performance.now() - started).toBeGreaterThan(147);
});

test.each([
  ['drop', { when: 'before' }, false],
  ['drop', { when: 'after' }, true],
  ['drop-before-commit', {}, false],
  ['drop-after-commit', {}, true],
] as const)('%s %j: nothing comes over the connection; stored: %s', async (fault, terms, isStored) => {
  const { name, update, title } = await sandbox(fault, terms);
  expect(await update('dropped')).toBe('broken');
  expect((await title()) === 'dropped').toBe(isStored);
  // The other two are about updates only.
  if (fault === 'drop') expect(await rawGet(name)).toBe('');
});

test.each([{ bytes: 7 }, {}])('truncate %j: part of the announced body arrives', async (terms) => {
  const { name, get } = await sandbox('truncate', terms);
  const text = await rawGet(name);
  const announced = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  expect(bodyOf(text)).toHaveLength(terms.bytes ?? Math.ceil(announced / 2));
  await expect(get()).rejects.toThrow('terminated');
});

test('throttle: the whole body in pieces, at that pace', async () => {
  const { name } = await sandbox('throttle', { bytesPerSecond: 400 });
  const started = performance.now();
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${mock.mock.baseUrl}/~${name}/v1/api-tokens/scopes`, { headers });
  const pieces: Uint8Array[] = [];
  await response.body?.pipeTo(new WritableStream({ write: (piece) => void pieces.push(piece) }));
  const body = Buffer.concat(pieces);
  expect(JSON.parse(body.toString())).toMatchObject({ is_admin: true });
  expect(pieces.length).toBeGreaterThan(1);
  // The piece of the first tenth of a second comes at once.
  expect(performance.now() - started).toBeGreaterThan((body.length / 400 - 0.1) * 1000 * 0.9);
});

test('offline: every connection is closed, those of preflights as well; the control plane answers', async () => {
  const { control, send, update } = await sandbox('offline');
  const headers = { origin: 'http://localhost:3000', 'access-control-request-method': 'PATCH' };
  const preflight = recording.replace('PATCH', 'OPTIONS');
  expect([await send(scopes), await update(), await send(preflight, { headers })]).toEqual(Array(3).fill('broken'));
  await control.DELETE('/faults/{fault}', { params: { path: { fault: 'offline' } } });
  expect(await send(scopes)).toBe(200);
});

test.each([
  ['delay', { ms: 600_001 }, 'ms: must be <= 600000'],
  ['delay', { distribution: 'normal' }, 'allowed: uniform, lognormal'],
  ['respond', { headers: { 'X-A': 'a\nb' } }, 'headers.X-A: must match pattern'],
  ['respond', { headers: { 'transfer-encoding': 'x' } }, 'headers.transfer-encoding: is set by the mock'],
  ['drop', { request: {} }, 'request: must NOT have fewer than 1 properties'],
  ['hang', { ms: 5 }, 'ms: is no parameter of hang, which has no parameters'],
  ['delay', { bytes: 5 }, 'allowed: ms, jitter, distribution, operation, request, times, every, probability'],
])('%s with %j is refused: %s', async (fault, body, message) => {
  await expect(sandbox(fault, body)).rejects.toThrow(message);
});

test('a sandbox and a mock begin with faults and their terms', async () => {
  await using own = await TestMock.start({ faults: ['respond:status=418;times=1', 'latency:every=1000'] });
  expect(await inTurn(2, async () => (await own.call(scopes)).status)).toEqual([418, 401]);
  const path = scopes.replace('GET ', '');
  const box = await own.mock.sandbox('box', { faults: ['respond:status=418;request.method=PUT'] });
  expect((await own.call(`GET /~box${path}`)).status).toBe(401);
  expect((await own.call(`PUT /~box${path}`)).status).toBe(418);
  await expect(own.mock.sandbox('other', { faults: ['respond:status=1'] })).rejects.toThrow(
    'the fault respond: status must be >= 200; found 1',
  );
  await box.control.DELETE('/faults/{fault}', { params: { path: { fault: 'all' } } });
  expect((await own.call(`PUT /~box${path}`)).status).toBe(405);
});

test('however many faults look at a request and change nothing, it is authenticated once and has its effect once', async () => {
  await using own = await TestMock.withoutPort();
  const { world } = own;
  let looked = 0;
  const look = ({ run }: HookContext): undefined => {
    looked += 1;
    run();
  };
  const told = { id: 'looking', family: 'state', description: '', requirements: [], parameters: [] } as const;
  const fault = { ...told, authenticate: look, operate: look };
  const turns = Array.from({ length: 10 }, () => new Turn(world, { id: fault.id, probability: 1 }, fault));
  const request = { params: {}, query: {}, caller: undefined, body: undefined };
  const occasion = () => ({ method: '', path: '', id: '' });
  const context = { world, arrival: { method: '', url: '', headers: {} }, operation: undefined, occasion, request };
  let ran = 0;
  const response = { body: 'made' };
  const respond = () => {
    ran += 1;
    return response;
  };
  expect(withFaults(turns, 'operate', context, respond)).toBe(response);
  expect([ran, looked]).toEqual([1, 10]);
  const refuse = () => {
    ran += 1;
    throw new Error('refused');
  };
  expect(() => withFaults(turns, 'authenticate', context, refuse)).toThrow('refused');
  expect([ran, looked]).toEqual([2, 20]);
});
