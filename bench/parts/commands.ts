import { runCommand } from '../servers.ts';
import { median } from '../statistics.ts';

/** Seconds of wall time of a command, start-up included; NaN where there is no such command. */
export async function wallTime(args: readonly string[], times: number): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const from = performance.now();
    try {
      await runCommand(...args);
    } catch {
      return Number.NaN;
    }
    samples.push((performance.now() - from) / 1000);
  }
  return median(samples);
}
