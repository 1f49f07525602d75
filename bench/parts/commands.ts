import { runCommand } from '../servers.ts';
import { median } from '../statistics.ts';

/** Wall time of a command in seconds, including start-up; NaN if the command does not exist. */
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

/** How many requests `verify` sends to a mock of its own with these options; NaN where it does not tell. */
export async function requestsOf(...options: readonly string[]): Promise<number> {
  try {
    const { output } = await runCommand('verify', '--json', ...options);
    const { requests } = JSON.parse(output) as { requests?: { total?: number } };
    return requests?.total ?? Number.NaN;
  } catch {
    return Number.NaN;
  }
}
