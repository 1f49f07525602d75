import { version } from '../../core/generated/data.js';
import { handle } from '../../core/handle.ts';
import { publishedFor } from '../../core/publish/publish.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { components } from '../../core/spec/control-types.ts';
import { splitOf } from '../../core/upstream-split.ts';
import { personasOf } from '../../core/world/personas.ts';
import type { User } from '../../core/world/records.ts';
import type { Upstream, World } from '../../core/world/world.ts';
import { baseUrlOf, type Call, type Handlers } from '../call.ts';
import { servedDocument } from '../document.ts';
import { notFound, Refusal } from '../refusal.ts';
import { actorOf, targetOf } from '../target.ts';

/** Maximum number of listed users: SSO may provision any number. */
const maxPersonas = 100;

export const aboutHandlers = {
  // Who had to send a control token cannot send that of an actor as well.
  getTarget: (call) =>
    targetOf(call.world, baseUrlOf(call, call.worldName), call.request.headers.authorization === undefined),
  getInfo: (call) => infoOf(call),
  getControlDocument: (call) => servedDocument(`${baseUrlOf(call, call.worldName)}/_mock`) as never,
  getApiDocument: async (call) => {
    const { world } = call;
    const document = await publishedFor(world, handle, baseUrlOf(call, call.worldName));
    if (!world.hasRoutes) return document as never;
    const { withRoutes } = await import('../../core/custom-routes/document.ts');
    return withRoutes(document, world) as never;
  },
  listPersonas: ({ world }) => {
    const { admin, member, others } = personasOf(world);
    const persona = (user: User, actor?: 'admin' | 'member') => ({
      user: user.id,
      username: user.username,
      email: user.email,
      tenant: user.tenant,
      administrator: user.administrator,
      confirmed: user.confirmed,
      ...(actor && { actor }),
      ...actorOf(world, user),
    });
    return [
      ...(admin ? [persona(admin, 'admin')] : []),
      ...(member ? [persona(member, 'member')] : []),
      ...others.slice(0, maxPersonas).map((user) => persona(user)),
    ];
  },
  splitUpstream: (call) => {
    const { worlds, body } = call;
    const upstream = upstreamOf(call);
    try {
      upstream.split = splitOf(worlds.main, body);
    } catch (error) {
      if (error instanceof ConfigError) throw new Refusal('invalid', `${error.message}.`);
      throw error;
    }
    return shown(upstream);
  },
} satisfies Partial<Handlers>;

export function infoOf(
  call: Pick<Call, 'world' | 'worlds' | 'worldName' | 'serverUrl'>,
): components['schemas']['Info'] {
  const { world, worlds, worldName } = call;
  const { tenants, users, recordings, apiKeys, pats, refreshTokens } = world.store;
  const { upstream } = worldName === '' ? worlds.services : {};
  return {
    name: 'platform-mock',
    version,
    world: worldName === '' ? 'main' : worldName,
    baseUrl: baseUrlOf(call, worldName),
    profile: world.answers.profile,
    seed: world.seed,
    faults: world.arms.map(({ id }) => id),
    time: world.clock.nowIso(),
    frozen: world.clock.isFrozen,
    offsetMilliseconds: Math.round(world.clock.ahead),
    counts: {
      tenants: tenants.size,
      users: users.size,
      recordings: recordings.size,
      apiKeys: apiKeys.size,
      pats: pats.size,
      refreshTokens: refreshTokens.size,
    },
    snapshots: [...world.snapshots].map(([name, snapshot]) => describeSnapshot(name, snapshot)),
    sandboxes: worlds.count,
    ownViolations: world.ownViolations,
    ...(upstream && { upstream: shown(upstream) }),
  };
}

export const describeSnapshot = (
  name: string,
  { image, takenAt }: NonNullable<ReturnType<World['snapshots']['get']>>,
): components['schemas']['Snapshot'] => ({
  name,
  takenAt: new Date(takenAt).toISOString(),
  profile: image.answers.profile,
  seed: image.seed,
  changes: [...image.store.values()].reduce((sum, changes) => sum + changes.size, 0),
});

function upstreamOf({ worlds, worldName }: Pick<Call, 'worlds' | 'worldName'>): Upstream {
  if (worldName !== '') throw notFound('Only the main world has a service behind it, which this sandbox has not.');
  if (worlds.services.upstream) return worlds.services.upstream;
  throw notFound('No service is behind this mock. Name one at its start: serve --upstream URL.');
}

export const shown = ({ url, allowsWrites, split }: Upstream): components['schemas']['Upstream'] => ({
  url,
  allowsWrites,
  only: [...(split.only ?? [])],
  ...(split.mockOnly && { mockOnly: [...split.mockOnly] }),
});
