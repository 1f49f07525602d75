import { load } from '../load.ts';
import { requests } from '../operations.ts';
import { send, signedRequests, startMock } from '../servers.ts';
import { median } from '../statistics.ts';
import { connections, type Effort } from './side-by-side.ts';

/** Updates per second with 100 and with 100,000 recordings. */
export async function recordingCounts({ rounds, seconds }: Effort): Promise<{ few: number; many: number }> {
  const servers = [await startMock(['--recordings', '100']), await startMock(['--recordings', '100000'])] as const;
  const speeds = new Map(servers.map((server) => [server, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const server of servers) {
      const headers = await signedRequests(server);
      const { path, ...request } = requests.update;
      const { perSecond } = await load({ url: server.baseUrl + path, ...request, headers, connections, seconds });
      // The first round is warm-up.
      if (round >= 0) speeds.get(server)?.push(perSecond);
    }
  }
  for (const server of servers) await server.stop();
  return { few: median(speeds.get(servers[0]) ?? []), many: median(speeds.get(servers[1]) ?? []) };
}

export interface SandboxFigures {
  readonly sandboxes: number;
  /** Median of the first request of a sandbox, which creates it, in milliseconds. */
  readonly firstRequest: number;
  /** Memory per sandbox in KiB. */
  readonly memoryEach: number;
  /** Updates per second in the main world with all sandboxes present. */
  readonly perSecond: number;
}

/** 1,000 sandboxes, each created by its first request, an update. */
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
  /** Memory in MiB after 10 %, 50 % and 100 % of the requests. */
  readonly memory: readonly [number, number, number];
  readonly perSecond: number;
}

/** One million updates, or fewer in a short run. */
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
