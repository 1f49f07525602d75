import { apiFor } from '../server/http/api.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { loadProfile, shippedProfiles } from '../server/files/profile-file.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { type GapAnswers, gapLedger } from '../core/spec/gaps.ts';
import type { components } from './control-types.ts';
import { invalid, type RefusalDetail } from './refusal.ts';

/**
 * The answers that a client wishes for, compiled, so that taking them up can no longer fail.
 * @throws Refusal naming the gaps, and what may be answered
 */
export async function answersFor(wish: components['schemas']['ProfileSource']): Promise<Answers> {
  if (typeof wish === 'string' && !shippedProfiles().includes(wish)) {
    throw invalid([
      {
        field: 'profile',
        message: 'there is no shipped profile of that name',
        allowed: `${shippedProfiles().join(', ')}, or { answers: … }`,
        example: 'strict',
      },
    ]);
  }
  try {
    const answers = loadProfile(
      typeof wish === 'string'
        ? wish
        : { name: wish.name ?? 'control plane', answers: wish.answers as Partial<GapAnswers> },
    );
    await apiFor(answers);
    return answers;
  } catch (error) {
    if (error instanceof ConfigError) throw invalid(error.reasons.map(detailOf));
    throw error;
  }
}

/** `profile x: answers.error-body: "y" is no answer …` */
function detailOf(reason: string): RefusalDetail {
  const [, id = '', message = reason] = /answers\.([\w-]+): (.*)$/s.exec(reason) ?? [];
  const gap = gapLedger().gaps.find((one) => one.id === id);
  return {
    field: id === '' ? 'answers' : `answers.${id}`,
    message,
    ...(gap && { example: gap.examples?.[0] ?? gap.default }),
  };
}
