import { load } from '../load.ts';
import { type OperationName, requests } from '../operations.ts';
import { createSandboxes } from '../parts/scale.ts';
import { connections, measureLoad } from '../parts/side-by-side.ts';
import { type Peers, type ServerName, signedRequests, startMock } from '../servers.ts';
import type { LoadPoint, PlotData } from './data.ts';
import type { Scope } from './scope.ts';

type Progress = (text: string) => void;
const operations: readonly OperationName[] = ['update', 'list'];

/** All servers run at once, and are loaded in turn: a disturbance hits one point of each, not one whole line. */
export async function overConnections(
  peers: Peers,
  names: readonly ServerName[],
  { connections: counts, seconds }: Scope,
  progress: Progress,
): Promise<PlotData['connections']> {
  const servers = new Map<ServerName, Awaited<ReturnType<Peers['start']>>>();
  for (const name of names) servers.set(name, await peers.start(name));
  for (const server of servers.values()) await measureLoad(server, 'update', peers.headers, 2);
  const points: PlotData['connections'][number][] = [];
  for (const count of counts) {
    progress(`${count} connections`);
    for (const [server, running] of servers) {
      const point = await measureLoad(running, 'update', peers.headers, seconds, count);
      points.push({ server, connections: count, ...pointOf(point) });
    }
  }
  for (const server of servers.values()) await server.stop();
  return points;
}

export async function overRecordings({ recordings: counts, seconds }: Scope, progress: Progress) {
  const points: PlotData['recordings'][number][] = [];
  for (const recordings of counts) {
    progress(`${recordings.toLocaleString('en-US')} recordings`);
    const server = await startMock(['--recordings', String(recordings)]);
    const headers = await signedRequests(server);
    for (const operation of operations) {
      await measureLoad(server, operation, headers, 1);
      const point = pointOf(await measureLoad(server, operation, headers, seconds));
      points.push({ operation, recordings, ...point, memory: server.memory(), start: server.startedIn });
    }
    await server.stop();
  }
  return points;
}

export async function overSandboxes({ sandboxes: counts, seconds }: Scope, progress: Progress) {
  const server = await startMock(['--sandboxes', String(Math.max(...counts))]);
  const headers = await signedRequests(server);
  const points: PlotData['sandboxes'][number][] = [];
  const names: string[] = [];
  for (const sandboxes of counts) {
    progress(`${sandboxes.toLocaleString('en-US')} sandboxes`);
    const added = Array.from({ length: sandboxes - names.length }, (_, at) => `s${names.length + at}`);
    await createSandboxes(server, headers, added);
    names.push(...added);
    for (const operation of operations) {
      const { path, ...request } = requests[operation];
      const options = {
        url: server.baseUrl,
        ...request,
        headers,
        connections,
        paths: names.map((name) => `/~${name}${path}`),
      };
      await load({ ...options, seconds: 1 });
      const point = pointOf(await load({ ...options, seconds }, server.child.pid));
      points.push({ operation, sandboxes, ...point, memory: server.memory() });
    }
  }
  await server.stop();
  return points;
}

/** Each server alone, its memory sampled while it answers: the mock to the end, the others for a limited time. */
export async function overRequests(
  peers: Peers,
  names: readonly ServerName[],
  { updates, memorySeconds }: Scope,
  progress: Progress,
): Promise<PlotData['memory']> {
  const points: PlotData['memory'][number][] = [];
  for (const name of names) {
    progress(`memory of ${name}`);
    const server = await peers.start(name);
    const { path, ...request } = requests.update;
    const options = { url: server.baseUrl + path, ...request, headers: peers.headers, connections };
    const sample = (made: number) => {
      points.push({ server: name, requests: made, memory: server.memory() });
    };
    sample(0);
    const isOurs = name === 'platform-mock';
    const { requests: made } = await load(
      { ...options, seconds: memorySeconds, ...(isOurs && { amount: updates }) },
      undefined,
      sample,
    );
    sample(made);
    await server.stop();
  }
  return points.filter(({ requests: made }) => made <= updates);
}

const pointOf = ({ perSecond, p50, p99, serverCpu, loadCpu }: LoadPoint): LoadPoint => ({
  perSecond,
  p50,
  p99,
  serverCpu,
  loadCpu,
});
