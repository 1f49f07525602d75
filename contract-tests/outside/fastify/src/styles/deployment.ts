/** How the service is run: instances, limits, transport. */
import { pause } from '../pause.ts';
import type { StyleRow } from './row.ts';

const SLOW_MS = [30, 80, 45, 65];

export const deploymentStyles: readonly StyleRow[] = [
  {
    id: 'throttled',
    description: 'At most 25 requests per second and address; beyond that 429 with Retry-After and RateLimit headers',
    settings: { rateLimit: { max: 25, windowMs: 1000 } },
  },
  {
    id: 'lagging-replicas',
    description: 'Two instances taken in turn; the second learns of a new access token or PAT 300 ms later',
    settings: { replicas: 2, lagMs: 300 },
  },
  {
    id: 'balanced',
    description: 'Two instances over one store behind a balancer, each naming itself in x-served-by',
    settings: { replicas: 2, instanceHeader: true },
  },
  {
    id: 'compressed',
    description: 'Answers come with br or gzip content encoding when the client accepts it',
    settings: { compress: true },
  },
  {
    id: 'base-path',
    description: 'Everything is served below /platform/api',
    settings: { basePath: '/platform/api' },
  },
  {
    id: 'slow',
    description: 'Every answer takes 30 to 80 ms',
    hooks: {
      async arrival(value, { world }) {
        await pause(SLOW_MS[world.memory.count('slow') % SLOW_MS.length]);
        return value;
      },
    },
  },
];
