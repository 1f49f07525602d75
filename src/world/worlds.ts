import { ConfigError } from '../spec/config-error.ts';
import type { World } from './world.ts';

/** Name of the world that is served without a path prefix. */
export const mainName = '';

/** What a sandbox may be called. */
export const sandboxName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Every world of one server: the main one, and the sandboxes, made on first use. */
export class Worlds {
  private readonly sandboxes = new Map<string, World>();

  /** @param limit how many sandboxes there may be at once */
  constructor(
    readonly main: World,
    readonly limit = 1000,
  ) {}

  /**
   * The world of that name; a sandbox that is new starts as the main world started.
   * @throws ConfigError when the name is not allowed or there are too many sandboxes
   */
  get(name: string): World {
    if (name === mainName) return this.main;
    const known = this.sandboxes.get(name);
    if (known) return known;
    if (!sandboxName.test(name))
      throw new ConfigError([`${name} is no name for a sandbox: letters, digits, . _ - (64 at most)`]);
    if (this.sandboxes.size >= this.limit)
      throw new ConfigError([`there are ${this.limit} sandboxes already, which is the limit`]);
    const world = this.main.fresh();
    this.sandboxes.set(name, world);
    return world;
  }

  /** The main world and every sandbox. */
  all(): World[] {
    return [this.main, ...this.sandboxes.values()];
  }

  /** Number of sandboxes. */
  get count(): number {
    return this.sandboxes.size;
  }
}
