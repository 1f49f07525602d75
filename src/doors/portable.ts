import type { Faker } from '@faker-js/faker';
import { noRoutes, type RouteSet } from '../core/custom-routes/loaded-routes.ts';
import type { RouteModule } from '../core/custom-routes/route.ts';
import { loadWorlds } from '../core/load-worlds.ts';
import { checkOptions, kinds, type OptionsOf, row, type WorldOptions, worldOptions } from '../core/options.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { answersFrom, type ProfileSource } from '../core/profiles/load.ts';
import { type Fixtures, shippedFixtures } from '../core/world/fixtures.ts';
import type { LoadFaker } from '../core/world/seeds.ts';
import { type Log, portableServices, type World } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { connectMock, type MockConnection } from './connect.ts';
import { fetchDoor, type MockFetch } from './fetch.ts';
import { withoutSlash } from './paths.ts';

export { ConfigError } from '../core/spec/config-error.ts';

/** Default base URL of a mock without an address; its `fetch` answers any. */
export const withoutPort = 'http://platform-mock.invalid';

const ofPages = {
  /** A shipped profile's name, or answers to gaps. */
  profile: row<ProfileSource>({ kind: kinds.any }),
  /** Seed data instead of the shipped one. */
  fixtures: row<Fixtures>({ kind: kinds.object }),
  /** Custom routes: exports of routes modules. */
  routes: row<readonly RouteModule[]>({ kind: kinds.list }),
  /** Base URL of requests, and thus of sandboxes. Default http://platform-mock.invalid */
  baseUrl: row<string>({ kind: kinds.baseUrl }),
  /** Logs bugs of the mock. Default: silent. */
  log: row<Log>({ kind: kinds.function }),
};

const portableOptions = { ...worldOptions, ...ofPages };

export type PortableOptions = WorldOptions & OptionsOf<typeof ofPages>;

/** A mock without a port: `fetch` answers. Its control plane and its sandboxes are those of the served mock. */
export interface PortableMock extends MockConnection {
  readonly fetch: MockFetch;
  readonly worlds: Worlds;
  /** The main world, which answers requests without a sandbox's prefix. */
  readonly world: World;
}

/** Makes a mock that runs anywhere, including browsers. @throws ConfigError for an invalid option */
export async function createPortableMock(options: PortableOptions = {}): Promise<PortableMock> {
  checkOptions('createPortableMock', options, portableOptions);
  const { profile, fixtures = shippedFixtures(), routes = [], latency, baseUrl = withoutPort, log } = options;
  const services = { ...portableServices(), ...(log && { log }) };
  const answers = answersFrom(profile);
  const inputs = { answers, fixtures, routes: await loadRoutes(routes, answers) };
  const worlds = await loadWorlds(inputs, options, services, lazyFaker());
  const basePath = withoutSlash(new URL(baseUrl).pathname);
  const fetch = fetchDoor(worlds, { latency, basePath });
  return { fetch, worlds, world: worlds.main, ...connectMock(baseUrl, { fetch }) };
}

async function loadRoutes(routes: readonly RouteModule[], answers: Answers): Promise<RouteSet> {
  if (routes.length === 0) return noRoutes;
  const { routesFor, valueSources } = await import('../control/routes/load.ts');
  return routesFor(valueSources(routes), answers);
}

/** Loads faker, which is larger than all the rest, if a world has generated recordings that the build has not made. */
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
