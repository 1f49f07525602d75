import type { RequestHandler } from 'express';
import { healthOf, readinessOf } from '../control/handlers/operation.ts';
import { Refusal } from '../control/refusal.ts';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';

/** Answers probes before access control and without a world: they have no token, and must work while the store is away. */
export const openHealth =
  ({ services }: Worlds): RequestHandler =>
  (request, response, next) => {
    const ask = request.method === 'GET' || request.method === 'HEAD' ? questions[request.path] : undefined;
    if (!ask || splitSandbox(request.originalUrl).name !== undefined) return next();
    response.setHeader('X-Mock-Basis', 'control');
    response.setHeader('Cache-Control', 'no-store');
    ask(services).then(
      (body) => response.json(body),
      (error: unknown) => {
        if (!(error instanceof Refusal)) return next(error);
        response.setHeader('Retry-After', '1');
        response.status(error.status).json(error.body);
      },
    );
  };

const questions: Readonly<Record<string, (services: Worlds['services']) => Promise<object>>> = {
  '/health': healthOf,
  '/health/live': async () => ({ live: true }),
  '/health/ready': readinessOf,
};
