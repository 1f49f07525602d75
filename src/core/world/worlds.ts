import type { MockRequest } from '../message.ts';
import { ConfigError, LimitError } from '../spec/config-error.ts';
import type { components } from '../spec/control-types.ts';
import type { Immutable } from '../spec/json.ts';
import type { Seeds } from './seeds.ts';
import type { WorldImage } from './state.ts';
import type { SeedLayer } from './store.ts';
import { World, type WorldServices } from './world.ts';
import type { WorldsChange } from './world-change.ts';

/** Name of the world without a path prefix. */
export const mainName = '';

/** Path prefix of a sandbox: `/~NAME`. Some clients escape the tilde. */
const sandboxPrefix = /^\/(?:~|%7e)([^/?]*)(?=[/?]|$)/i;

let latest = { sent: '', name: undefined as string | undefined, prefix: '', url: '' };

/** Splits a sandbox's prefix (as sent) off a URL; an undefined name without one. A request's URL is split several times. */
export function splitSandbox(sent: string): { readonly name: string | undefined; prefix: string; url: string } {
  if (latest.sent === sent) return latest;
  const [prefix, name] = sent.startsWith('/~') || sent.startsWith('/%') ? (sandboxPrefix.exec(sent) ?? []) : [];
  if (prefix === undefined) return { name: undefined, prefix: '', url: sent };
  latest = { sent, name, prefix, url: sent.slice(prefix.length).replace(/^(?!\/)/, '/') };
  return latest;
}

export const sandboxName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const sandboxLimit = 1000;

/** Milliseconds without a request after which an unchanged sandbox may be deleted for a new one. */
const idleAfter = 60_000;

export type SandboxSummary = Immutable<Omit<components['schemas']['Sandbox'], 'baseUrl'>>;

/** The sandboxes of one server, in this process or in a store. */
export interface SandboxIndex {
  /** Those after this name, in the order of their names, at most `limit`. */
  page(after: string, limit: number): Promise<SandboxSummary[]>;
  deleteAll(): Promise<void>;
}

/** The worlds of one server: the main world, and the sandboxes, created on first use. */
export class Worlds {
  private readonly sandboxes = new Map<string, World>();
  private changed: ((change: WorldsChange) => void) | undefined;
  startImage = (): WorldImage => this.main.origin;
  /** Number of sandboxes when other processes also create some, which only the store knows. */
  sharedCount: number | undefined;
  index: SandboxIndex = {
    page: async (after, limit) => {
      const names = [...this.sandboxes.keys()].filter((name) => name > after).sort();
      return names.slice(0, limit).flatMap((name) => this.summary(name) ?? []);
    },
    deleteAll: async () => {
      for (const name of [...this.sandboxes.keys()]) this.delete(name);
    },
  };
  readonly seed: number;

  /** `seeds` builds the seed layers of worlds with other options; `limit` is the maximum number of sandboxes. */
  constructor(
    readonly main: World,
    readonly seeds: Seeds,
    readonly limit = sandboxLimit,
  ) {
    this.seed = main.seed;
    seeds.countBy(() => this.all().flatMap(layersOf));
  }

  get services(): WorldServices {
    return this.main.services;
  }

  /** A sandbox, created from the origin of the main world unless the request is of another site. Throws ConfigError, LimitError. */
  sandbox(name: string, isCrossSite = false): World {
    const known = this.sandboxes.get(name);
    if (!known && isCrossSite)
      throw new ConfigError([
        `there is no sandbox ${name.slice(0, 80)}, and a page of another site makes none: PUT /_mock/sandboxes/NAME makes it, --cors <origin> allows the page`,
      ]);
    return (known ?? this.make(name, this.startImage())).use();
  }

  /** Deletes a sandbox that a refused request created. */
  deleteUnused(name: string): void {
    const world = this.sandboxes.get(name);
    if (world && world.uses <= 1 && this.isReplaceable(world)) this.delete(name);
  }

