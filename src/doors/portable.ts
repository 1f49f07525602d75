import type { Faker } from '@faker-js/faker';
import type { RouteValue } from '../control/routes/load.ts';
import { loadWorlds, type WorldOptions } from '../core/load-worlds.ts';
import { refuseUnknown } from '../core/options.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { answersFrom, type ProfileSource } from '../core/profiles/load.ts';
import type { LoadFaker } from '../core/world/fill.ts';
import { type Fixtures, shippedFixtures } from '../core/world/fixtures.ts';
import { type Log, portableServices, type World } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { noRoutes, type RouteSet } from '../core/yours/own-routes.ts';
import { connectMock, type MockConnection } from './connect.ts';
import { fetchDoor, type MockFetch } from './fetch.ts';
import { withoutSlash } from './paths.ts';

export { ConfigError } from '../core/spec/config-error.ts';

/** The base URL of a mock that has no address of its own: its `fetch` answers any. */
export const withoutPort = 'http://platform-mock.invalid';

export interface PortableOptions extends WorldOptions {
  /** A shipped profile's name, or answers to gaps. */
  readonly profile?: ProfileSource;
  /** Seed data in place of the shipped one. */
  readonly fixtures?: Fixtures;
  /** Routes of your own, as a module of routes exports them, and OpenAPI documents. */
  readonly routes?: readonly RouteValue[];
  /** Milliseconds that every answer is held back. */
  readonly latencyMs?: number | undefined;
  /** Where requests are sent to, and where sandboxes therefore say that they are. Default http://platform-mock.invalid */
  readonly baseUrl?: string;
  /** Told of bugs of ours. Default: nobody. */
  readonly log?: Log;
}

const knownOptions = Object.keys({
  profile: true,
  fixtures: true,
  routes: true,
  latencyMs: true,
  baseUrl: true,
  log: true,
  seed: true,
  recordings: true,
  faults: true,
  sandboxLimit: true,
} satisfies Record<keyof PortableOptions, true>);

/** A mock without a port: `fetch` answers. Its control plane and its sandboxes are those of the served mock. */
export interface PortableMock extends MockConnection {
  readonly fetch: MockFetch;
  readonly worlds: Worlds;
  /** The main world: what is answered without a sandbox's prefix. */
  readonly world: World;
}

/**
 * Makes a mock that runs anywhere, a browser included.
 * @throws ConfigError when an option cannot be used
 */
export async function createPortableMock(options: PortableOptions = {}): Promise<PortableMock> {
  refuseUnknown('createPortableMock', options, knownOptions);
  const { profile, fixtures = shippedFixtures(), routes = [], latencyMs, baseUrl = withoutPort, log } = options;
  const services = { ...portableServices(), ...(log && { log }) };
  const answers = answersFrom(profile);
  const inputs = { answers, fixtures, routes: await loadRoutes(routes, answers, services.log) };
  const worlds = await loadWorlds(inputs, options, services, lazyFaker());
  const basePath = withoutSlash(new URL(baseUrl).pathname);
  const fetch = fetchDoor(worlds, { latencyMs, basePath });
  return { fetch, worlds, world: worlds.main, ...connectMock(baseUrl, { fetch }) };
}

/** What checks and compiles routes is loaded where there are some. */
async function loadRoutes(routes: readonly RouteValue[], answers: Answers, log: Log): Promise<RouteSet> {
  if (routes.length === 0) return noRoutes;
  const { routesFor, valueSources } = await import('../control/routes/load.ts');
  return routesFor(valueSources(routes), answers, log);
}

/** Faker is larger than all the rest together: it is loaded where a world has invented recordings, as by default. */
function lazyFaker(): LoadFaker {
  let loaded: Faker | undefined;
  const load = (): Faker => {
    if (!loaded) throw new Error('Seeds.prepare() was not awaited.');
    return loaded;
  };
  const prepare = async (): Promise<void> => {
    loaded ??= (await import('@faker-js/faker/locale/en')).faker;
  };
  return Object.assign(load, { prepare });
}
