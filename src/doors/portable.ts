import { loadWorlds, type WorldOptions } from '../core/load-worlds.ts';
import { answersFrom, type ProfileSource } from '../core/profiles/load.ts';
import type { LoadFaker } from '../core/world/fill.ts';
import { type Fixtures, shippedFixtures } from '../core/world/fixtures.ts';
import { type Log, portableServices, type World } from '../core/world/world.ts';
import type { Worlds } from '../core/world/worlds.ts';
import { connectMock, type MockConnection } from './connect.ts';
import { fetchDoor, type MockFetch } from './fetch.ts';

export interface PortableOptions extends WorldOptions {
  /** A shipped profile's name, or answers to gaps. */
  readonly profile?: ProfileSource;
  /** Seed data in place of the shipped one. */
  readonly fixtures?: Fixtures;
  /** Milliseconds that every answer is held back. */
  readonly latencyMs?: number | undefined;
  /** Where sandboxes say that they are: what requests are sent to. Default http://platform-mock.invalid */
  readonly baseUrl?: string;
  /** Told of bugs of ours. Default: nobody. */
  readonly log?: Log;
}

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
  const { profile, fixtures = shippedFixtures(), latencyMs, baseUrl = 'http://platform-mock.invalid', log } = options;
  const services = { ...portableServices(), ...(log && { log }) };
  const inputs = { answers: answersFrom(profile), fixtures };
  const worlds = await loadWorlds(
    inputs,
    options,
    services,
    await fakerFor(options.recordings ?? fixtures.fill.recordings, fixtures),
  );
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const fetch = fetchDoor(worlds, { latencyMs, basePath });
  return { fetch, worlds, world: worlds.main, ...connectMock(baseUrl, { fetch }) };
}

/** Faker is four times as large as all the rest: it is loaded, ahead of the records, only where some are to be invented. */
async function fakerFor(recordings: number | undefined, { recordings: written }: Fixtures): Promise<LoadFaker> {
  if ((recordings ?? 0) <= written.length)
    return () => {
      throw new Error('This mock was made without invented recordings; ask for them with the option recordings.');
    };
  const { faker } = await import('@faker-js/faker/locale/en');
  return () => faker;
}
