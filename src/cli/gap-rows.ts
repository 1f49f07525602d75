import type { Answers, Learned } from '../core/profiles/answers.ts';
import { isObject } from '../core/spec/document.ts';
import { answersToTry, type Gap, gapLedger, type Json } from '../core/spec/gaps.ts';

export interface GapRow extends Pick<Gap, 'id' | 'section' | 'question' | 'reason'> {
  readonly answer: Json;
  readonly meaning?: string;
  /** `default`, or the name of the profile. */
  readonly from: 'default' | { readonly profile: string; readonly learned?: Learned };
  /** The other answers, or examples if they are not enumerable. */
  readonly alternatives: readonly { readonly answer: Json; readonly meaning?: string }[];
  readonly closed: boolean;
  /** Whether it can be observed over HTTP; `reason` says why not. */
  readonly observable: boolean;
}

export const gapRows = (answers: Answers): GapRow[] => gapLedger().gaps.map((gap) => rowOf(gap, answers));

function rowOf(gap: Gap, answers: Answers): GapRow {
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
    alternatives: answersToTry(gap)
      .filter((answer) => JSON.stringify(answer) !== JSON.stringify(inForce))
      .map(withMeaning),
    closed: gap.schema === undefined || gap.schema.enum !== undefined,
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
