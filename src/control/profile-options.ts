import { apiFor } from '../core/api.ts';
import type { Answers } from '../core/profiles/answers.ts';
import { answersFrom, shippedProfiles } from '../core/profiles/load.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import { type GapAnswers, gapLedger } from '../core/spec/gaps.ts';
import type { components } from './control-types.ts';
import { invalid, type RefusalDetail } from './refusal.ts';

/** The requested answers, compiled, so that applying them cannot fail; throws Refusal naming the gaps and allowed answers. */
export async function answersFor(source: components['schemas']['ProfileSource']): Promise<Answers> {
  if (typeof source === 'string' && !shippedProfiles().includes(source)) {
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
