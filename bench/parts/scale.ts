import { load } from '../load.ts';
import { requests } from '../operations.ts';
import { send, signedRequests, startMock } from '../servers.ts';
import { median } from '../statistics.ts';
import { connections, type Effort } from './side-by-side.ts';

/** Updates a second with a hundred and with a hundred thousand recordings. */
export async function recordingCounts({ rounds, seconds }: Effort): Promise<{ few: number; many: number }> {
  const servers = [await startMock(['--recordings', '100']), await startMock(['--recordings', '100000'])] as const;
  const speeds = new Map(servers.map((server) => [server, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const server of servers) {
      const headers = await signedRequests(server);
      const { path, ...request } = requests.update;
      const { perSecond } = await load({ url: server.baseUrl + path, ...request, headers, connections, seconds });
      // The first round only warms.
      if (round >= 0) speeds.get(server)?.push(perSecond);
    }
  }
  for (const server of servers) await server.stop();
  return { few: median(speeds.get(servers[0]) ?? []), many: median(speeds.get(servers[1]) ?? []) };
}

export interface SandboxFigures {
  readonly sandboxes: number;
  /** Milliseconds for the first request of a sandbox, which makes it; median. */
  readonly firstRequest: number;
  /** KiB of memory for each of them. */
  readonly memoryEach: number;
  /** Updates a second in the main world, with all of them there. */
  readonly perSecond: number;
}

/** A thousand sandboxes, each made by its first request, which changes something. */
export async function manySandboxes({ seconds }: Effort): Promise<SandboxFigures> {
  const sandboxes = 1000;
  const server = await startMock();
  const headers = await signedRequests(server);
  const before = server.memory();
  const times: number[] = [];
  for (let at = 0; at < sandboxes; at += 1) {
    const from = performance.now();
    const answer = await send(`${server.baseUrl}/~s${at}`, requests.update, headers);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`sandbox ${at} answered ${answer.status}`);
    times.push(performance.now() - from);
  }
  const memoryEach = ((server.memory() - before) * 1024) / sandboxes;
  const { path, ...request } = requests.update;
  const { perSecond } = await load({ url: server.baseUrl + path, ...request, headers, connections, seconds });
  await server.stop();
  return { sandboxes, firstRequest: median(times), memoryEach, perSecond };
}

export interface EnduranceFigures {
  readonly requests: number;
  /** MiB after 10 %, 50 % and 100 % of the requests. */
  readonly memory: readonly [number, number, number];
  readonly perSecond: number;
}

/** A million requests (fewer where there is no time) that all change something. */
export async function endurance({ millionth }: Effort): Promise<EnduranceFigures> {
  const amount = Math.round(1_000_000 * millionth);
  const server = await startMock();
  const headers = await signedRequests(server);
  const { path, ...request } = requests.update;
  const memory: number[] = [];
  const from = performance.now();
  for (const share of [0.1, 0.4, 0.5]) {
    const part = Math.round(amount * share);
    await load({ url: server.baseUrl + path, ...request, headers, connections, seconds: 600, amount: part });
    memory.push(server.memory());
  }
  const perSecond = amount / ((performance.now() - from) / 1000);
  await server.stop();
  const [at10 = Number.NaN, at50 = Number.NaN, at100 = Number.NaN] = memory;
  return { requests: amount, memory: [at10, at50, at100], perSecond };
}
