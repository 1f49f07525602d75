import { type BenchServer, startCommand, startMock, startOwn } from '../servers.ts';
import type { LimitKind, PlotData, VerifyKind, VerifyPoint } from './data.ts';
import type { Scope } from './scope.ts';

type Progress = (text: string) => void;
const kinds: Readonly<Record<VerifyKind, readonly string[]>> = { verify: [], 'verify --quick': ['--quick'] };

/** A mock that delays each response by so many milliseconds. */
export async function overLatency({ latencies }: Scope, progress: Progress): Promise<PlotData['latency']> {
  const points: PlotData['latency'][number][] = [];
  for (const latency of latencies) {
    progress(`verify at ${latency} ms`);
    for (const [kind, flags] of Object.entries(kinds) as [VerifyKind, readonly string[]][]) {
      const target = await startMock(['--latency', String(latency)]);
      points.push({ kind, latency, ...(await verify(target, flags)) });
      await target.stop();
    }
  }
  return points;
}

/** Mostly waiting: the three kinds run at once. */
export async function overLimits({ limits }: Scope, progress: Progress): Promise<PlotData['limits']> {
  const points: PlotData['limits'][number][] = [];
  for (const limit of limits) {
    progress(`verify at ${limit} requests a second`);
    const throttled = (Object.entries(kinds) as [VerifyKind, readonly string[]][]).map(async ([kind, flags]) => {
      const mock = await startMock();
      const target = await startOwn('throttled', mock.baseUrl, String(limit));
      // The first answer used up a part of this second.
      const point = await verify(target, flags);
      await target.stop();
      await mock.stop();
      return { kind: kind as LimitKind, limit, ...point };
    });
    const told = startMock().then(async (target) => {
      const point = await verify(target, ['--rps', String(limit)]);
      await target.stop();
      return { kind: 'verify --rps' as const, limit, ...point };
    });
    points.push(...(await Promise.all([...throttled, told])));
  }
  return points;
}

/** One run against the target; its exit code is no matter here, its verdict is kept. */
async function verify(target: BenchServer, flags: readonly string[]): Promise<VerifyPoint> {
  const from = performance.now();
  const run = startCommand(['verify', '--base-url', target.baseUrl, '--json', ...flags], undefined, true);
  const { output } = await run.ended;
  const seconds = (performance.now() - from) / 1000;
  const { requests, verdict } = JSON.parse(output) as { requests: { total: number }; verdict: string };
  return { seconds, requests: requests.total, verdict };
}
