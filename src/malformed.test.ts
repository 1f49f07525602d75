// Bytes that are no proper requests: never a 5xx, never a crash, and nothing is changed.
// `npm run attack` sends more of them; ATTACK_SEED makes others.
import { expect, test } from 'vitest';
import { TestMock } from './testing/client.ts';
import { attackFrom, randomFrom } from './testing/malformed.ts';
import { sendAttack, statusesIn } from './testing/raw-client.ts';

const seed = Number(process.env.ATTACK_SEED ?? 20_261_121);
const attacks = 400 * Number(process.env.ATTACK ?? 1);
const atOnce = 16;

test('malformed bytes over raw connections', async () => {
  await using mock = await TestMock.start();
  const token = await mock.token();
  const before = JSON.stringify(mock.world);
  const random = randomFrom(seed);
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < attacks; sent += atOnce) {
    const batch = Array.from({ length: atOnce }, () => attackFrom(random, token));
    for (const answer of await Promise.all(batch.map((attack) => sendAttack(mock.mock.port, attack))))
      for (const status of statusesIn(answer)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  // 204 is what OPTIONS gets.
  expect([...statuses.keys()].filter((status) => status >= 500 || status === 200 || status === 201)).toEqual([]);
  // They got through to all parts, not only to the first one.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([400, 401, 404, 415, 431]));
  expect(JSON.stringify(mock.world)).toBe(before);
  expect(mock.mock.worlds.count).toBe(0);
  expect(mock.world.ownViolations).toBe(0);
  expect((await mock.update({ title: 'still there' })).status).toBe(200);
});
