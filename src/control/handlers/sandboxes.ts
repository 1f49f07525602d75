import { LimitError } from '../../core/spec/config-error.ts';
import { initialImage, type WorldImage } from '../../core/world/image.ts';
import { rebased } from '../../core/world/state.ts';
import { baseUrlOf, type Call, type Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { faultsToArm } from '../fault-options.ts';
import { answersFor } from '../profile-options.ts';
import { invalid, notFound, Refusal } from '../refusal.ts';
import { limitRecordings } from '../sandbox-limits.ts';
import { snapshotOf } from './snapshots.ts';

type Schemas = components['schemas'];

/** The sandboxes of the server. */
export const sandboxHandlers: Handlers<
  'listSandboxes' | 'deleteSandboxes' | 'openSandbox' | 'getSandbox' | 'createSandbox' | 'deleteSandbox'
> = {
  listSandboxes: (call) => ({
    limit: call.worlds.limit,
    sandboxes: [...call.worlds.named()].map(([name]) => describe(call, name)),
  }),
  deleteSandboxes: ({ worlds }) => {
    for (const [name] of [...worlds.named()]) worlds.delete(name);
    return undefined;
  },
  openSandbox: async (call) => {
    const { sandboxRules: rules } = call.worlds.services;
    const { from, recordings } = call.body ?? {};
    if (rules && from) throw invalid([{ field: 'from', message: 'is not allowed at a public mock' }]);
    limitRecordings(call, recordings);
    const name = randomName();
    const image = await imageFor(call, call.body ?? {});
    makeOrRefuse(call, name, image);
    return opened(call, name);
  },
  getSandbox: (call) => describe(call, call.params.sandbox),
  createSandbox: async (call) => {
    const image = await imageFor(call, call.body ?? {});
    call.worlds.make(call.params.sandbox, image);
    return opened(call, call.params.sandbox);
  },
  deleteSandbox: ({ worlds, params }) => {
    if (!worlds.delete(params.sandbox)) throw noSuchSandbox(params.sandbox);
    return undefined;
  },
};

/** A sandbox for whoever made it: at a public mock with its key. */
function opened(call: Pick<Call, 'worlds' | 'serverUrl'>, name: string): Schemas['Sandbox'] {
  const { sandboxRules: rules } = call.worlds.services;
  return { ...describe(call, name), ...(rules && { key: rules.keyOf(name) }) };
}

/** Nobody can guess the name, so nobody else uses it. 130 bits, in letters and digits. */
function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26));
  return `s${Array.from(bytes, (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'[byte & 31]).join('')}`;
}

/** @throws Refusal too_many at a public mock, where nobody can make room */
function makeOrRefuse({ worlds, headers }: Call<'openSandbox'>, name: string, image: WorldImage): void {
  try {
    worlds.make(name, image);
  } catch (error) {
    if (!(error instanceof LimitError) || !worlds.services.sandboxRules) throw error;
    headers['Retry-After'] = '600';
    throw new Refusal('too_many', 'This mock has no room for another sandbox now; unused ones expire.');
  }
}

const noSuchSandbox = (name: string): Refusal =>
  notFound(`There is no sandbox ${name}; GET /_mock/sandboxes lists them, and its first use creates one.`);

function describe(call: Pick<Call, 'worlds' | 'serverUrl'>, name: string): Schemas['Sandbox'] {
  const world = call.worlds.find(name);
  if (!world) throw noSuchSandbox(name);
  return {
    name,
    baseUrl: baseUrlOf(call, name),
    profile: world.answers.profile,
    seed: world.seed,
    changes: world.store.changeCount,
    requests: world.journal.total,
  };
}

/** The initial image of a sandbox with these options. */
async function imageFor(
  call: Call<'createSandbox' | 'openSandbox'>,
  options: Schemas['SandboxOptions'],
): Promise<WorldImage> {
  const base = options.from ? forkedImage(call, options) : call.worlds.main.origin;
  const arms = options.faults && faultsToArm(options.faults);
  const answers = options.profile === undefined ? base.answers : await answersFor(options.profile);
  const { seed = base.seed, recordings = base.recordings } = options;
  const isUnchanged = answers === base.answers && seed === base.seed && recordings === base.recordings;
  if (isUnchanged) return arms ? { ...base, arms } : base;
  await call.worlds.seeds.prepare(recordings);
  const seedLayer = call.worlds.seeds.layer({ seed, recordings, answers });
  const image = options.from
    ? rebased(base, answers, seedLayer)
    : initialImage({ seed, recordings, answers, seedLayer });
  return { ...image, arms: arms ?? base.arms };
}

/** @throws Refusal */
function forkedImage(
  { worlds, world }: Call<'createSandbox' | 'openSandbox'>,
  { from, seed, recordings }: Schemas['SandboxOptions'],
): WorldImage {
  for (const [field, value] of Object.entries({ seed, recordings })) {
    if (value !== undefined)
      throw invalid([{ field, message: 'cannot be combined with from: a fork has the records of its source' }]);
  }
  const name = from?.sandbox;
  const source = name === undefined ? world : worlds.find(name === 'main' ? '' : name);
  if (!source) throw noSuchSandbox(name ?? '');
  return from?.snapshot === undefined ? source.image() : snapshotOf(source, from.snapshot).image;
}
