import { describe, expect, test } from 'vitest';
import { runCommand, startServer } from '../testing/command.ts';
import { noRedis, RedisServer } from '../testing/redis.ts';

test.each([
  [['--store', 'redis://h', '--state', 'x.json'], '--store and --state exclude each other'],
  [['--store', 'redis://h', '--watch'], '--store and --watch exclude each other'],
  [['--store', 'redis://h', '--upstream', 'http://h'], '--store and --upstream exclude each other'],
  [
    ['--store', 'postgres://me:secret@h'],
    'the store postgres://h is not the address of a Redis; use redis://host:6379',
  ],
  [['--store', 'redis://me:secret@127.0.0.1:1'], 'the store redis://127.0.0.1:1 cannot be used: connect ECONNREFUSED'],
])('serve %s is a usage error in one line, without credentials', async (words, message) => {
  const { code, stderr } = await runCommand(['serve', '--port', '0', ...words]);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/secret/);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
});

describe.skipIf(noRedis !== undefined)(noRedis ?? 'serve --store', () => {
  test('a replica that is killed takes nothing along; its greeting names the store; the suite finds the other conforms', async () => {
    await using redis = await RedisServer.start();
    const environment = { PLATFORM_MOCK_STORE: redis.url };
    const first = await startServer(['serve'], environment);
    const second = await startServer(['serve'], environment);
    try {
      const patch = `${first.baseUrl}/_mock/state/recordings/rec_kickoff`;
      const headers = { 'content-type': 'application/json' };
      const { status } = await fetch(patch, { method: 'PATCH', headers, body: '{"title":"kept"}' });
      expect(status).toBe(200);
      await first.end('SIGKILL');
      const read = await fetch(`${second.baseUrl}/_mock/state/recordings/rec_kickoff`);
      expect(await read.json()).toMatchObject({ title: 'kept' });
      const { code, stdout } = await runCommand(['verify', '--quick', '--base-url', second.baseUrl]);
      expect(stdout).toContain('conforms (exit 0)');
      expect(code).toBe(0);
    } finally {
      await first.end();
      await second.end();
    }
  });
});
