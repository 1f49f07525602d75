import { routeTable } from '../core/routes.ts';

/** The operations of version 0.1 that another one does, by which they are replaced. */
export const removed = [
  { method: 'POST', path: '/seed', by: 'POST /_mock/reset with seed and recordings' },
  { method: 'GET', path: '/snapshots', by: 'GET /_mock/info, snapshots' },
  { method: 'POST', path: '/snapshots/{snapshot}/restore', by: 'POST /_mock/reset with from: { snapshot }' },
  { method: 'GET', path: '/sandboxes/{sandbox}', by: 'GET /_mock/sandboxes' },
  { method: 'GET', path: '/state', by: 'GET /_mock/info, counts' },
  { method: 'GET', path: '/clock', by: 'GET /_mock/info, time, frozen and offsetMilliseconds' },
  { method: 'POST', path: '/clock/freeze', by: 'PATCH /_mock/clock with frozen: true, and at' },
  { method: 'POST', path: '/clock/set', by: 'PATCH /_mock/clock with at' },
  { method: 'POST', path: '/clock/advance', by: 'PATCH /_mock/clock with seconds' },
  { method: 'POST', path: '/clock/release', by: 'PATCH /_mock/clock with frozen: false, or machine: true' },
  { method: 'DELETE', path: '/faults', by: 'DELETE /_mock/faults/all' },
  { method: 'DELETE', path: '/routes', by: 'DELETE /_mock/routes/all' },
  { method: 'GET', path: '/upstream', by: 'GET /_mock/info, upstream' },
  { method: 'GET', path: '/gaps', by: 'GET /_mock/profile, gaps' },
  { method: 'GET', path: '/journal/{entry}', by: 'GET /_mock/journal?after={entry - 1}&before={entry + 1}' },
  { method: 'GET', path: '/health', by: 'GET /_mock/health/ready, or /_mock/health/live' },
];

export const findRemoved = routeTable(removed);
