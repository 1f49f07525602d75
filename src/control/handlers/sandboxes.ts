import { armsFrom } from '../../core/faults/arms.ts';
import { faults } from '../../core/faults/index.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { components } from '../../core/spec/control-types.ts';
import { type FaultArm, initialImage, rebased, type WorldImage } from '../../core/world/state.ts';
import type { World } from '../../core/world/world.ts';
import { mainName } from '../../core/world/worlds.ts';
import { baseUrlOf, type Call, type Handlers } from '../call.ts';
import { invalidField, notFound, Refusal } from '../refusal.ts';
import { describeSnapshot, infoOf } from './about.ts';
import { answersFor } from './profile.ts';

type Schemas = components['schemas'];

export const sandboxHandlers = {
  reset: async (call) => {
    const { world, body, query } = call;
    const { keep, ...start } = body ?? {};
    if (Object.keys(start).length === 0) world.reset(keep);
    else if (keep) throw invalidField('keep', 'can be combined neither with from nor with seed or recordings');
    else if (start.from) {
      const { sandbox, snapshot } = start.from;
      const isOwn = sandbox === undefined && snapshot !== undefined;
      world.restore(forkedImage(call, start), isOwn ? { restored: snapshot } : 'whole');
    } else await restart(call, start);
    if (query.journal) world.journal.clear();
    return infoOf(call);
  },
  listSandboxes: async (call) => {
    const { worlds, query } = call;
    const { after = '', limit = 1000 } = query;
    const page = await worlds.index.page(after, limit);
    const next = page.length === limit ? page.at(-1)?.name : undefined;
    const sandboxes = page.map((each) => ({ ...each, baseUrl: baseUrlOf(call, each.name) }));
    return { limit: worlds.limit, total: worlds.count, sandboxes, ...(next !== undefined && { next }) };
  },
  deleteSandboxes: async ({ worlds }) => void (await worlds.index.deleteAll()),
  createSandbox: async (call) => {
    const image = await imageFor(call, call.body ?? {});
    call.worlds.make(call.params.sandbox, image);
    return describe(call, call.params.sandbox);
  },
  deleteSandbox: async ({ worlds, params }) => {
    if (!worlds.delete(params.sandbox)) throw noSuchSandbox(params.sandbox);
  },
  takeSnapshot: ({ world, params: { snapshot: name } }) => {
    if (!world.snapshots.has(name) && world.snapshots.size >= maxSnapshots)
      throw new Refusal(
        'limit',
        `There are ${maxSnapshots} snapshots in this world already, which is the limit; DELETE /_mock/snapshots/NAME makes room.`,
      );
    world.takeSnapshot(name);
    return describeSnapshot(name, snapshotOf(world, name));
  },
  deleteSnapshot: async ({ world, params }) => {
    snapshotOf(world, params.snapshot);
    world.deleteSnapshot(params.snapshot);
  },
} satisfies Partial<Handlers>;

/** Starts the world again, under its answers and faults, with records of another seed or in another number. */
async function restart(
  { world, worlds }: Pick<Call, 'world' | 'worlds'>,
  { seed = world.seed, recordings = world.recordings }: Pick<Schemas['SandboxOptions'], 'seed' | 'recordings'>,
): Promise<void> {
  const { answers, arms } = world;
  const seedLayer = await worlds.seeds.prepare({ seed, recordings, answers });
  world.restart(initialImage({ seed, recordings, answers, seedLayer, arms }));
}

const noSuchSandbox = (name: string): Refusal =>
  notFound(`There is no sandbox ${name}; GET /_mock/sandboxes lists them, and its first use creates one.`);

function describe(call: Pick<Call, 'worlds' | 'serverUrl'>, name: string): Schemas['Sandbox'] {
  const summary = call.worlds.summary(name);
  if (!summary) throw noSuchSandbox(name);
  return { ...summary, baseUrl: baseUrlOf(call, name) };
}

async function imageFor(call: Call<'createSandbox'>, options: Schemas['SandboxOptions']): Promise<WorldImage> {
  const base = options.from ? forkedImage(call, options) : call.worlds.startImage();
  const arms = options.faults && faultsToArm(options.faults);
  const answers = options.profile === undefined ? base.answers : await answersFor(options.profile);
  const { seed = base.seed, recordings = base.recordings } = options;
  const isUnchanged = answers === base.answers && seed === base.seed && recordings === base.recordings;
  if (isUnchanged) return arms ? { ...base, arms } : base;
  const seedLayer = await call.worlds.seeds.prepare({ seed, recordings, answers });
  const image = options.from
    ? rebased(base, answers, seedLayer)
    : initialImage({ seed, recordings, answers, seedLayer });
  return { ...image, arms: arms ?? base.arms };
}

function faultsToArm(written: readonly string[]): readonly FaultArm[] {
  try {
    return armsFrom(written);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const example = [faults[0]?.id, 'delay:ms=800;times=3'];
    throw invalidField('faults', error.message, { allowed: 'GET /_mock/faults lists them', example });
  }
}

function forkedImage(
  { worlds, world }: Pick<Call, 'world' | 'worlds'>,
  { from, seed, recordings }: Schemas['SandboxOptions'],
): WorldImage {
  for (const [field, value] of Object.entries({ seed, recordings })) {
    if (value !== undefined)
      throw invalidField(field, 'cannot be combined with from: a fork has the records of its source');
  }
  const named = from?.sandbox;
  if (named === 'main' && worlds.find('main'))
    throw invalidField(
      'from.sandbox',
      'names the main world and a sandbox: take a snapshot in the one you mean, and name it in from.snapshot at the /_mock of that one',
    );
  const source = named === undefined ? world : worlds.find(named === 'main' ? mainName : named);
  if (!source) throw noSuchSandbox(named ?? '');
  return from?.snapshot === undefined ? source.image() : snapshotOf(source, from.snapshot).image;
}

const maxSnapshots = 100;

function snapshotOf(world: World, name: string) {
  const snapshot = world.snapshots.get(name);
  if (snapshot) return snapshot;
  const known = [...world.snapshots.keys()].join(', ');
  throw notFound(`There is no snapshot ${name}; this world has ${known === '' ? 'none' : known}.`);
}
