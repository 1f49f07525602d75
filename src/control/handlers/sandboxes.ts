import { LimitError } from '../../core/spec/config-error.ts';
import { initialImage, type WorldImage } from '../../core/world/image.ts';
import type { ForkSource, SandboxSummary } from '../../core/world/other-worlds.ts';
import { imageOf, rebased } from '../../core/world/state.ts';
import type { World } from '../../core/world/world.ts';
import { mainName, randomSandboxName, type Worlds } from '../../core/world/worlds.ts';
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
  listSandboxes: async (call) => {
    const { worlds } = call;
    const sandboxes = await (worlds.services.others?.sandboxes() ?? summaries(worlds));
    return { limit: worlds.limit, sandboxes: sandboxes.map((one) => shown(call, one)) };
  },
  deleteSandboxes: async ({ worlds }) => {
    await (worlds.services.others?.deleteSandboxes() ?? deleteAll(worlds));
    return undefined;
  },
  openSandbox: async (call) => {
    const { sandboxRules: rules } = call.worlds.services;
    const { from, recordings } = call.body ?? {};
    if (rules && from) throw invalid([{ field: 'from', message: 'is not allowed at a public mock' }]);
    limitRecordings(call, recordings);
    const name = call.request.newSandbox ?? randomSandboxName();
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

/** The sandboxes of this process. */
export const summaries = (worlds: Worlds): SandboxSummary[] =>
  [...worlds.named()].map(([name, world]) => summaryOf(name, world));

const summaryOf = (name: string, { answers, seed, store, journal }: World): SandboxSummary => ({
  name,
  profile: answers.profile,
  seed,
  changes: store.changeCount,
  requests: journal.total,
});

/** Deletes the sandboxes of this process. */
export function deleteAll(worlds: Worlds): void {
  for (const [name] of [...worlds.named()]) worlds.delete(name);
}

const shown = (call: Pick<Call, 'serverUrl'>, { name, ...rest }: SandboxSummary): Schemas['Sandbox'] => ({
  name,
  baseUrl: baseUrlOf(call, name),
  ...rest,
});

function describe(call: Pick<Call, 'worlds' | 'serverUrl'>, name: string): Schemas['Sandbox'] {
  const world = call.worlds.find(name);
  if (!world) throw noSuchSandbox(name);
  return shown(call, summaryOf(name, world));
}

/** The initial image of a sandbox with these options. */
async function imageFor(
  call: Call<'createSandbox' | 'openSandbox'>,
  options: Schemas['SandboxOptions'],
): Promise<WorldImage> {
  const base = options.from ? await forkedImage(call, options) : call.worlds.startImage();
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
async function forkedImage(
  { worlds, worldName }: Call<'createSandbox' | 'openSandbox'>,
  { from, seed, recordings }: Schemas['SandboxOptions'],
): Promise<WorldImage> {
  for (const [field, value] of Object.entries({ seed, recordings })) {
    if (value !== undefined)
      throw invalid([{ field, message: 'cannot be combined with from: a fork has the records of its source' }]);
  }
  const name = from?.sandbox ?? worldName;
  const source: ForkSource = {
    world: from?.sandbox === 'main' ? mainName : name,
    snapshot: from?.snapshot,
    isAddressed: from?.sandbox === undefined,
  };
  const { others } = worlds.services;
  if (!others?.holds(source.world)) return imageHere(worlds, source);
  const answer = await others.imageOf(source);
  if ('missing' in answer) throw notFound(answer.missing);
  await worlds.seeds.prepare(answer.state.recordings);
  return imageOf(answer.state, worlds.seeds);
}

/**
 * The image of a world of this process that a fork starts from.
 * @throws Refusal, ConfigError if there is none
 */
export function imageHere(worlds: Worlds, { world: name, snapshot, isAddressed }: ForkSource): WorldImage {
  const source = isAddressed && name !== mainName ? worlds.sandbox(name) : worlds.find(name);
  if (!source) throw noSuchSandbox(name);
  return snapshot === undefined ? source.image() : snapshotOf(source, snapshot).image;
}
