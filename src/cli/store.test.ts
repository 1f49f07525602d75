import { describe, expect, test } from 'vitest';
import { runCommand, startServer } from '../testing/command.ts';
import { noRedis, RedisServer } from '../testing/redis.ts';

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
