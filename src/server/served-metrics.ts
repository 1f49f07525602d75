import type { RequestHandler } from 'express';
import { splitSandbox, type Worlds } from '../core/world/worlds.ts';

/** Answers GET /_mock/metrics without a world, so that metrics can be read while the store is away. */
export const servedMetrics =
  ({ services }: Worlds): RequestHandler =>
  (request, response, next) => {
    const isAsked = request.method === 'GET' && request.path === '/metrics';
    if (!isAsked || !services.metrics || splitSandbox(request.originalUrl).name !== undefined) return next();
    response.setHeader('X-Mock-Basis', 'control');
    services.metrics.text().then(({ mediaType, text }) => response.type(mediaType).end(text), next);
  };
