import { load } from '../load.ts';
import { requests } from '../operations.ts';
import { signedRequests, startMock } from '../servers.ts';
import { median } from '../statistics.ts';
import { connections, type Effort } from './side-by-side.ts';

const sandboxes = 8;

/** Updates per second in all sandboxes together, by number of workers. */
export type WorkerFigures = Readonly<Record<1 | 2, number>>;

/**
 * 1 and 2 workers, 16 connections over 8 sandboxes. The load is generated on the same machine: on 2 cores it takes as much
 * as one of them, so that two workers share what is left.
 */
export async function workers({ rounds, seconds }: Effort): Promise<WorkerFigures> {
  const perSecond = { 1: [] as number[], 2: [] as number[] };
  const { path, ...request } = requests.update;
  for (let round = -1; round < rounds; round += 1) {
    for (const count of [1, 2] as const) {
      const server = await startMock(['--workers', String(count)]);
      const headers = await signedRequests(server);
      const loads = Array.from({ length: sandboxes }, (_, at) =>
        load({
          url: `${server.baseUrl}/~s${at}${path}`,
          ...request,
          headers,
          connections: connections / sandboxes,
          seconds,
        }),
      );
      const results = await Promise.all(loads);
      await server.stop();
      // The first round is warm-up.
      if (round >= 0) perSecond[count].push(results.reduce((sum, result) => sum + result.perSecond, 0));
    }
  }
  return { 1: median(perSecond[1]), 2: median(perSecond[2]) };
}
