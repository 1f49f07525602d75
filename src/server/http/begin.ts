import type { Request, RequestHandler } from 'express';
import { apiError } from '../../core/operations/api-error.ts';
import type { Arrival, Behaviour } from '../../core/operations/behaviour.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { faultsToMeet } from '../../core/world/fault-arms.ts';
import { catchUp } from '../../core/world/processing.ts';
import type { World } from '../../core/world/world.ts';
import { mainName, type Worlds } from '../../core/world/worlds.ts';
import { apiFor, readyApi } from './api.ts';
import type { Api } from './compiled-api.ts';
import { beginExchange, Exchange } from './exchange.ts';
import { operationAt } from './operation-at.ts';

/** Path prefix of a sandbox: `/~NAME`. */
const sandboxPrefix = /^\/~([^/?]*)(?=[/?]|$)/;
const controlPath = /^\/_mock(?=[/?]|$)/;

/** The fault catalogue, as the pipeline needs it. */
export interface FaultCatalogue {
  readonly behaviourFor: (ids: readonly string[]) => Behaviour;
  /** @throws ConfigError naming the ids that there are not */
  readonly checkFaultIds: (ids: readonly string[]) => void;
}

/** Step: whose world is this, and which faults does it meet? Takes the sandbox's prefix off the URL. */
export function begin(worlds: Worlds, faults: FaultCatalogue): RequestHandler {
  return (request, _response, next) => {
    const [prefix = '', name = mainName] = sandboxPrefix.exec(request.url) ?? [];
    const found = prefix === '' ? worlds.main : sandbox(worlds, name);
    const isKnown = !(found instanceof ConfigError);
    const world = isKnown ? found : worlds.main;
    if (prefix !== '' && isKnown) request.url = request.url.slice(prefix.length).replace(/^(?!\/)/, '/');
    catchUp(world);
    const start = (api: Api): void => {
      const arrival = { method: request.method, url: request.url, headers: request.headers };
      const met = meetFaults(request, world, api, arrival, faults);
      const behaviour = faults.behaviourFor('ids' in met ? met.ids : []);
      const exchange = new Exchange(world, api, behaviour, isKnown ? prefix : '', arrival, request.rawHeaders);
      beginExchange(request, exchange);
      if (!isKnown) next(apiError(world.answers, 'unknown-path', `${found.message}.`));
      else if ('problem' in met) next(apiError(world.answers, 'validation', met.problem));
      else next();
    };
    const api = readyApi(world.answers);
    if (api) start(api);
    else apiFor(world.answers).then(start, next);
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

/** Faults that are armed for this request, and those that it asks for itself (header X-Mock-Fault). */
function meetFaults(
  request: Request,
  world: World,
  api: Api,
  arrival: Arrival,
  { checkFaultIds }: FaultCatalogue,
): { ids: readonly string[] } | { problem: string } {
  // The control plane stays usable, and a preflight is the browser's own affair.
  if (controlPath.test(arrival.url) || arrival.method === 'OPTIONS') return { ids: [] };
  const armed = faultsToMeet(world, () => operationAt(api.document, arrival));
  const header = request.headers['x-mock-fault'];
  if (header === undefined) return { ids: armed };
  const asked = [header]
    .flat()
    .join(',')
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  try {
    checkFaultIds(asked);
    return { ids: [...new Set([...armed, ...asked])] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problem: `The header X-Mock-Fault: ${error.message.slice(0, 2000)}` };
  }
}

/** True for requests to the control plane, which the journal does not hold. */
export const isControl = (request: Request): boolean => controlPath.test(request.url);
