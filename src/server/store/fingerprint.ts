import { createHash } from 'node:crypto';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { WorldImage } from '../../core/world/image.ts';
import type { Worlds } from '../../core/world/worlds.ts';
import type { Address } from './address.ts';
import type { RedisLink } from './link.ts';
import { imageState } from './world-state.ts';

/** Version of what scripts and this code keep in Redis: replicas of different versions do not understand each other. */
const formatVersion = 2;

/**
 * What replicas must have in common, by name: seed, answers, faults, and initial records and routes. Values are short, and equal
 * if these are equal.
 */
function fingerprintOf(start: WorldImage, { services }: Worlds): Readonly<Record<string, string>> {
  const { profile, arms, ...plain } = JSON.parse(imageState(start)) as Record<string, unknown>;
  const { tenants, users, recordings, apiKeys } = start.seedLayer;
  const layers = [tenants, users, recordings, apiKeys].map((layer) => {
    const written: unknown[] = [];
    for (const id of layer.ids()) {
      // Invented records follow from the seed; there may be a million.
      if (written.length >= layer.size - layer.invented) break;
      written.push(layer.get(id));
    }
    return [layer.size, written];
  });
  const { routes, tables } = services.routes.set;
  return {
    format: String(formatVersion),
    '--seed': String(start.seed),
    '--recordings': String(start.recordings ?? ''),
    '--profile': hash([profile, start.answers.all]),
    '--fault': hash(arms),
    '--fixtures': hash([layers, plain.changes]),
    '--routes': hash([
      routes.map(({ method, path, auth, override, times }) => [method, path, auth, override, times]),
      [...tables],
    ]),
  };
}

const hash = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);

/** The names whose values differ. */
const differencesOf = (ours: Readonly<Record<string, string>>, theirs: string): string[] => {
  const known = JSON.parse(theirs) as Readonly<Record<string, string>>;
  return Object.keys({ ...known, ...ours }).filter((name) => known[name] !== ours[name]);
};

/** @throws ConfigError naming the options that differ from those of other replicas */
export async function requireSameOptions(link: RedisLink, { prefix, shown }: Address, worlds: Worlds): Promise<void> {
  const ours = fingerprintOf(worlds.main.origin, worlds);
  const key = `${prefix}options`;
  await link.call(key, ['SET', key, JSON.stringify(ours), 'NX']);
  const differing = differencesOf(ours, String(await link.call(key, ['GET', key])));
  if (differing.length > 0)
    throw new ConfigError([
      `the store ${shown} belongs to a mock with other options (${differing.join(', ')}): start all replicas with the same ones, or use another prefix: ?prefix=NAME:`,
    ]);
}
