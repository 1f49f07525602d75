import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../src/testing/malformed.ts';
import { noRedis } from '../../src/testing/redis.ts';
import { replicaFaults } from './replicas.ts';

/** `npm run attack` does it for a minute. */
const seconds = 10;

describe.skipIf(noRedis !== undefined)(noRedis ?? 'replicas on one store', () => {
  test('each world stays linearizable while replicas, Redis and the connections between them fail', async () => {
    const lines: string[] = [];
    const problems = await replicaFaults(seconds, randomFrom(1), (line) => void process.stderr.write(`${line}\n`));
    expect(problems, lines.join('\n')).toEqual([]);
  });
});
