import type { Part } from '../part.ts';
import { runCommand, startCommand } from '../servers.ts';

/** Wall times of a command in seconds, including start-up; `command` is another build's. */
export async function wallTimes(args: readonly string[], times: number, command?: string): Promise<number[]> {
  const samples: number[] = [];
  for (let round = 0; round < times; round += 1) {
    const from = performance.now();
    await startCommand(args, command).ended;
    samples.push((performance.now() - from) / 1000);
  }
  return samples;
}

/** How many requests `verify` sends to a mock of its own with these options. */
async function requestsOf(...options: readonly string[]): Promise<number> {
  const { output } = await runCommand('verify', '--json', ...options);
  return (JSON.parse(output) as { requests: { total: number } }).requests.total;
}

export const verifyPart: Part = {
  name: 'verify',
  async measure({ samples }) {
    const seconds = await wallTimes(['verify'], Math.max(3, samples));
    const counts = { full: await requestsOf(), quick: await requestsOf('--quick') };
    return {
      goals: [
        { name: 'verify', samples: seconds, unit: 's', atMost: 1.2 },
        { name: 'verify: requests', samples: [counts.full], unit: 'requests', atMost: 150 },
        { name: 'verify --quick: requests', samples: [counts.quick], unit: 'requests', atMost: 60 },
      ],
      text: [],
      figures: { seconds, requests: counts },
    };
  },
};

export const scorePart: Part = {
  name: 'score',
  async measure() {
    const seconds = await wallTimes(['score'], 1);
    return { goals: [{ name: 'score', samples: seconds, unit: 's', atMost: 120 }], text: [], figures: { seconds } };
  },
};
