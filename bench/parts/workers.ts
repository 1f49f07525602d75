import { load } from '../load.ts';
import { requests } from '../operations.ts';
import type { Part } from '../part.ts';
import { signedRequests, startMock } from '../servers.ts';
import { median } from '../statistics.ts';
import { short, table } from '../table.ts';
import { connections } from './side-by-side.ts';

const sandboxes = 8;
const counts = [1, 2] as const;

/**
 * `serve --workers`: updates per second in 8 sandboxes together, over 16 connections. No goal: the load is generated on the same
 * machine, so that what a second worker brings depends on the cores that are left.
 */
export const workersPart: Part = {
  name: '1 and 2 workers, sandboxes',
  async measure({ samples, seconds }) {
    const perSecond: Record<(typeof counts)[number], number[]> = { 1: [], 2: [] };
    const { path, ...request } = requests.update;
    const paths = Array.from({ length: sandboxes }, (_, at) => `/~s${at}${path}`);
    for (let sample = 0; sample < samples; sample += 1)
      for (const count of counts) {
        const server = await startMock(['--workers', String(count)]);
        const headers = await signedRequests(server);
        const options = { url: server.baseUrl, paths, ...request, headers, connections };
        // Warm-up; it makes the sandboxes, too.
        await load({ ...options, seconds: 1 });
        perSecond[count].push((await load({ ...options, seconds })).perSecond);
        await server.stop();
      }
    const [one, two] = [median(perSecond[1]), median(perSecond[2])];
    const head = [`updates/s in ${sandboxes} sandboxes with 1 worker`, '2 workers', 'x'];
    return { goals: [], text: [table([head, [short(one), short(two), short(two / one)]])], figures: perSecond };
  },
};
