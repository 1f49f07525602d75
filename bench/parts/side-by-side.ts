import { load } from '../load.ts';
import { type Bodies, type OperationName, operationNames, requests } from '../operations.ts';
import { type BenchServer, Peers, type ServerName, send, serverNames, signedRequests, startMock } from '../servers.ts';
import { median } from '../statistics.ts';

/** Duration of the measurements. */
export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly starts: number;
  readonly millionth: number;
}

/** Concurrent connections. */
export const connections = 16;

/** Medians over the rounds. */
export interface Speed {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Comparison {
  readonly speeds: Readonly<Record<ServerName, Readonly<Record<OperationName, Speed>>>>;
  /** MiB, at the end of all rounds. */
  readonly memory: Readonly<Record<ServerName, number>>;
  /** MiB, after the first response. */
  readonly memoryIdle: Readonly<Record<ServerName, number>>;
  /** Milliseconds from process start to the first response. */
  readonly start: Readonly<Record<ServerName, number>>;
}

/** Measures all servers on both operations, interleaved in each round, so that disturbances affect all alike. */
export async function sideBySide(effort: Effort, progress: (text: string) => void): Promise<Comparison> {
  const { bodies, headers } = await ownAnswers();
  using peers = await Peers.prepare(bodies);
  const start = await starts(peers, effort.starts, progress);
  const servers: [ServerName, BenchServer][] = [];
  for (const name of serverNames) servers.push([name, await peers.start(name)]);
  const memoryIdle = byServer((name) => servers.find(([other]) => other === name)?.[1].memory() ?? Number.NaN);
  for (const server of servers) await measure(server, 'update', headers, 1);
  for (const server of servers) await measure(server, 'list', headers, 1);

  const samples: { server: ServerName; operation: OperationName; speed: Speed }[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    progress(`side by side: round ${round + 1} of ${effort.rounds}`);
    // Each round starts with another server.
    for (const operation of operationNames)
      for (const server of [...servers.slice(round % servers.length), ...servers.slice(0, round % servers.length)])
        samples.push({
          server: server[0],
          operation,
          speed: await measure(server, operation, headers, effort.seconds),
        });
  }
  const memory = byServer((name) => servers.find(([other]) => other === name)?.[1].memory() ?? Number.NaN);
  for (const [, server] of servers) await server.stop();
  const medianOf = (server: ServerName, operation: OperationName): Speed => {
    const speeds = samples.filter((sample) => sample.server === server && sample.operation === operation);
    const of = (figure: keyof Speed) => median(speeds.map(({ speed }) => speed[figure]));
    return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') };
  };
  const speeds = byServer((name) => ({ update: medianOf(name, 'update'), list: medianOf(name, 'list') }));
  return { speeds, memory, memoryIdle, start };
}

const byServer = <T>(figureOf: (name: ServerName) => T) =>
  Object.fromEntries(serverNames.map((name) => [name, figureOf(name)])) as Record<ServerName, T>;

/** The mock's responses for the bare servers, and credentials, which stay valid after a restart with the same seed. */
async function ownAnswers(): Promise<{ bodies: Bodies; headers: Readonly<Record<string, string>> }> {
  const mock = await startMock();
  const headers = await signedRequests(mock);
  const answer = async (name: OperationName): Promise<unknown> =>
    (await send(mock.baseUrl, requests[name], headers)).json();
  const bodies = { update: await answer('update'), list: await answer('list') };
  await mock.stop();
  return { bodies, headers };
}

async function starts(peers: Peers, times: number, progress: (text: string) => void) {
  const samples: { name: ServerName; milliseconds: number }[] = [];
  for (let round = 0; round < times; round += 1) {
    progress(`start: round ${round + 1} of ${times}`);
    for (const name of serverNames) {
      const server = await peers.start(name);
      samples.push({ name, milliseconds: server.startedIn });
      await server.stop();
    }
  }
  return byServer((name) =>
    median(samples.filter((sample) => sample.name === name).map(({ milliseconds }) => milliseconds)),
  );
}

function measure(
  [, { baseUrl }]: readonly [ServerName, BenchServer],
  operation: OperationName,
  headers: Readonly<Record<string, string>>,
  seconds: number,
): Promise<Speed> {
  const { path, ...request } = requests[operation];
  return load({ url: baseUrl + path, ...request, headers, connections, seconds });
}
