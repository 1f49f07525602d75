import { apiFor } from '../../core/api.ts';
import type { Answers, Origin } from '../../core/profiles/answers.ts';
import { answersFrom, shippedProfiles } from '../../core/profiles/load.ts';
import { Slices } from '../../core/slices.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { components } from '../../core/spec/control-types.ts';
import { type Gap, type GapAnswers, gapLedger, sectionTitles } from '../../core/spec/gaps.ts';
import type { Journal } from '../../core/world/journal.ts';
import type { World } from '../../core/world/world.ts';
import type { Worlds } from '../../core/world/worlds.ts';
import type { Handlers } from '../call.ts';
import { invalid, invalidField, type RefusalDetail } from '../refusal.ts';
import { lookBytes } from './journal.ts';

type Schemas = components['schemas'];

export const profileHandlers = {
  getProfile: ({ world }) => profileOf(world),
  replaceProfile: async ({ world, worlds, body }) => applyProfile(world, worlds, await answersFor(body.profile)),
  changeProfile: async ({ world, worlds, body }) => {
    const changes = body.answers as Partial<GapAnswers>;
    const before = world.answers;
    const name = before.profile.replace(/ \(changed\)$/, '');
    const answers = { ...before.differences(), ...changes };
    const next = await answersFor({ name: `${name} (changed)`, answers });
    return applyProfile(world, worlds, next.changedFrom(before, Object.keys(changes)));
  },
} satisfies Partial<Handlers>;

async function applyProfile(world: World, { seeds }: Worlds, answers: Answers): Promise<Schemas['Profile']> {
  const { seed, recordings } = world;
  world.setAnswers(answers, await seeds.prepare({ seed, recordings, answers }));
  return profileOf(world);
}

async function profileOf({ answers, journal }: World): Promise<Schemas['Profile']> {
  const decided = await decidedBy(journal);
  return {
    name: answers.profile,
    shipped: shippedProfiles(),
    differences: answers.differences(),
    gaps: gapLedger().gaps.map((gap) => describeGap(gap, answers, decided.get(gap.id) ?? [])),
    isComplete: journal.total === journal.numbers().length,
    sections: { ...sectionTitles() },
  };
}

/** Gap -> of each response in the journal that it decided, the operation. */
async function decidedBy(journal: Journal): Promise<ReadonlyMap<string, readonly (string | undefined)[]>> {
  const slices = new Slices();
  const found = new Map<string, (string | undefined)[]>();
  for (const number of journal.numbers()) {
    await slices.spend(lookBytes);
    const { gaps = [], operation } = journal.get(number) ?? {};
    for (const { id } of gaps) {
      const decided = found.get(id) ?? [];
      found.set(id, decided);
      decided.push(operation);
    }
  }
  return found;
}

function describeGap(gap: Gap, answers: Answers, decided: readonly (string | undefined)[]): Schemas['Gap'] {
  const { id, section, question } = gap;
  return {
    id,
    section,
    question,
    answer: answers.get(id),
    default: gap.default,
    isDefault: answers.isDefault(id),
    isAssumed: answers.originOf(id) === 'default',
    origin: originText(answers.originOf(id)),
    operations: [...new Set(decided)].filter((operation) => operation !== undefined).sort(),
    responses: decided.length,
    ...(gap.answers && { answers: { ...gap.answers } }),
    ...(gap.schema && { schema: gap.schema as Record<string, never> }),
    ...(gap.examples && { examples: [...gap.examples] }),
  };
}

const originText = (origin: Origin): string =>
  origin === 'default'
    ? 'default'
    : `${origin.profile}${origin.learned?.from ? `, learned from ${origin.learned.from}` : ''}`;

/** The requested answers, compiled, so that applying them cannot fail; throws Refusal naming the gaps and allowed answers. */
export async function answersFor(source: components['schemas']['ProfileSource']): Promise<Answers> {
  if (typeof source === 'string' && !shippedProfiles().includes(source))
    throw invalidField('profile', 'there is no shipped profile of that name', {
      allowed: `${shippedProfiles().join(', ')}, or { answers: … }`,
      example: 'strict',
    });
  try {
    const answers = answersFrom(
      typeof source === 'string'
        ? source
        : { name: source.name ?? 'control plane', answers: source.answers as Partial<GapAnswers> },
    );
    await apiFor(answers);
    return answers;
  } catch (error) {
    if (error instanceof ConfigError) throw invalid(error.reasons.map(detailOf));
    throw error;
  }
}

/** Parses `profile x: answers.error-body: "y" is not an answer …`. */
function detailOf(reason: string): RefusalDetail {
  const [, id = '', message = reason] = /answers\.([\w-]+): (.*)$/s.exec(reason) ?? [];
  const gap = gapLedger().gaps.find((one) => one.id === id);
  return {
    field: id === '' ? 'answers' : `answers.${id}`,
    message,
    ...(gap && { example: gap.examples?.[0] ?? gap.default }),
  };
}
