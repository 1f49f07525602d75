import { createHash } from 'node:crypto';
import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import type { WorldImage } from '../../core/world/state.ts';
import type { Worlds } from '../../core/world/worlds.ts';
import type { Address } from './address.ts';
import type { RedisLink } from './link.ts';
import { imageState, ours } from './world-state.ts';

/** Version of what scripts and this code keep in Redis: replicas of different versions do not understand each other. */
const formatVersion = 9;

/** Options that worlds do not show. */
export interface OwnOptions {
  /** Life of an unused sandbox. */
  readonly idleMs: number;
  readonly latency: number;
}

/** What replicas must have in common, by name. Values are short, and equal if these are equal. */
function fingerprintOf(start: WorldImage, { services, limit }: Worlds, { idleMs, latency }: OwnOptions) {
  const { profile, arms, ...plain } = JSON.parse(imageState(start)) as Record<string, unknown>;
  const { tenants, users, recordings, apiKeys } = start.seedLayer;
  // Without invented records, which follow from the seed.
  const layers = [tenants, users, recordings, apiKeys].map((layer) => [layer.size, [...layer.values()]]);
  return {
    format: String(formatVersion),
    '--seed': String(start.seed),
    '--recordings': String(start.recordings ?? ''),
    '--profile': hash([profile, start.answers.all]),
    '--fault': hash(arms),
    '--fixtures': hash([layers, plain.changes]),
    '--routes': hash(services.routes.set.sources),
    '--sandboxes': String(limit),
    '--sandbox-ttl': String(idleMs),
    '--latency': String(latency),
  };
}

/** Functions count by their text. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, member: unknown) => (typeof member === 'function' ? String(member) : member));

const hash = (value: unknown): string => createHash('sha256').update(textOf(value)).digest('base64url').slice(0, 16);

/** The options of this replica, and of those that it shares a store with. */
export class Options {
  private readonly ours: Readonly<Record<string, string>>;
  private readonly key: string;
  readonly hash: string;

  constructor(
    private readonly link: RedisLink,
    readonly address: Address,
    worlds: Worlds,
    readonly own: OwnOptions,
  ) {
    this.ours = fingerprintOf(worlds.main.origin, worlds, own);
    this.key = `${address.prefix}options`;
    this.hash = hash(this.ours).slice(0, 8);
  }

  /** Leaves them in the store for the next replica, unless some are there. */
  async tell(): Promise<void> {
    await this.link.call(this.key, ['SET', this.key, JSON.stringify(this.ours), 'NX']);
  }

  /** Why worlds of replicas with other options are not served, naming these; undefined if there are none. */
  async problem(): Promise<string | undefined> {
    const text = await this.link.call(this.key, ['GET', this.key]);
    const known = ours(this.key, () => JSON.parse(asText(text)) as Readonly<Record<string, string>> | null);
    const differing = Object.keys({ ...known, ...this.ours }).filter(
      (name) => memberOf(known, name) !== memberOf(this.ours, name),
    );
    if (known === null || differing.length === 0) return undefined;
    return `the store ${this.address.shown} belongs to a mock with other options (${differing.join(', ')}): start all replicas with the same ones, or use another prefix: ?prefix=NAME:`;
  }
}
