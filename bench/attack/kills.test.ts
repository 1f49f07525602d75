import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { testFolder } from '../../contract-tests/testing/folder.ts';
import { callerOf, field } from '../../src/testing/client.ts';
import { startServer } from '../../src/testing/command.ts';
import { randomFrom } from '../../src/testing/malformed.ts';

/** `npm run attack` takes more. */
const kills = Number(process.env.ATTACK ?? 1);
const folder = testFolder();

test('what a server acknowledged is there after a kill at any moment of writing', async () => {
  const random = randomFrom(20_261_121);
  const start = () => startServer(['serve', '--state', join(folder, 'state.json')]);
  const record = '/_mock/state/recordings/rec_kickoff';
  let [change, acknowledged, took] = [0, 0, 100];
  let mock = await start();
  for (let kill = 1; kill <= kills; kill += 1) {
    for (let left = Math.floor(4 * random()); left >= 0; left -= 1) {
      change += 1;
      // A line of 5 MB takes long enough for kills to come in the middle of it.
      const json = { title: String(change), analysis: { filling: 'x'.repeat(5_000_000) } };
      const answer = callerOf(mock.baseUrl)(`PATCH ${record}`, { json });
      const isLast = left === 0;
      const from = performance.now();
      if (isLast) void sleep(took * random()).then(() => mock.child.kill('SIGKILL'));
      if (await answer.catch(() => undefined)) acknowledged = change;
      if (isLast) await mock.ended;
      else took = performance.now() - from;
    }
    mock = await start();
    const { body } = await callerOf(mock.baseUrl)(`GET ${record}`);
    expect(Number(field(body, 'title')), `kill ${kill}`).toBeGreaterThanOrEqual(acknowledged);
  }
  await mock.end();
  expect(readdirSync(folder)).toEqual(['state.json']);
});
