import { describe, expect, test } from 'vitest';
import { field, TestMock } from '../../testing/client.ts';
import { noRedis, RedisServer } from '../../testing/redis.ts';
import { addressOf } from './address.ts';
import type { RedisStore } from './redis-store.ts';

describe('addresses', () => {
  const sentinel = { kind: 'sentinel', master: 'main', database: 3, password: 'secret' };
  test.each([
    ['redis://h', { kind: 'single', prefix: 'platform-mock:', isTls: false }],
    ['rediss://u:p%40@h:1/2?prefix=x:', { url: 'rediss://u:p%40@h:1/2', password: 'p@', prefix: 'x:', isTls: true }],
    ['unix:///tmp/redis.sock?db=1&prefix=y:', { url: 'unix:///tmp/redis.sock?db=1', kind: 'single', prefix: 'y:' }],
    ['redis+sentinel://:secret@a,b:1,[::1]:2/main/3', { ...sentinel, nodes: ['a 26379', 'b 1', '::1 2'] }],
    ['redis+sentinel://:secret@a,b:1/main', { shown: 'redis+sentinel://a,b:1/main' }],
    ['rediss+cluster://a,b', { kind: 'cluster', isTls: true, nodes: ['a 6379', 'b 6379'] }],
  ])('%s', (text, expected) => {
    const address = addressOf(text);
    const nodes = 'nodes' in address && address.nodes.map(({ host, port }) => `${host} ${port}`);
    expect({ ...address, nodes }).toMatchObject(expected);
  });

  test.each([
    ['http://me:secret@h', 'is not the address of a Redis'],
    ['redis://me:secret@', 'names no host'],
    ['redis://me:secret@h?ttl=1', 'has an unknown parameter ttl'],
    ['redis://me:secret@h?prefix={a}', 'has a prefix with braces'],
    ['redis+sentinel://me:secret@h', 'names no master'],
    ['redis+cluster://me:secret@h/1', 'a cluster has one only'],
    ['redis://me:secret@h/x', 'names a database that is not a number'],
    ['unix://me:secret@/s?db=x', 'names a database that is not a number'],
    ['redis://me:secret%zz@h', 'has credentials with a % that begins no escape'],
  ])('%s is refused, and its password not shown', (text, why) => {
    const attempt = (): unknown => addressOf(text);
    expect(attempt).toThrow(why);
    expect(attempt).not.toThrow(/secret|me:/);
  });
});

async function works(store: string): Promise<void> {
  await using a = await TestMock.start({ store, log: () => {} });
  await using b = await TestMock.start({ store, log: () => {} });
  for (const prefix of ['', '/~one', '/~two', '/~three']) {
    expect(await a.rename(`of ${prefix}`, prefix)).toBe(200);
    expect(await b.title(prefix)).toBe(`of ${prefix}`);
  }
  // Each hears of the other's commits: else all but the first would be in vain at first.
  for (let at = 0; at < 30; at += 1) expect(await (at % 2 ? a : b).rename(`t${at}`, '/~one')).toBe(200);
  const conflicts = [a, b].map(({ worlds }) => (worlds.services.store as RedisStore).conflicts);
  expect(Math.max(...conflicts)).toBeLessThan(10);
  expect(field((await b.call('GET /_mock/sandboxes')).body, 'sandboxes')).toHaveLength(3);
  await b.call('DELETE /_mock/sandboxes');
  expect(field((await a.call('GET /_mock/info')).body, 'sandboxes')).toBe(0);
}

const soon = { interval: 50 };

describe.skipIf(noRedis !== undefined)(noRedis ?? 'more than one Redis', () => {
  test('a cluster: each world is in the slot of its name', async () => {
    const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'];
    await using one = await RedisServer.start(...options);
    await using two = await RedisServer.start(...options);
    await one.command('CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
    await two.command('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');
    await one.command('CLUSTER', 'SET-CONFIG-EPOCH', '1');
    await two.command('CLUSTER', 'SET-CONFIG-EPOCH', '2');
    await one.command('CLUSTER', 'MEET', '127.0.0.1', String(two.port));
    for (const server of [one, two])
      await expect.poll(() => server.command('CLUSTER', 'INFO'), soon).toContain('cluster_state:ok');
    await works(`redis+cluster://127.0.0.1:${one.port},127.0.0.1:${two.port}`);
    const sizes = await Promise.all([one, two].map((server) => server.command('DBSIZE')));
    for (const size of sizes) expect(size).not.toBe(':0\r\n');
  });

  test('Sentinel: the master that it names, and the next one', async () => {
    await using master = await RedisServer.start();
    await using replica = await RedisServer.start('--replicaof', '127.0.0.1', String(master.port));
    // Watched once its replica follows it.
    await expect.poll(() => replica.command('INFO', 'replication'), soon).toContain('master_link_status:up');
    await using sentinel = await RedisServer.sentinel('watched', master.port);
    await expect.poll(() => sentinel.command('INFO', 'sentinel'), soon).toContain('slaves=1');
    const store = `redis+sentinel://127.0.0.1:${sentinel.port}/watched`;
    await works(store);
    await using mock = await TestMock.start({ store, log: () => {} });
    await mock.update({ title: 'kept' });
    const offsets = async () =>
      (await master.command('INFO', 'replication')).match(/(?<=master_repl_offset:|,offset=)\d+/g) ?? [];
    await expect.poll(async () => new Set(await offsets()).size, soon).toBe(1);
    await master.kill();
    const role = async () => {
      const found = await replica.command('ROLE');
      // The Sentinel refuses, or gives up, while it has not heard of the replica for a moment.
      if (!found.includes('master')) await sentinel.command('SENTINEL', 'FAILOVER', 'watched');
      return found;
    };
    await expect.poll(role, { interval: 500 }).toContain('master');
    await expect.poll(() => mock.title(), { interval: 100 }).toBe('kept');
    expect(await mock.update({ title: 'after' })).toMatchObject({ status: 200 });
  });
});
