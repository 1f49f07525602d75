import { routeTable } from '../core/routes.ts';

/** The operations of version 0.1 that another one does, by which they are replaced. */
export const removed = [
  { method: 'POST', path: '/seed', by: 'POST /reset with seed and recordings' },
  { method: 'GET', path: '/snapshots', by: 'GET /info, snapshots' },
  { method: 'POST', path: '/snapshots/{snapshot}/restore', by: 'POST /reset with from: { snapshot }' },
  { method: 'GET', path: '/sandboxes/{sandbox}', by: 'GET /sandboxes' },
  { method: 'GET', path: '/state', by: 'GET /info, counts' },
  { method: 'GET', path: '/clock', by: 'GET /info, time, frozen and offsetMilliseconds' },
  { method: 'POST', path: '/clock/freeze', by: 'PATCH /clock with frozen: true, and at' },
  { method: 'POST', path: '/clock/set', by: 'PATCH /clock with at' },
  { method: 'POST', path: '/clock/advance', by: 'PATCH /clock with seconds' },
  { method: 'POST', path: '/clock/release', by: 'PATCH /clock with frozen: false, or machine: true' },
  { method: 'DELETE', path: '/faults', by: 'DELETE /faults/all' },
  { method: 'DELETE', path: '/routes', by: 'DELETE /routes/all' },
  { method: 'GET', path: '/upstream', by: 'GET /info, upstream' },
  { method: 'GET', path: '/gaps', by: 'GET /profile, gaps' },
  { method: 'GET', path: '/journal/{entry}', by: 'GET /journal?after={entry - 1}&before={entry + 1}' },
  { method: 'GET', path: '/health', by: 'GET /health/ready, or /health/live' },
];

export const findRemoved = routeTable(removed);
