import { load } from '../load.ts';
import { requests } from '../operations.ts';
import type { Part } from '../part.ts';
import { type BenchServer, send, signedRequests, startMock } from '../servers.ts';
import { median, ratio, ratios } from '../statistics.ts';
import { short, table } from '../table.ts';
import { connections, measureLoad } from './side-by-side.ts';

/** Updates per second with 100 and with 100,000 recordings. */
export const recordingsPart: Part = {
  name: '100 and 100,000 recordings',
  async measure({ samples, seconds }) {
    const servers = [await startMock(['--recordings', '100']), await startMock(['--recordings', '100000'])] as const;
    const [few, many] = [[] as number[], [] as number[]];
    for (let round = -1; round < samples; round += 1)
      for (const [server, speeds] of [[servers[0], few] as const, [servers[1], many] as const]) {
        const { perSecond } = await measureLoad(server, 'update', await signedRequests(server), seconds);
        // The first round is warm-up.
        if (round >= 0) speeds.push(perSecond);
      }
    for (const server of servers) await server.stop();
    const rows = [
      ['100', short(median(few))],
      ['100,000', short(median(many))],
    ];
    return {
      goals: [
        {
          name: '100,000 recordings: requests/s of that with 100',
          samples: ratios(many, few),
          unit: 'x',
          atLeast: 0.9,
        },
      ],
      text: [table([['recordings', 'updates/s'], ...rows])],
      figures: { few, many },
    };
  },
};

/** Creates sandboxes, each by its first request, an update. Returns the milliseconds of each. */
export async function createSandboxes(
  server: BenchServer,
  headers: Readonly<Record<string, string>>,
  names: readonly string[],
): Promise<number[]> {
  const times: number[] = [];
  for (const name of names) {
    const from = performance.now();
    const answer = await send(`${server.baseUrl}/~${name}`, requests.update, headers);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`sandbox ${name} answered ${answer.status}`);
    times.push(performance.now() - from);
  }
  return times;
}

export const sandboxesPart: Part = {
  name: '1,000 sandboxes',
  async measure({ seconds }) {
    const server = await startMock();
    const headers = await signedRequests(server);
    const before = server.memory();
    const names = Array.from({ length: 1000 }, (_, at) => `s${at}`);
    const firstRequest = median(await createSandboxes(server, headers, names));
    const memoryEach = ((server.memory() - before) * 1024) / names.length;
    const { perSecond } = await measureLoad(server, 'update', headers, seconds);
    await server.stop();
    const row = [short(firstRequest), short(perSecond)];
    return {
      goals: [{ name: '1,000 sandboxes: memory each', samples: [memoryEach], unit: 'KiB', atMost: 100 }],
      text: [table([['1,000 sandboxes: ms of the first request of one', 'updates/s in the main world'], row])],
      figures: { firstRequest, memoryEach, perSecond },
    };
  },
};

/** One million updates, or fewer in a short run. */
export const endurancePart: Part = {
  name: 'endurance',
  async measure({ millions }) {
    const amount = Math.round(1_000_000 * millions);
    const server = await startMock();
    const headers = await signedRequests(server);
    const { path, ...request } = requests.update;
    const memory: number[] = [];
    // What it loads in idle time is there by then: a short run would take that for growth.
    await load({ url: server.baseUrl + path, ...request, headers, connections, seconds: 3 });
    for (const share of [0.1, 0.4, 0.5]) {
      const part = Math.round(amount * share);
      await load({ url: server.baseUrl + path, ...request, headers, connections, seconds: 600, amount: part });
      memory.push(server.memory());
    }
    await server.stop();
    const updates = amount.toLocaleString('en-US');
    return {
      goals: [
        {
          name: `${updates} requests: memory at the end of that at 10 %`,
          samples: [ratio(memory[2] ?? Number.NaN, memory[0] ?? Number.NaN)],
          unit: 'x',
          atMost: 1.1,
        },
      ],
      text: [table([[`${updates} updates: MiB at 10 %`, '50 %', '100 %'], memory.map(short)])],
      figures: { requests: amount, memory },
    };
  },
};
