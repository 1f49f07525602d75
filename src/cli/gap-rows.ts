import type { Answers } from '../core/profiles/answers.ts';
import { isObject } from '../core/spec/document.ts';
import { answersToTry, type Gap, gapLedger, type Json } from '../core/spec/gaps.ts';

export type GapRow = ReturnType<typeof rowOf>;

export const gapRows = (answers: Answers): GapRow[] => gapLedger().gaps.map((gap) => rowOf(gap, answers));

function rowOf(gap: Gap, answers: Answers) {
  const inForce = answers.get(gap.id) as Json;
  const withMeaning = (answer: Json) => {
    const meaning = gap.answers?.[String(answer)];
    return { answer, ...(meaning !== undefined && { meaning }) };
  };
  return {
    id: gap.id,
    section: gap.section,
    question: gap.question,
    ...withMeaning(inForce),
    from: answers.originOf(gap.id),
    /** The other answers, or examples if they are not enumerable. */
    alternatives: answersToTry(gap)
      .filter((answer) => JSON.stringify(answer) !== JSON.stringify(inForce))
      .map(withMeaning),
    closed: gap.schema === undefined || gap.schema.enum !== undefined,
    /** Whether it can be observed over HTTP; `reason` says why not. */
    observable: gap.observable !== false,
    ...(gap.reason !== undefined && { reason: gap.reason }),
  };
}

export function showAnswer(answer: Json): string {
  if (isObject(answer)) return JSON.stringify(answer);
  if (!Array.isArray(answer)) return String(answer);
  return answer.length === 0 ? 'none' : answer.join(', ');
}

export function originText(from: GapRow['from']): string {
  if (from === 'default') return 'assumed by default';
  const { profile, learned } = from;
  if (!learned) return `profile ${profile}`;
  const { from: place, at } = learned;
  return `profile ${profile}, learned${place === undefined ? '' : ` from ${place}`}${at === undefined ? '' : ` at ${at}`}`;
}
