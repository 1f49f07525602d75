import { type ErrorRequestHandler, type Request, Router } from 'express';
import { exchangeOf } from '../http/exchange.ts';
import { logError } from '../log.ts';
import { packageVersion } from '../spec/package-root.ts';
import type { World } from '../world/world.ts';
import { allowControl } from './access.ts';
import { ControlError } from './error.ts';
import { targetOf } from './target.ts';

/** What there is, as method and path. */
const endpoints = ['GET /_mock/target', 'GET /_mock/info', 'POST /_mock/reset'];

/** The control plane: /_mock over the world that the request belongs to. JSON only. */
export function controlPlane({ token }: { readonly token?: string | undefined } = {}): Router {
  const router = Router();
  router.use((_request, response, next) => {
    // Nothing here is the API's, so there is nothing that the document says about it.
    response.setHeader('X-Mock-Basis', 'control');
    next();
  });
  router.use(allowControl(token));
  router.get('/target', (request, response) => {
    const { world } = exchangeOf(request);
    response.json(targetOf(world, baseUrlOf(request)));
  });
  router.get('/info', (request, response) => {
    response.json(infoOf(exchangeOf(request).world));
  });
  router.post('/reset', (request, response) => {
    const { world } = exchangeOf(request);
    world.reset();
    response.json(infoOf(world));
  });
  router.use((request) => {
    throw new ControlError(
      404,
      `There is no ${request.method} /_mock${request.path}. There are: ${endpoints.join(', ')}.`,
    );
  });
  router.use(answerControlError);
  return router;
}

/** The base URL as the client reached it, the sandbox's prefix included. */
const baseUrlOf = (request: Request): string =>
  `${request.protocol}://${request.headers.host ?? 'localhost'}${exchangeOf(request).prefix}`;

function infoOf(world: World) {
  const { tenants, users, recordings, apiKeys } = world.store;
  return {
    name: 'platform-mock',
    version: packageVersion,
    profile: world.answers.profile,
    seed: world.seed,
    faults: world.faults,
    time: world.clock.nowIso(),
    counts: { tenants: tenants.size, users: users.size, recordings: recordings.size, apiKeys: apiKeys.size },
    ownViolations: world.ownViolations,
  };
}

const answerControlError: ErrorRequestHandler = (error, _request, response, _next) => {
  const known = error instanceof ControlError;
  if (!known) logError(`BUG: control plane: ${error instanceof Error ? error.stack : String(error)}`);
  const message = known ? error.message : 'The mock failed; its log says why.';
  response.status(known ? error.status : 500).json({ error: { code: known ? 'refused' : 'internal_error', message } });
};
