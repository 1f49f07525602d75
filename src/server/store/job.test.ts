import { expect, onTestFinished, test, vi } from 'vitest';
import { jobOf } from './job.ts';

test('a request that was given up before its turn runs no more: its client was told that nothing was changed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const run = vi.fn(async () => 'done');
  const reject = vi.fn();
  const addressed = { world: 'a', others: [], counts: false };
  const job = jobOf(addressed, run, { resolve: () => {}, reject, discard: undefined });
  vi.advanceTimersByTime(5000);
  expect(reject).toHaveBeenCalledWith(expect.objectContaining({ isUncertain: false }));
  await job.attempt(() => 0);
  expect(run).not.toHaveBeenCalled();
});
