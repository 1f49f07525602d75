import { compress } from 'hono/compress';
import { etag } from 'hono/etag';
import { counter, sleep } from '../advice.ts';
import type { Hooks } from '../hooks.ts';
import { replicas } from './replicas.ts';
import type { Style } from './style.ts';
import { throttle } from './throttle.ts';

/** Two processes over one store; a balancer alternates between them. */
const twoInstances = (): Hooks => {
  const request = counter();
  return {
    http: async (c, next) => {
      await next();
      c.header('X-Served-By', request() % 2 === 0 ? 'platform-7f9c-b' : 'platform-7f9c-a');
      c.header('Via', '1.1 edge-balancer');
    },
  };
};

/** 30 to 80 ms in front of every answer, always the same series. */
const slow = (): Hooks => {
  const request = counter();
  return {
    http: async (_c, next) => {
      await sleep(30 + ((request() * 17) % 51));
      await next();
    },
  };
};

export const deploymentStyles: Style[] = [
  {
    id: 'throttled',
    description: '12 requests per second and caller, then 429 with Retry-After; RateLimit headers',
    hooks: throttle(12, 1000),
  },
  {
    id: 'replica-lag',
    description: 'two replicas, round robin; a fresh token or PAT is unknown to the other one for 300 ms',
    hooks: replicas(300),
  },
  {
    id: 'two-instances',
    description: 'two instances behind a balancer, one store, alternating instance headers',
    hooks: twoInstances,
  },
  { id: 'slow', description: 'every answer takes 30 to 80 ms longer', hooks: slow },
  {
    id: 'gzip',
    description: 'answers compressed with gzip or deflate when accepted',
    hooks: () => ({ http: compress({ threshold: 0 }) }),
  },
  {
    id: 'etag',
    description: 'answers carry an ETag; a matching If-None-Match is answered 304',
    hooks: () => ({ http: etag() }),
  },
  { id: 'base-path', description: 'everything lives under /platform/api', settings: { basePath: '/platform/api' } },
];
