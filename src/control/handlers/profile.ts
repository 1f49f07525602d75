import type { Answers, Origin } from '../../core/profiles/answers.ts';
import { shippedProfiles } from '../../core/profiles/load.ts';
import { type Gap, type GapAnswers, gapLedger, sectionTitles } from '../../core/spec/gaps.ts';
import type { World } from '../../core/world/world.ts';
import type { Worlds } from '../../core/world/worlds.ts';
import type { Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { answersFor } from '../profile-options.ts';

type Schemas = components['schemas'];

export const profileHandlers: Handlers<'getProfile' | 'replaceProfile' | 'changeProfile'> = {
  getProfile: ({ world }) => profileOf(world.answers),
  replaceProfile: async ({ world, worlds, body }) => applyProfile(world, worlds, await answersFor(body.profile)),
  changeProfile: async ({ world, worlds, body }) => {
    const changes = body.answers as Partial<GapAnswers>;
    const before = world.answers;
    const name = before.profile.replace(/ \(changed\)$/, '');
    const answers = { ...before.differences(), ...changes };
    const next = await answersFor({ name: `${name} (changed)`, answers });
    return applyProfile(world, worlds, next.changedFrom(before, Object.keys(changes)));
  },
};

async function applyProfile(world: World, { seeds }: Worlds, answers: Answers): Promise<Schemas['Profile']> {
  const { seed, recordings } = world;
  await seeds.prepare({ seed, recordings, answers });
  world.setAnswers(answers, seeds.layer({ seed, recordings, answers }));
  return profileOf(answers);
}

const profileOf = (answers: Answers): Schemas['Profile'] => ({
  name: answers.profile,
  shipped: shippedProfiles(),
  differences: answers.differences(),
  gaps: gapLedger().gaps.map((gap) => describeGap(gap, answers)),
  sections: { ...sectionTitles() },
});

function describeGap(gap: Gap, answers: Answers): Schemas['Gap'] {
  const { id, section, question } = gap;
  return {
    id,
    section,
    question,
    answer: answers.get(id),
    default: gap.default,
    isDefault: answers.isDefault(id),
    origin: originText(answers.originOf(id)),
    ...(gap.answers && { answers: { ...gap.answers } }),
    ...(gap.schema && { schema: gap.schema as Record<string, never> }),
    ...(gap.examples && { examples: [...gap.examples] }),
  };
}

const originText = (origin: Origin): string =>
  origin === 'default'
    ? 'default'
    : `${origin.profile}${origin.learned?.from ? `, learned from ${origin.learned.from}` : ''}`;