  /** The world of a URL, and the URL within it; the main world, and why in `unknown`, if the sandbox does not exist. */
  resolve(request: Pick<MockRequest, 'url' | 'isCrossSite'>) {
    const sent = request.url;
    const { name, prefix, url } = splitSandbox(sent);
    if (name === undefined) return { world: this.main, prefix, url };
    try {
      return { world: this.sandbox(name, request.isCrossSite), prefix, url };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { world: this.main, prefix: '', url: sent, unknown: `${error.message}.` };
    }
  }

  find(name: string): World | undefined {
    return name === mainName ? this.main : this.sandboxes.get(name);
  }

  /** Creates or restarts a sandbox; throws ConfigError for a name that is not allowed, and LimitError. */
  make(name: string, image: WorldImage): World {
    if (!sandboxName.test(name))
      throw new ConfigError([
        `${name.slice(0, 80)} is not a valid sandbox name: use letters, digits, dots, underscores and hyphens, the first one a letter or a digit; 64 at the most`,
      ]);
    const known = this.sandboxes.get(name);
    if (known) {
      known.restart(image);
      return known;
    }
    if (this.count >= this.limit) this.deleteIdle();
    if (this.count >= this.limit)
      throw new LimitError([
        `The maximum number of sandboxes (${this.limit}) is reached; DELETE /_mock/sandboxes/NAME makes room`,
      ]);
    if (this.sharedCount !== undefined) this.sharedCount += 1;
    return this.add(name, image);
  }

  /** Adds a sandbox that another replica created; neither name nor limit are checked. */
  add(name: string, image: WorldImage): World {
    const world = new World(image, this.services);
    this.sandboxes.set(name, world);
    world.onChange((change) => {
      // A request may still run in a deleted one, and a new one may have its name.
      if (this.sandboxes.get(name) === world) this.changed?.({ world: name, change });
    });
    this.changed?.({ world: name, change: image === this.startImage() ? 'made' : 'whole' });
    return world;
  }

  /** Removes a sandbox from this process, without deleting it if other replicas use it. */
  forget(name: string): void {
    this.sandboxes.get(name)?.journal.close();
    this.sandboxes.delete(name);
  }

  /** @returns whether it existed */
  delete(name: string): boolean {
    const isThere = this.sandboxes.has(name);
    this.forget(name);
    if (isThere) this.changed?.({ world: name, change: 'deleted' });
    return isThere;
  }

  /** Deletes the sandboxes that were unused and unwatched for that many milliseconds. */
  deleteUnusedFor(milliseconds: number, isDeletable = (_world: World): boolean => true): void {
    const lastUse = Date.now() - milliseconds;
    for (const [name, world] of this.sandboxes)
      if (world.usedAt <= lastUse && !world.journal.isWatched && isDeletable(world)) this.delete(name);
  }

  /** The sandboxes in this process by name, in order of creation. */
  named(): IterableIterator<[string, World]> {
    return this.sandboxes.entries();
  }

  summary(name: string): SandboxSummary | undefined {
    const world = this.sandboxes.get(name);
    if (!world) return undefined;
    const { answers, seed, changeCount, journal } = world;
    return { name, profile: answers.profile, seed, changes: changeCount, requests: journal.total };
  }

  all(): World[] {
    return [this.main, ...this.sandboxes.values()];
  }

  get count(): number {
    return this.sharedCount ?? this.sandboxes.size;
  }

  /** Calls `listener` after every change of a world, and when a sandbox is created or deleted. */
  onChange(listener: (change: WorldsChange) => void): void {
    this.changed = listener;
    this.main.onChange((change) => listener({ world: mainName, change }));
  }

  /** Ends all journal listeners, when the server stops. */
  close(): void {
    for (const world of this.all()) world.journal.close();
  }

  /** Deletes sandboxes that were unused for a while and would be equal when created again. */
  private deleteIdle(): void {
    // Other replicas may use them; the store expires unused ones.
    if (this.sharedCount === undefined) this.deleteUnusedFor(idleAfter, (world) => this.isReplaceable(world));
  }

  private isReplaceable(world: World): boolean {
    return world.origin === this.startImage() && world.isUnchanged && !world.journal.isWatched;
  }
}

const layersOf = (world: World): SeedLayer[] =>
  [world, world.origin, ...[...world.snapshots.values()].map(({ image }) => image)].map(({ seedLayer }) => seedLayer);
