import type { RequestHandler } from 'express';
import { apiError } from '../operations/api-error.ts';
import type { Behaviour } from '../operations/behaviour.ts';
import { ConfigError } from '../spec/config-error.ts';
import type { World } from '../world/world.ts';
import { mainName, type Worlds } from '../world/worlds.ts';
import { apiFor } from './api.ts';
import { beginExchange, Exchange } from './exchange.ts';

/** Path prefix of a sandbox: `/~NAME`. */
const sandboxPrefix = /^\/~([^/?]*)(?=[/?]|$)/;

/** Step: whose world is this? Takes the sandbox's prefix off the URL. */
export function begin(worlds: Worlds, behaviourOf: (world: World) => Behaviour): RequestHandler {
  return async (request, _response, next) => {
    const [prefix = '', name = mainName] = sandboxPrefix.exec(request.url) ?? [];
    const found = prefix === '' ? worlds.main : sandbox(worlds, name);
    const world = found instanceof ConfigError ? worlds.main : found;
    const isKnown = !(found instanceof ConfigError);
    if (prefix !== '' && isKnown) request.url = request.url.slice(prefix.length).replace(/^(?!\/)/, '/');
    const arrival = { method: request.method, url: request.url, headers: request.headers };
    const api = await apiFor(world.answers);
    beginExchange(request, new Exchange(world, api, behaviourOf(world), prefix, arrival));
    if (found instanceof ConfigError) return next(apiError(world.answers, 'unknown-path', `${found.message}.`));
    next();
  };
}

function sandbox(worlds: Worlds, name: string): World | ConfigError {
  try {
    return worlds.get(name);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}
