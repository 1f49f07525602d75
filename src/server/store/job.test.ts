import { expect, onTestFinished, test, vi } from 'vitest';
import { Jobs } from './job.ts';

test('a request that was given up before its turn runs no more: its client was told that nothing was changed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const jobs = new Jobs();
  const run = vi.fn(async () => 'done');
  const reject = vi.fn();
  const addressed = { world: 'a', others: [], counts: false };
  const job = jobs.add(addressed, run, { resolve: () => {}, reject, discard: undefined });
  vi.advanceTimersByTime(5000);
  expect(reject).toHaveBeenCalledWith(expect.objectContaining({ isUncertain: false }));
  await job.attempt(() => 0);
  expect(run).not.toHaveBeenCalled();
});
