import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { stateOf } from '../../core/world/state.ts';
import type { MockOptions } from '../../index.ts';
import { type Call, claimsOfAda, field, inTurn, patch, type Seen, TestMock } from '../../testing/client.ts';
import { HinderedPath } from '../../testing/hindered-path.ts';
import { noRedis, RedisServer } from '../../testing/redis.ts';
import { reasonsOf } from '../../testing/refused.ts';
import { packageFile } from '../files/package-root.ts';
import type { RedisStore } from './redis-store.ts';

/** Retries while the store times out, as it may on a busy machine. */
async function patiently(mock: TestMock, line: string, call: Call = {}): Promise<Seen> {
  const seen = await mock.call(line, call);
  return seen.status === 503 ? patiently(mock, line, call) : seen;
}

const tokenOf = async (mock: TestMock): Promise<string> =>
  String(field((await patiently(mock, 'POST /v1/auth/sso', { json: claimsOfAda })).body, 'access_token'));

// src/cli/balanced.test.ts has the contract suite judge replicas; bench/attack/replicas.test.ts has all kinds of losses at once.
describe.skipIf(noRedis !== undefined)(noRedis ?? 'replicas of one mock', () => {
  let redis: RedisServer;
  let opened = 0;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  const newStore = (server = redis): string => {
    opened += 1;
    return `${server.url}?prefix=r${opened}:`;
  };

  /** How many bytes Redis has got so far, and how many calls of scripts. */
  const sent = async (server = redis) => {
    const text = (await server.command('INFO', 'stats')) + (await server.command('INFO', 'commandstats'));
    const numberOf = (figure: RegExp) => Number(figure.exec(text)?.[1]);
    return [numberOf(/total_net_input_bytes:(\d+)/), numberOf(/cmdstat_evalsha:calls=(\d+)/)] as const;
  };

  /** A test with two replicas; the connection of the first one to the store can be hindered. */
  const testTwoWith =
    (options: MockOptions) =>
    (name: string, steps: (mocks: Record<'a' | 'b', TestMock> & { path: HinderedPath }) => Promise<void>): void =>
      void test(name, async () => {
        const store = newStore();
        await using path = await HinderedPath.to(redis.port);
        await using b = await TestMock.start({ ...options, store });
        const hindered = store.replace(`:${redis.port}`, `:${path.port}`);
        await using a = await TestMock.start({ log: () => {}, ...options, store: hindered });
        await steps({ path, a, b });
      });
  const testTwo = testTwoWith({});

  testTwo('rate limits, hits and turns of faults are counted by all together', async ({ a, b }) => {
    await a.call('PATCH /~rate/_mock/clock', { json: { frozen: true } });
    await a.call('PATCH /~rate/_mock/profile', { json: { answers: { 'rate-limit': 6 } } });
    const statuses = (world: string, count: number) =>
      inTurn(count, async (at) => (await (at % 2 ? a : b).call(`GET /~${world}/v1/api-tokens/scopes`)).status);
    expect(await statuses('rate', 8)).toEqual([401, 401, 401, 401, 401, 401, 429, 429]);
    await b.call('PUT /~fault/_mock/faults/respond', { json: { status: 500, every: 3, times: 2 } });
    expect(await statuses('fault', 9)).toEqual([401, 401, 500, 401, 401, 500, 401, 401, 401]);
    const { body } = await a.call('GET /~fault/_mock/faults');
    await a.call('PUT /~fault/_mock/faults/jwt-used-up');
    const json = { email: 'ada@analytical.example', password: 'ada-password' };
    const token = String(field((await b.call('POST /~fault/v1/auth/login', { json })).body, 'access_token'));
    const used = [];
    for (const mock of [a, b]) used.push((await mock.call('GET /~fault/v1/api-tokens/scopes', { token })).status);
    expect(used).toEqual([200, 401]);
    expect((body as { id: string; hits: number }[]).find(({ id }) => id === 'respond')?.hits).toBe(2);
  });

  testTwo('the journal is of all replicas: queries, HAR, events, deciding gaps, and clearing', async ({ a, b }) => {
    const urls = async (mock: TestMock) => {
      const { body } = await mock.call('GET /~j/_mock/journal');
      return (field(body, 'entries') as { request: { url: string } }[]).map(({ request }) => request.url);
    };
    await a.call('GET /~j/one');
    await expect.poll(() => urls(b)).toEqual(['/~j/one']);
    await b.call('GET /~j/two');
    await expect.poll(() => urls(a)).toEqual(['/~j/two', '/~j/one']);
    const { body } = await a.call('GET /~j/_mock/journal');
    expect(body).toMatchObject({ total: 2, kept: 2, entries: [{ id: 2 }, { id: 1 }] });
    expect(field((await a.call('GET /~j/_mock/journal/har')).body, 'log', 'entries')).toHaveLength(2);
    expect((await a.call('GET /_mock/sandboxes')).body).toMatchObject({ sandboxes: [{ name: 'j', requests: 2 }] });

    const events = await fetch(`${a.mock.baseUrl}/~j/_mock/journal/events`, { headers: { 'last-event-id': '1' } });
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
    await b.call('GET /~j/three');
    let text = '';
    while (!text.includes('/~j/three')) text += (await reader?.read())?.value ?? '';
    expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['2', '3']);

    // It ends where another replica deletes the sandbox.
    await b.call('DELETE /_mock/sandboxes/j');
    while ((await reader?.read())?.done === false);
    expect(await urls(a)).toEqual([]);

    await a.call('GET /one');
    await expect.poll(async () => field((await b.call('GET /_mock/journal')).body, 'total')).toBe(1);
    await b.call('DELETE /_mock/journal');
    await a.call('GET /two');
    await expect.poll(async () => (await b.call('GET /_mock/journal')).body).toMatchObject({ total: 1, kept: 1 });
    // More than one read of the store returns.
    for (let at = 0; at < 80; at += 1) await a.call(`GET /~many/${at}`);
    const all = Array.from({ length: 80 }, (_, at) => `/~many/${79 - at}`);
    await expect.poll(async () => field((await b.call('GET /~many/_mock/journal')).body, 'total')).toBe(80);
    expect((await b.call('GET /~many/_mock/journal')).body).toMatchObject({
      entries: all.map((url) => ({ request: { url } })),
    });
    await a.call('GET /~gaps/v1/none');
    const gaps = async () => field((await b.call('GET /~gaps/_mock/profile')).body, 'gaps');
    const decided = expect.objectContaining({ id: 'unknown-path-status', responses: 1 });
    await expect.poll(gaps).toContainEqual(decided);
  });

  testTwo('errors of different replicas have different ids', async ({ a, b }) => {
    const { status } = await a.call('PATCH /_mock/profile', {
      json: { answers: { 'error-body': { template: { id: '${id}', message: '${message}' } } } },
    });
    expect(status).toBe(200);
    const ids = await Promise.all([a, b, a, b].map(async (mock) => field((await mock.call('GET /x')).body, 'id')));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  testTwoWith({ sandboxes: 3 })('sandboxes are made, limited and deleted by all together', async ({ a, b }) => {
    for (const [at, mock] of [a, b, a].entries()) expect((await mock.call(`GET /~s${at}/nothing`)).status).toBe(404);
    expect(field((await b.call('GET /_mock/info')).body, 'sandboxes')).toBe(3);
    expect((await b.call('PUT /_mock/sandboxes/s3')).status).toBe(409);
    await b.call('DELETE /_mock/sandboxes/s0');
    expect((await a.call('PUT /_mock/sandboxes/s3')).status).toBe(200);
    await a.call('DELETE /_mock/sandboxes');
    expect(field((await b.call('GET /_mock/sandboxes')).body, 'sandboxes')).toEqual([]);
    // The limit holds while both make some at the same time.
    const first = (at: number) => (at % 2 ? a : b).call(`GET /~s${at}/v1/api-tokens/scopes`);
    const made = await Promise.all(Array.from({ length: 80 }, (_each, at) => first(at)));
    expect(made.filter(({ status }) => status === 401)).toHaveLength(3);
    expect(field((await a.call('GET /_mock/info')).body, 'sandboxes')).toBe(3);
  });

  test('a replica with other options is refused, with the difference, after Redis has lost everything', async () => {
    await using server = await RedisServer.start();
    const store = newStore(server);
    await using a = await TestMock.start({ store });
    await a.call('GET /~s/x');
    await server.command('FLUSHALL');
    await a.call('GET /~s/x');
    const refusal = 'other options (--seed)';
    await expect(TestMock.start({ store, seed: 2 })).rejects.toThrow(refusal);
    await server.command('FLUSHALL');
    await using b = await TestMock.start({ store, seed: 2 });
    expect(field((await b.call('GET /~s/_mock/info')).body, 'seed')).toBe(2);
    const error = { message: expect.stringContaining(refusal) };
    for (const line of ['GET /_mock/info', 'GET /~s/_mock/info'])
      expect(await a.call(line)).toMatchObject({ status: 503, body: { error } });
    expect(await a.worlds.services.ready?.()).toContain(refusal);
  });

  testTwo('in a large world, a request sends Redis what it changes, and replicas see it', async ({ a, b }) => {
    const json = { analysis: { filling: 'x'.repeat(20_000) }, method: 'meeting' };
    for (const id of ['rec_kickoff', 'rec_weekly', 'rec_interview'])
      expect((await a.call(`PATCH /_mock/state/recordings/${id}`, { json })).status).toBe(200);
    const rule = { path: '/v1/big', answers: [{ body: 'x'.repeat(20_000) }, { body: 2 }] };
    await a.call('POST /_mock/routes', { json: rule });
    for (const name of ['kept', 'dropped']) await a.call(`PUT /_mock/snapshots/${name}`);
    await a.call('PUT /_mock/sandboxes/big', { json: { from: { sandbox: 'main' } } });
    const bytes = async () => {
      // Which sends the rest of the journal.
      await a.call('GET /~big/_mock/journal?limit=1');
      return (await sent())[0];
    };
    const seen = async (mock: TestMock) => {
      await mock.call('GET /~big/v1/nothing');
      const world = mock.worlds.find('big');
      return [
        JSON.stringify(world),
        [...(world?.snapshots ?? [])].map(([name, { image, takenAt }]) => [name, takenAt, stateOf(image)]),
      ];
    };
    const methods = { 'method-values': ['by-phone', 'by-mail'], 'rate-limit': 1000 };
    for (const [line, json] of [
      ['GET /~big/v1/nothing'],
      ['GET /~big/v1/big'],
      ['POST /~big/_mock/routes', { path: '/v1/small', body: 1 }],
      ['PATCH /~big/_mock/clock', { frozen: true, at: '2030-01-01T00:00:00.000Z' }],
      ['PUT /~big/_mock/snapshots/one'],
      ['PATCH /~big/_mock/clock', { seconds: 61 }],
      ['PATCH /~big/_mock/profile', { answers: methods }],
      ['PUT /~big/_mock/snapshots/two'],
      ['POST /~big/_mock/reset', { from: { snapshot: 'one' } }],
      ['DELETE /~big/_mock/snapshots/two'],
    ] as const) {
      const before = await bytes();
      const { status } = await a.call(line, json && { json });
      expect([line, status < 300 || status === 404]).toEqual([line, true]);
      expect([line, (await bytes()) - before < 5000]).toEqual([line, true]);
      expect([line, await seen(b)]).toEqual([line, await seen(a)]);
    }
    await using again = await TestMock.start({ store: `${redis.url}?prefix=r${opened}:` });
    expect(await seen(again)).toEqual(await seen(a));
  });

  test('an update sends Redis at most 500 bytes and 1.1 scripts, with four replicas and clients in all worlds', async () => {
    const [clients, each, worlds] = [16, 50, 8];
    await using server = await RedisServer.start();
    const store = newStore(server);
    const all = await Promise.all([0, 1, 2, 3].map(() => TestMock.start({ store })));
    onTestFinished(() => void Promise.all(all.map((mock) => mock[Symbol.asyncDispose]())));
    const token = await all[0]?.token();
    const updateBy = async (client: number, count: number) => {
      const mock = all[client % all.length] as TestMock;
      for (let made = 0; made < count; made += 1) {
        const world = `/~w${(client + made * all.length) % worlds}`;
        const { status } = await mock.call(patch.replace(' ', ` ${world}`), { token, json: { title: `${made}` } });
        expect(status).toBe(200);
      }
    };
    const updates = (count: number) => Promise.all(Array.from({ length: clients }, (_, at) => updateBy(at, count)));
    // Which sends the rest of the journal.
    const flush = () => Promise.all(all.map((mock) => mock.call('GET /~w0/_mock/journal?limit=1')));
    await updates(2);
    await flush();
    // The journal waits for more entries, however slow this machine is.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const [bytesBefore, scriptsBefore] = await sent(server);
    await updates(each);
    await flush();
    const [bytes, scripts] = await sent(server);
    expect((bytes - bytesBefore) / (clients * each)).toBeLessThan(500);
    expect((scripts - scriptsBefore) / (clients * each)).toBeLessThan(1.1);
  });

  // topologies.test.ts shows that they lose few commits then.
  testTwo('replicas that write to one world in turn hear of each other, until one stops', async ({ a, b }) => {
    for (let at = 0; at < 40; at += 1) await (at % 2 ? a : b).rename(`t${at}`, '/~s');
    const world = `r${opened}:{~s}:world`;
    const hearing = async () => (await redis.command('PUBSUB', 'NUMSUB', world)).split(/\D+/).at(-2);
    expect(await hearing()).toBe('2');
    for (let at = 0; at < 70; at += 1) await a.rename(`u${at}`, '/~s');
    await expect.poll(hearing).toBe('1');
    // Its entries become a state, which the other one reads.
    for (let at = 0; at < 380; at += 1) await a.rename(`v${at}`, '/~s');
    expect(await b.title('/~s')).toBe('v379');
    await expect.poll(async () => Number((await redis.command('HLEN', world)).slice(1))).toBeLessThan(320);
    await b.call('DELETE /_mock/sandboxes/s');
    expect(await b.title('/~s')).toBe('Kick-off: difference engine');
    await a.call('DELETE /_mock/sandboxes/s');
    await expect.poll(hearing).toBe('0');
  });

  testTwo('sandboxes are listed in pages and deleted without their worlds', async ({ a, b }) => {
    const names = Array.from({ length: 25 }, (_name, at) => `s${String(at).padStart(2, '0')}`);
    await Promise.all(names.map((name) => a.rename('old', `/~${name}`)));
    const [, before] = await sent();
    const listed: object[] = [];
    for (const after of ['a', 's09', 's19']) {
      const { data } = await b.mock.control.GET('/sandboxes', { params: { query: { limit: 10, after } } });
      expect([data.total, data.next]).toEqual([25, data.sandboxes[9]?.name]);
      listed.push(...data.sandboxes);
    }
    expect(listed).toMatchObject(names.map((name) => ({ name, changes: 1 })));
    await b.call('DELETE /_mock/sandboxes');
    // A few for each of the four requests, and none for a world.
    const [, scripts] = await sent();
    expect(scripts - before).toBeLessThan(names.length);
    expect((await b.call('GET /_mock/sandboxes')).body).toMatchObject({ total: 0, sandboxes: [] });
    for (const mock of [a, b]) expect(await mock.title('/~s00')).not.toBe('old');
  });

  testTwoWith({ sandboxes: 3000 })('deleting many holds up no request, and spares new ones', async ({ a, b }) => {
    const names = Array.from({ length: 1100 }, (_name, at) => `s${at}`);
    await Promise.all(names.map((name, at) => patiently(at % 2 ? a : b, `GET /~${name}/x`)));
    const ended: string[] = [];
    const end = (line: string) => a.call(line).then(({ status }) => ended.push(`${status} ${line}`));
    const both = Promise.all(['DELETE /_mock/sandboxes', 'GET /x'].map(end));
    let title = '';
    for (let at = 0; ended.length < 2; at += 1) {
      title = `title ${at}`;
      await b.rename(title, '/~s999');
    }
    await both;
    expect(ended).toEqual(['404 GET /x', '204 DELETE /_mock/sandboxes']);
    expect([...a.mock.worlds.named()]).toEqual([]);
    // Either this one was made after its deletion, or it is gone.
    const { sandboxes } = (await b.call('GET /_mock/sandboxes')).body as { sandboxes: { name: string }[] };
    const isKept = (await b.title('/~s999')) === title;
    expect(sandboxes.map(({ name }) => name)).toEqual(isKept ? ['s999'] : []);
    const changes = [{ resource: 'sandboxes', id: '1100 of them', change: 'deleted' }];
    const request = expect.objectContaining({ method: 'DELETE', url: '/_mock/sandboxes' });
    const entry = expect.objectContaining({ request, trace: expect.objectContaining({ changes }) });
    await expect.poll(async () => (await b.mock.control.GET('/journal')).data.entries).toContainEqual(entry);
  });

  testTwo('a world takes at most three times its state in Redis, and its journal is capped', async ({ a, b }) => {
    const json = { analysis: { filling: 'x'.repeat(190_000) } };
    for (let at = 0; at < 60; at += 1)
      await (at % 2 ? a : b).call('PATCH /~big/_mock/state/recordings/rec_kickoff', { json });
    const used = async (key: string) =>
      Number((await redis.command('MEMORY', 'USAGE', `r${opened}:{~big}:${key}`, 'SAMPLES', '0')).slice(1));
    // Redis allocates 192 KiB for each of at most three texts of 190,000 bytes.
    await expect.poll(() => used('world')).toBeLessThan(3 * 192 * 1024 + 20_000);
    for (let at = 0; at < 250; at += 1)
      await a.call('GET /~big/x', { headers: { 'x-noise': randomBytes(9000).toString('base64') } });
    await a.call('GET /~big/_mock/journal?limit=1');
    expect(await used('journal')).toBeLessThan(1.6 * 1024 * 1024);
  });

  test.each([
    ['another profile', { profile: { name: 'other', answers: { 'rate-limit': 5 } } }, '--profile'],
    ['other faults', { faults: ['latency'] }, '--fault'],
    ['a route with another answer', { routes: [{ routes: [{ path: '/v1/more', body: 2 }] }] }, '--routes'],
    ['a function', { routes: [{ routes: [{ path: '/v1/more', answer: () => ({}) }] }] }, '--routes'],
    ['another limit of sandboxes', { sandboxes: 5 }, '--sandboxes'],
    ['another life of sandboxes', { sandboxTtl: 60 }, '--sandbox-ttl'],
    ['slower answers', { latency: 1 }, '--latency'],
  ] as [string, MockOptions, string][])('%s is refused at the start', async (_case, options, named) => {
    const store = newStore();
    const routes = [{ routes: [{ path: '/v1/more', body: 1 }] }];
    await using _first = await TestMock.start({ store, routes });
    const reasons = await reasonsOf(() => TestMock.start({ store, routes, ...options }));
    expect(reasons).toEqual([expect.stringContaining(`other options (${named})`)]);
  });

  test('while the store is away: 503 at once, with a reason; then it goes on where it was', async () => {
    await using server = await RedisServer.start('--appendonly', 'yes', '--appendfsync', 'always');
    const store = newStore(server);
    await using mock = await TestMock.start({ store, log: () => {} });
    await mock.update({ title: 'before' });
    await server.kill();
    // The first one may detect it; later ones know.
    await mock.call('GET /_mock/info');
    // Without a timer: none waits for the store.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (const line of ['GET /v1/api-tokens/scopes', 'GET /~new/v1/api-tokens/scopes', 'GET /_mock/info']) {
      const { status, headers, body } = await mock.call(line);
      expect([line, status, headers.get('retry-after')]).toEqual([line, 503, '1']);
      expect(field(body, 'error', 'message')).toMatch(/the store is away .*nothing was changed/);
    }
    vi.useRealTimers();
    expect(await mock.worlds.services.ready?.()).toContain('the store is away');
    await server.run();
    await expect.poll(() => mock.title()).toBe('before');
    expect(await mock.worlds.services.ready?.()).toBeUndefined();
    expect((await mock.update({ title: 'after' })).status).toBe(200);
    await using again = await TestMock.start({ store });
    expect(await again.title()).toBe('after');
  });

  testTwo('far from the store, readers are answered by the script, and writers get a turn', async ({ path, a, b }) => {
    expect(await a.title()).toBe('Kick-off: difference engine');
    path.delayMs = 100;
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await b.rename('x');
    })();
    const statuses: number[] = [];
    try {
      for (let at = 0; at < 5; at += 1) statuses.push((await a.call('GET /v1/api-tokens/scopes')).status);
      expect((a.worlds.services.store as RedisStore).conflicts).toBe(5);
      for (let at = 0; at < 5; at += 1) statuses.push(await a.rename('y'));
    } finally {
      isOver = true;
      await writing;
    }
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(5).fill(200)]);
  });

  test('a request waits 5 s for its turn in a busy world, and is then told that nothing was changed', async () => {
    const signals = new EventEmitter();
    const answer = async () => {
      signals.emit('begun');
      await once(signals, 'released');
      return {};
    };
    const routes = [{ routes: [{ path: '/v1/held', answer }] }];
    await using mock = await TestMock.start({ store: newStore(), routes });
    const begun = once(signals, 'begun');
    const held = mock.call('GET /v1/held');
    await begun;
    const from = performance.now();
    const { status, body } = await mock.call('GET /v1/api-tokens/scopes');
    expect([status, performance.now() - from > 4500]).toEqual([503, true]);
    expect(field(body, 'error', 'message')).toMatch(/its world was busy for 5 s.*nothing was changed/);
    expect(await mock.rename('of another world', '/~other')).toBe(200);
    signals.emit('released');
    expect(await held).toMatchObject({ status: 204 });
    expect(await mock.rename('after')).toBe(200);
  });

  testTwo('a process that was stopped for 1.7 s reads what waited, and answers', async ({ a }) => {
    const waiting = Array.from({ length: 12 }, () => a.call('GET /v1/api-tokens/scopes'));
    const { store } = a.worlds.services;
    const before = (store as RedisStore).shared.commits;
    // Until they are on their way to Redis.
    while ((store as RedisStore).shared.commits === before) await nextTurn();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1700);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(12).fill(401));
  });

  test('the rules for a user of Redis suffice, and settings that lose worlds are warned of', async () => {
    await using server = await RedisServer.start('--maxmemory', '1gb', '--maxmemory-policy', 'volatile-ttl');
    const paper = readFileSync(packageFile('docs', 'scaling.md'), 'utf8').replaceAll(/\n +/g, ' ');
    const [, rules = ''] = /`ACL SETUSER mock (.*?)`/.exec(paper) ?? [];
    await server.command('ACL', 'SETUSER', 'mock', ...rules.replace('PASSWORD', 'pw').split(' '));
    const logged: string[] = [];
    const store = server.url.replace('//', '//mock:pw@');
    await using mock = await TestMock.start({ store, log: (_level, message) => logged.push(message) });
    await mock.call('GET /~s/x');
    for (let at = 0; at < 210; at += 1) await mock.rename('x', '/~s');
    for (const path of ['/~s/_mock/journal', '/_mock/sandboxes'])
      for (const method of ['GET', 'DELETE']) expect((await mock.call(`${method} ${path}`)).status).toBeLessThan(300);
    const denied = (await server.command('ACL', 'LOG')).matchAll(/object\r\n\$\d+\r\n(\S+)/g);
    // The client tells its name, where it may.
    expect([...denied].map(([, command]) => command).filter((name) => !name?.startsWith('client'))).toEqual([]);
    expect(logged.join('\n')).toMatch(/"appendonly no".*\n.*volatile-ttl: .*use noeviction/);
  });

  testTwo('a deletion that fails halfway may have been carried out', async ({ a }) => {
    const told = async (line: string) => {
      const { status, body } = await a.call(line);
      const message = String(field(body, 'error', 'message'));
      return [status, /nothing was changed|may have been carried out/.exec(message)?.[0]];
    };
    const [world, names] = [`r${opened}:{~two}:world`, `r${opened}:{sandboxes}:names`];
    for (const name of ['one', 'two']) await a.rename('x', `/~${name}`);
    // Redis refuses what scripts do with it, from then on.
    await redis.command('SET', world, 'of another kind');
    expect(await told('DELETE /_mock/sandboxes')).toEqual([503, 'may have been carried out']);
    expect(await redis.command('EXISTS', `r${opened}:{~one}:world`)).toContain(':0');
    await redis.command('DEL', world);
    await a.rename('x', '/~two');
    await redis.command('SET', names, 'of another kind');
    expect(await told('DELETE /_mock/sandboxes/two')).toEqual([503, 'may have been carried out']);
    expect(await redis.command('EXISTS', world)).toContain(':0');
    expect(await told('DELETE /_mock/sandboxes')).toEqual([503, 'nothing was changed']);
  });

  test('a loss is reported, also where others have changed as much since', async () => {
    const store = newStore();
    const told: string[] = [];
    await using a = await TestMock.start({ store, log: (_level, message) => void told.push(message) });
    await using b = await TestMock.start({ store, log: () => {} });
    const [world, before] = [`r${opened}:{~s}:world`, `r${opened}:before`];
    await a.rename('kept', '/~s');
    // As in a failover to a replica that lagged behind.
    await redis.command('COPY', world, before);
    await a.rename('lost', '/~s');
    await redis.command('COPY', before, world, 'REPLACE');
    for (const title of ['one', 'two']) await b.rename(title, '/~s');
    expect(await a.title('/~s')).toBe('two');
    expect(told.at(-1)).toBe('the store has lost some changes of the sandbox s that it had acknowledged');
  });

  test('a world in use that is gone is told of in the answer and the log; a deleted or expired one is not', async () => {
    const store = newStore();
    const told: string[] = [];
    const log: MockOptions['log'] = (_level, message) => void told.push(message);
    await using a = await TestMock.start({ store, log });
    await using b = await TestMock.start({ store, log });
    const list = `r${opened}:{sandboxes}:expiry`;
    const evict = (name: string) => redis.command('DEL', `r${opened}:{~${name}}:world`);
    const remark = async (mock: TestMock, name: string) =>
      (await mock.call(`GET /~${name}/_mock/info`)).headers.get('x-mock-world');
    for (const name of ['served', 'of-another', 'deleted', 'expired']) await a.rename('x', `/~${name}`);
    await evict('served');
    expect([await remark(a, 'served'), await remark(a, 'served')]).toEqual([expect.stringContaining('lost'), null]);
    // Another replica made it some time ago.
    await evict('of-another');
    await redis.command('ZINCRBY', list, '-60000', 'of-another');
    expect(await remark(b, 'of-another')).toContain('lost');
    await b.call('DELETE /_mock/sandboxes/deleted');
    await evict('expired');
    await redis.command('ZADD', list, '1', 'expired');
    expect([await remark(a, 'deleted'), await remark(a, 'expired')]).toEqual([null, null]);
    expect(told.filter((line) => line.includes('has lost'))).toEqual([
      expect.stringMatching(/1 changes of the sandbox served that it had acknowledged: it is gone, and made new$/),
      expect.stringContaining('lost the sandbox of-another'),
    ]);
  });

  test('a full store makes replicas unready', async () => {
    await using server = await RedisServer.start();
    await using mock = await TestMock.start({ store: server.url, log: () => {} });
    const ready = () => mock.worlds.services.ready?.();
    expect(await ready()).toBeUndefined();
    await server.command('CONFIG', 'SET', 'maxmemory', '1');
    expect(await ready()).toMatch(/^the store refuses it \(OOM /);
    await server.command('CONFIG', 'SET', 'maxmemory', '0');
    expect(await ready()).toBeUndefined();
  });

  test('a wrong password is reported at once, and not shown', async () => {
    await redis.command('ACL', 'SETUSER', 'known', 'on', '>right', '~*', '&*', '+@all');
    const from = performance.now();
    const reasons = await reasonsOf(() => TestMock.start({ store: newStore().replace('//', '//known:wrong-secret@') }));
    expect(reasons).toEqual([expect.stringMatching(/^the store redis:\/\/127.* cannot be used: WRONGPASS [^\n]*$/)]);
    expect([reasons.join().includes('wrong-secret'), performance.now() - from < 10_000]).toEqual([false, true]);
  });

  test('what another program wrote is a plain error of one line', async () => {
    const store = newStore();
    const key = (name: string) => `r${opened}:${name}`;
    const line = (name: string) =>
      new RegExp(`something in the key ${key(name)} that this mock did not write .*prefix`);
    await using a = await TestMock.start({ store, log: () => {} });
    await using b = await TestMock.start({ store, log: () => {} });
    await a.rename('x', '/~s');
    await redis.command('HSET', key('{~s}:world'), 'w', '<no JSON>');
    const { status, body } = await b.call('GET /~s/_mock/info');
    expect([status, field(body, 'error', 'message')]).toEqual([503, expect.stringMatching(line('{~s}:world'))]);
    await redis.command('SET', key('options'), '<no JSON>');
    expect(await reasonsOf(() => TestMock.start({ store }))).toEqual([expect.stringMatching(line('options'))]);
  });

  for (const [what, line, of, changes] of [
    ['a deletion', 'DELETE /_mock/sandboxes/s', 'delete', 1],
    ['a new token', 'POST /~s/v1/api-tokens', 'append', 1],
    ['a new token (the new world has more commits)', 'POST /~s/v1/api-tokens', 'append', 9],
  ] as const)
    testTwo(`${what} whose reply is lost runs in no world made meanwhile`, async ({ path, a, b }) => {
      const record = '/~s/_mock/state/recordings/rec_kickoff';
      await patiently(a, `PATCH ${record}`, { json: { title: 'of the old world' } });
      const token = await tokenOf(a);
      const meanwhile = async () => {
        await patiently(b, 'DELETE /_mock/sandboxes/s');
        for (let at = 1; at <= changes; at += 1)
          await patiently(b, `PATCH ${record}`, { json: { title: `new ${at}` } });
      };
      let seen: Seen | undefined;
      while (path.losses.reply === 0) {
        path.lose({ lost: 'reply', of, meanwhile });
        seen = await a.call(line, { token, ...(of === 'append' && { json: { name: 'x' } }) });
      }
      for (const mock of [b, a]) {
        expect(field((await patiently(mock, `GET ${record}`)).body, 'title')).toBe(`new ${changes}`);
        expect(field((await patiently(mock, 'GET /~s/_mock/state/pats')).body, 'total')).toBe(0);
      }
      expect(seen?.status).toBe(503);
      expect(field(seen?.body, 'error', 'message')).toContain('may have been carried out');
    });

  test('the life of a sandbox is renewed at a third of it', async () => {
    const idle = 30;
    await using mock = await TestMock.start({ store: newStore(), sandboxTtl: idle });
    const left = async (key: string) => Number((await redis.command('PTTL', `r${opened}:${key}`)).slice(1));
    const use = () => mock.call('GET /~used/_mock/info');
    await use();
    // As if time had passed, in Redis and here.
    await redis.command('PEXPIRE', `r${opened}:{~used}:world`, '20000');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_001 });
    onTestFinished(() => void vi.useRealTimers());
    await use();
    expect(await left('{~used}:world')).toBeGreaterThan((idle - 1) * 1000);
    const listed = await redis.command('ZSCORE', `r${opened}:{sandboxes}:expiry`, 'used');
    expect(Number(listed.split('\r\n')[1])).toBeGreaterThan(Date.now() + (idle - 1) * 1000);
  });

  test('an unused sandbox expires; a slow client does not delay others', async () => {
    const store = newStore();
    await using mock = await TestMock.start({ store });
    await mock.call('GET /~idle/x');
    const ttl = Number((await redis.command('PTTL', `r${opened}:{~idle}:world`)).slice(1));
    expect(ttl).toBeGreaterThan(23 * 3600_000);
    expect((await redis.command('PTTL', `r${opened}:{/}:world`)).trim()).toBe(':-1');
    const socket = connect(mock.mock.port, '127.0.0.1');
    socket.write(
      'POST /v1/auth/sso HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{',
    );
    await sleep(50);
    expect(await mock.title()).toBe('Kick-off: difference engine');
    socket.destroy();
  });
});
