import { expect, test } from 'vitest';
import { startMock } from '../../src/index.ts';
import { learnFrom } from '../commands/learn.ts';
import { readRunInput } from '../commands/run-input.ts';
import { type Likeness, likenessAt } from './likeness.ts';
import { type Recording, recordingOf } from './recording.ts';

/** How much of a learned target is answered alike at a mock with the default profile, and at one that serves what was learned. */
async function learnt(options: Parameters<typeof startMock>[0]): Promise<[Likeness, Likeness]> {
  await using target = await startMock({ port: 0, log: () => {}, ...options });
  let recording: Recording | undefined;
  const { answers } = await learnFrom(readRunInput({ baseUrl: target.baseUrl, timeout: 60_000 }), {
    onEnd: (entries, described) => {
      recording = recordingOf(entries, described);
    },
  });
  const at = async (given: Record<string, unknown>): Promise<Likeness> => {
    await using mock = await startMock({ port: 0, log: () => {}, profile: { answers: given } });
    return await likenessAt(mock.baseUrl, given, recording as Recording);
  };
  return [await at({}), await at(answers)];
}

test('a mock with the learned profile answers nearly all as the target does, one with the default profile does not', async () => {
  const [before, after] = await learnt({ profile: 'lenient' });
  expect(before.sent).toBeGreaterThan(80);
  expect(before.alike).toBeLessThan(before.sent - 30);
  expect(before.differences).toContainEqual(expect.stringMatching(/^PATCH .*: another status \(\d+ exchanges\)$/));
  expect(after.alike).toBeGreaterThanOrEqual(after.sent - 2);
});

test('what no answer says stays different, and is named', async () => {
  const [, after] = await learnt({ faults: ['recording-no-quality'] });
  expect(after.sent - after.alike).toBeLessThan(20);
  expect(after.differences.join()).toMatch(/PATCH [^,]*: further members/);
});
