import { afterAll, describe, expect, test } from 'vitest';
import { type Call, TestMock } from '../../testing/client.ts';
import type { HookContext } from './fault.ts';
import { faults } from './index.ts';
import { Turn, withFaults } from './turn.ts';

const recording = 'PATCH /v1/echo/recordings/rec_kickoff';
const scopes = 'GET /v1/api-tokens/scopes';

const mock = await TestMock.start();
const token = await mock.token();
afterAll(() => mock[Symbol.asyncDispose]());

/** A new sandbox, and what requests to it come to: a status, or that the connection broke. */
async function sandbox() {
  const { control, call } = await mock.sandbox();
  const arm = (fault: string, body = {}) => control.PUT('/faults/{fault}', { params: { path: { fault } }, body });
  const send = (line: string, more: Call = {}) =>
    call(line, { token, ...more }).then(
      ({ status }) => status,
      () => 'broken' as const,
    );
  const update = (title = 'x', headers = {}) => send(recording, { json: { title }, headers });
  const times = async (count: number, ask: () => Promise<unknown>) => {
    const seen: unknown[] = [];
    for (let at = 0; at < count; at += 1) seen.push(await ask());
    return seen;
  };
  const stateOf = async (fault: string) => (await control.GET('/faults')).data.find(({ id }) => id === fault);
  return { control, call, arm, send, update, times, stateOf };
}

describe('a fault that is armed for some requests', () => {
  test.each([
    ['drop-before-commit', 'broken'],
    ['drop-after-commit', 'broken'],
    ['truncated-body', 'broken'],
    ['captive-portal', 200],
    ['bad-gateway-page', 502],
    ['unavailable-one-in-five', 503],
    ['crash-one-in-seven', 500],
    ['rate-limit-burst', 429],
    ['update-conflicts', 409],
    ['limited', 429],
    ['busy', 503],
  ] as const)('%s hits the first one, once, and is disarmed', async (id, symptom) => {
    const { arm, update, times, stateOf } = await sandbox();
    await arm(id, { times: 1 });
    expect(await times(3, update)).toEqual([symptom, 200, 200]);
    const { hits, armed } = (await stateOf(id)) ?? {};
    expect({ hits, armed }).toEqual({ hits: 1, armed: undefined });
  });

  test('requests that it cannot hit leave it armed', async () => {
    const { arm, send, update, stateOf } = await sandbox();
    await arm('title-truncated', { times: 1 });
    expect([await send(scopes), await update('short')]).toEqual([200, 200]);
    expect(await stateOf('title-truncated')).toMatchObject({ hits: 0, armed: { left: 1 } });
    await update('x'.repeat(100));
    expect(await stateOf('title-truncated')).toMatchObject({ hits: 1 });
    expect((await stateOf('title-truncated'))?.armed).toBeUndefined();
  });

  test('of requests at the same time, it hits no more than it is armed for', async () => {
    const { arm, update, stateOf } = await sandbox();
    await arm('drop-after-commit', { times: 2 });
    const seen = await Promise.all(Array.from({ length: 8 }, () => update()));
    expect(seen.filter((one) => one === 'broken')).toHaveLength(2);
    expect(await stateOf('drop-after-commit')).toMatchObject({ hits: 2 });
  });

  test('it counts requests, not steps of a request', async () => {
    const { arm, send, stateOf } = await sandbox();
    // It changes what is received, who calls, and what is allowed.
    await arm('open-to-all', { times: 1 });
    const anonymous = () => send(scopes, { token: undefined });
    expect([await anonymous(), await anonymous()]).toEqual([200, 401]);
    expect(await stateOf('open-to-all')).toMatchObject({ hits: 1 });
  });

  test('`every` hits every nth that it could hit', async () => {
    const { arm, send, update, times } = await sandbox();
    await arm('drop-before-commit', { every: 3 });
    const seen = await times(6, async () => [await send(scopes), await update()]);
    expect(seen.flat().filter((_one, at) => at % 2 === 1)).toEqual([200, 200, 'broken', 200, 200, 'broken']);
    // Armed again, it counts from zero.
    await update();
    await arm('drop-before-commit', { every: 2, times: 1 });
    expect(await times(4, update)).toEqual([200, 'broken', 200, 200]);
  });

  test('a share of them is drawn from the seed', async () => {
    const shares = await Promise.all(
      [1, 2].map(async () => {
        const { arm, update, times } = await sandbox();
        await arm('maintenance', { probability: 0.3 });
        return times(30, update);
      }),
    );
    const hits = shares[0]?.filter((status) => status === 503).length ?? 0;
    expect(hits).toBeGreaterThan(2);
    expect(hits).toBeLessThan(20);
    expect(shares[1]).toEqual(shares[0]);
  });

  test('an operation: it hits the first request of it', async () => {
    const { arm, send, update } = await sandbox();
    await arm('unavailable-one-in-five', { operation: 'updateRecording' });
    expect([await send(scopes), await update(), await update()]).toEqual([200, 503, 503]);
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
    await control.POST('/clock/advance', { body: { seconds: 2 } });
    expect([await ask(then), await ask(scopes)]).toEqual([401, 200]);
  });

  test('clock-ahead moves no clock where it is not its turn', async () => {
    const { control, arm, update } = await sandbox();
    await arm('clock-ahead', { every: 2 });
    const ahead = async () => ((await control.GET('/clock')).data.offsetMilliseconds ?? 0) > 500_000;
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
    ['captive-portal', 200],
    ['update-conflicts', 409],
    ['rate-limit-burst', 429],
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
    const { arm, update } = await sandbox();
    await arm('respond', { status: 503 });
    expect([await update('x', { 'X-Mock-Fault': 'respond;status=418' }), await update()]).toEqual([418, 503]);
  });

  test.each([
    ['no-such-fault', 'there is no fault no-such-fault'],
    ['delay;ms=600001', 'ms must be <= 600000; found 600001'],
    ['delay;distribution=normal', 'distribution must be one of uniform, lognormal; found \\"normal\\"'],
    ['delay;speed=1', 'speed is unknown; known are ms, jitter, distribution, operation'],
    ['latency;ms=1', 'ms is no parameter of latency, which has no parameters'],
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
    ['unavailable-one-in-five', {}, [200, 200, 200, 200, 503, 200]],
    ['update-conflicts', {}, [200, 409, 200, 409]],
    // `every` replaces its cadence.
    ['unavailable-one-in-five', { every: 2 }, [200, 503, 200, 503]],
  ])('%s, armed with %o', async (id, terms, statuses) => {
    const { arm, update, times } = await sandbox();
    await arm(id, terms);
    expect(await times(statuses.length, update)).toEqual(statuses);
  });

  test('sso-fifth-without-user lacks the user at once where it is armed for one', async () => {
    const { arm, call } = await sandbox();
    const { sso } = mock.world.store.users.get('usr_ada') ?? {};
    const signIn = async () => 'user' in ((await call('POST /v1/auth/sso', { json: sso })).body as object);
    await arm('sso-fifth-without-user');
    const seen = [await signIn(), await signIn(), await signIn(), await signIn(), await signIn()];
    expect(seen).toEqual([true, true, true, true, false]);
    await arm('sso-fifth-without-user', { times: 1 });
    expect([await signIn(), await signIn()]).toEqual([false, true]);
  });

  test('each says so in its description', () => {
    const cadences = faults.filter(({ cadence }) => cadence !== undefined);
    expect(cadences.length).toBeGreaterThan(5);
    for (const { id, description } of cadences)
      expect(description, id).toMatch(/every .*(th|second)\b|after|from the/i);
  });
});

