import type { MockRequest } from '../message.ts';
import { ConfigError, LimitError } from '../spec/config-error.ts';
import type { WorldImage } from './image.ts';
import type { Seeds } from './seeds.ts';
import type { SeedLayer } from './store.ts';
import { World, type WorldServices } from './world.ts';

/** Name of the world that is served without a path prefix. */
export const mainName = '';

/** Path prefix of a sandbox: `/~NAME`; some clients escape the tilde. */
const sandboxPrefix = /^\/(?:~|%7e)([^/?]*)(?=[/?]|$)/i;

/**
 * Takes a sandbox's prefix off a URL.
 * @returns no name where it has none; the prefix as it was sent
 */
export function splitSandbox(sent: string): { name: string | undefined; prefix: string; url: string } {
  const [prefix, name] = sent.startsWith('/~') || sent.startsWith('/%') ? (sandboxPrefix.exec(sent) ?? []) : [];
  if (prefix === undefined) return { name: undefined, prefix: '', url: sent };
  return { name, prefix, url: sent.slice(prefix.length).replace(/^(?!\/)/, '/') };
}

/** What a sandbox may be called. */
export const sandboxName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Sandboxes that there may be at once, unless somebody says otherwise. */
export const sandboxLimit = 1000;

/** Milliseconds without a request after which a sandbox that nobody changed makes room for another. */
const idleAfter = 60_000;

/** Every world of one server: the main one, and the sandboxes, made on first use. */
export class Worlds {
  private readonly sandboxes = new Map<string, World>();
  private changed: (() => void) | undefined;
  /** The seed that the server was started with. */
  readonly seed: number;

  /**
   * @param seeds makes seed records for worlds that begin otherwise
   * @param limit how many sandboxes there may be at once
   */
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

  /**
   * The sandbox of that name; a new one starts as the main world started.
   * @param isCrossSite a page of another site asks, which makes no sandbox
   * @throws ConfigError when the name is not allowed, or there is no such sandbox and none is made
   * @throws LimitError
   */
  sandbox(name: string, isCrossSite = false): World {
    const known = this.sandboxes.get(name);
    if (!known && isCrossSite)
      throw new ConfigError([
        `there is no sandbox ${name.slice(0, 80)}, and a page of another site makes none: PUT /_mock/sandboxes/NAME makes it, --cors <origin> allows the page`,
      ]);
    return (known ?? this.make(name, this.main.origin)).use();
  }

  /** Deletes a sandbox that one request made and then did not use: it was refused. */
  deleteUnused(name: string): void {
    const world = this.sandboxes.get(name);
    if (world && world.uses <= 1 && this.isReplaceable(world)) this.delete(name);
  }

  /**
   * The world that a URL addresses, and the URL within it; the main world where there is no such sandbox.
   * @returns `unknown`: why there is none
   */
  resolve(request: Pick<MockRequest, 'url' | 'isCrossSite'>): {
    world: World;
    prefix: string;
    url: string;
    unknown?: string;
  } {
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

  /** The world of that name, where it is there. */
  find(name: string): World | undefined {
    return name === mainName ? this.main : this.sandboxes.get(name);
  }

  /**
   * Makes a sandbox; one that is there begins anew.
   * @throws ConfigError when the name is not allowed
   * @throws LimitError
   */
  make(name: string, image: WorldImage): World {
    if (!sandboxName.test(name))
      throw new ConfigError([`${name.slice(0, 80)} is not a name for a sandbox: letters, digits, . _ - (64 at most)`]);
    const known = this.sandboxes.get(name);
    if (!known && this.sandboxes.size >= this.limit) this.deleteIdle();
    if (!known && this.sandboxes.size >= this.limit)
      throw new LimitError([
        `there are ${this.limit} sandboxes already, which is the limit; DELETE /_mock/sandboxes/NAME makes room`,
      ]);
    const world = known ?? new World(image, this.services);
    if (known) known.restart(image);
    else this.add(name, world);
    return world;
  }

  /** @returns whether it was there */
  delete(name: string): boolean {
    const world = this.sandboxes.get(name);
    this.sandboxes.delete(name);
    world?.journal.close();
    this.changed?.();
    return world !== undefined;
  }

  /** The sandboxes with their names, in the order in which they were made. */
  named(): IterableIterator<[string, World]> {
    return this.sandboxes.entries();
  }

  /** The main world and every sandbox. */
  all(): World[] {
    return [this.main, ...this.sandboxes.values()];
  }

  /** Number of sandboxes. */
  get count(): number {
    return this.sandboxes.size;
  }

  /** Calls `listener` after every change of any world, and of which ones there are. */
  onChange(listener: () => void): void {
    this.changed = listener;
    for (const world of this.all()) world.onChange(listener);
  }

  /** Ends what is listened to: the server goes down. */
  close(): void {
    for (const world of this.all()) world.journal.close();
  }

  /** Deletes the sandboxes that nobody used for a while and whose next use would make them as they are. */
  private deleteIdle(): void {
    const lastUse = Date.now() - idleAfter;
    for (const [name, world] of this.sandboxes)
      if (world.usedAt <= lastUse && this.isReplaceable(world)) this.delete(name);
  }

  private isReplaceable(world: World): boolean {
    return world.origin === this.main.origin && world.isUnchanged && !world.journal.isWatched;
  }

  private add(name: string, world: World): void {
    this.sandboxes.set(name, world);
    if (this.changed) world.onChange(this.changed);
    this.changed?.();
  }
}

/** The seed layers that a world keeps alive. */
const layersOf = (world: World): SeedLayer[] =>
  [world, world.origin, ...[...world.snapshots.values()].map(({ image }) => image)].map(({ seedLayer }) => seedLayer);
