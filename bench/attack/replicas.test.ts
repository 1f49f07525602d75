import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../src/testing/malformed.ts';
import { noRedis } from '../../src/testing/redis.ts';
import { replicaFaults } from './replicas.ts';

/** `npm run attack` takes more. */
const rounds = Number(process.env.ATTACK_ROUNDS ?? 1);

describe.skipIf(noRedis !== undefined)(noRedis ?? 'replicas on one store', { concurrent: true }, () => {
  test('each world stays linearizable while replicas, Redis and the connections between them fail', async () => {
    const problems = await replicaFaults(rounds, randomFrom(1), () => {});
    expect(problems.join('\n')).toBe('');
  });

  test('it would be noticed: a Redis that forgets when it is killed', async () => {
    const problems = await replicaFaults(rounds, randomFrom(2), () => {}, ['--appendonly', 'no']);
    expect(problems.join('\n')).toMatch(/cannot be in any order|nobody wrote that|was lost/);
  });
});
