import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../src/testing/malformed.ts';
import { noRedis } from '../../src/testing/redis.ts';
import { replicaFaults } from './replicas.ts';

/** `npm run attack` does it for a minute. At least 7, in which each fault comes once. */
const seconds = Number(process.env.ATTACK_SECONDS ?? 10);

describe.skipIf(noRedis !== undefined)(noRedis ?? 'replicas on one store', { concurrent: true }, () => {
  test('each world stays linearizable while replicas, Redis and the connections between them fail', async () => {
    const problems = await replicaFaults(seconds, randomFrom(1), () => {});
    expect(problems.join('\n')).toBe('');
  });

  test('it would be noticed: a Redis that forgets when it is killed', async () => {
    const problems = await replicaFaults(seconds, randomFrom(2), () => {}, ['--appendonly', 'no']);
    expect(problems.join('\n')).toMatch(/cannot be in any order|nobody wrote that|was lost/);
  });
});
