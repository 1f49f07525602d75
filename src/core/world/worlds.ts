import { ConfigError } from '../spec/config-error.ts';
import type { WorldImage } from './image.ts';
import type { Seeds } from './seeds.ts';
import { World, type WorldServices } from './world.ts';

/** Name of the world without a path prefix. */
export const mainName = '';

/** Path prefix of a sandbox: `/~NAME`. Some clients escape the tilde. */
const sandboxPrefix = /^\/(?:~|%7e)([^/?]*)(?=[/?]|$)/i;

/**
 * Splits a sandbox's prefix off a URL.
 * @returns the prefix as sent; an undefined name without one
 */
export function splitSandbox(sent: string): { name: string | undefined; prefix: string; url: string } {
  const [prefix, name] = sent.startsWith('/~') || sent.startsWith('/%') ? (sandboxPrefix.exec(sent) ?? []) : [];
  if (prefix === undefined) return { name: undefined, prefix: '', url: sent };
  return { name, prefix, url: sent.slice(prefix.length).replace(/^(?!\/)/, '/') };
}

/** Allowed names of sandboxes. */
export const sandboxName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Default maximum number of sandboxes. */
export const sandboxLimit = 1000;

/** The maximum number of sandboxes is reached. */
export class TooManySandboxes extends ConfigError {}

/** The worlds of one server: the main world, and the sandboxes, created on first use. */
export class Worlds {
  private readonly sandboxes = new Map<string, World>();
  private changed: (() => void) | undefined;
  /** The configured seed of the server. */
  readonly seed: number;

  /**
   * @param seeds builds the seed layers of worlds with other options
   * @param limit maximum number of sandboxes
   */
  constructor(
    readonly main: World,
    readonly seeds: Seeds,
    readonly limit = sandboxLimit,
  ) {
    this.seed = main.seed;
  }

  get services(): WorldServices {
    return this.main.services;
  }

  /**
   * The sandbox of that name; a new one starts from the main world's origin.
   * @throws ConfigError if the name is not allowed
   * @throws TooManySandboxes
   */
  sandbox(name: string): World {
    return this.sandboxes.get(name) ?? this.make(name, this.main.origin);
  }

  /**
   * The world that a URL addresses, and the URL within it; the main world if the sandbox does not exist.
   * @returns `unknown`: why the sandbox does not exist
   */
  resolve(sent: string): { world: World; prefix: string; url: string; unknown?: string } {
    const { name, prefix, url } = splitSandbox(sent);
    if (name === undefined) return { world: this.main, prefix, url };
    try {
      return { world: this.sandbox(name), prefix, url };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return { world: this.main, prefix: '', url: sent, unknown: `${error.message}.` };
    }
  }

  /** The world of that name, if it exists. */
  find(name: string): World | undefined {
    return name === mainName ? this.main : this.sandboxes.get(name);
  }

  /**
   * Creates a sandbox, or restarts an existing one.
   * @throws ConfigError if the name is not allowed
   * @throws TooManySandboxes
   */
  make(name: string, image: WorldImage): World {
    if (!sandboxName.test(name))
      throw new ConfigError([
        `${name.slice(0, 80)} is not a valid sandbox name: use letters, digits, . _ - (64 at most)`,
      ]);
    const known = this.sandboxes.get(name);
    if (!known && this.sandboxes.size >= this.limit)
      throw new TooManySandboxes([
        `there are ${this.limit} sandboxes already, which is the limit; DELETE /_mock/sandboxes/NAME makes room`,
      ]);
    const world = known ?? new World(image, this.services);
    if (known) known.restart(image);
    else this.add(name, world);
    return world;
  }

  /** @returns whether it existed */
  delete(name: string): boolean {
    const world = this.sandboxes.get(name);
    this.sandboxes.delete(name);
    world?.journal.close();
    this.changed?.();
    return world !== undefined;
  }

  /** The sandboxes by name, in order of creation. */
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

  /** Calls `listener` after every change of a world, and when a sandbox is created or deleted. */
  onChange(listener: () => void): void {
    this.changed = listener;
    for (const world of this.all()) world.onChange(listener);
  }

  /** Ends all journal listeners, when the server stops. */
  close(): void {
    for (const world of this.all()) world.journal.close();
  }

  private add(name: string, world: World): void {
    this.sandboxes.set(name, world);
    if (this.changed) world.onChange(this.changed);
    this.changed?.();
  }
}