describe('a request matcher', () => {
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
  ])('%j', async (request, statuses) => {
    const { arm, send } = await sandbox();
    await arm('respond', { request });
    const wanted = { title: 'wanted', analysis: { depth: { of: 2, more: true } } };
    expect([
      await send(`${scopes}?page=2`),
      await send(recording, { json: { title: 'other' } }),
      await send(recording, { json: wanted, headers: { 'x-screen': 'editor' } }),
    ]).toEqual(statuses);
  });

  test('the body that it looks at is stored as always', async () => {
    const { arm, send, control } = await sandbox();
    await arm('delay', { ms: 0, request: { body: { title: 'seen' } } });
    await send(recording, { json: { title: 'seen', summary: 'S' } });
    const params = { path: { resource: 'recordings', record: 'rec_kickoff' } } as const;
    expect((await control.GET('/state/{resource}/{record}', { params })).data).toMatchObject({ title: 'seen' });
  });
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
  const context = { world, arrival: { method: '', url: '', headers: {} }, operation: undefined, request };
  let ran = 0;
  const response = { body: 'made' };
  expect(
    withFaults(turns, 'operate', context, () => {
      ran += 1;
      return response;
    }),
  ).toBe(response);
  expect([ran, looked]).toEqual([1, 10]);
  const refuse = () => {
    ran += 1;
    throw new Error('refused');
  };
  expect(() => withFaults(turns, 'authenticate', context, refuse)).toThrow('refused');
  expect([ran, looked]).toEqual([2, 20]);
});
