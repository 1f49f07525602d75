import { groupBy } from '../values/group.ts';
import type { Difference } from './compare.ts';

export interface Cause {
  /** The difference that the others follow from, or what they have in common. */
  text: string;
  differences: Difference[];
}

/** Gaps whose answer shows in how a request is answered: which requests, and what about their answers. */
const SHOWN_IN: { gap: string; request: RegExp; answer: RegExp }[] = [
  { gap: 'error-body', request: /./, answer: /^in [45]\d\d |\b([45]\d\d) \S+ at A, \1 / },
  { gap: 'login-response', request: /^POST \/v1\/auth\/login/, answer: /^in 2/ },
  { gap: 'refresh-response', request: /\{refresh-path\}/, answer: /^in 2/ },
  { gap: 'pat-create-response', request: /^POST \/v1\/api-tokens/, answer: /^in 2/ },
  { gap: 'scopes-response', request: /\{scopes-path\}/, answer: /^in 2/ },
  { gap: 'success-codes', request: /^POST /, answer: /^answered 2\d\d .* at A, 2\d\d/ },
  { gap: 'extra-fields', request: /./, answer: /^in 2.* only$/ },
];

/** The differences by their causes: a gap that is answered differently explains those of the answers in which it shows. */
export function causesOf(differences: readonly Difference[]): Cause[] {
  const gaps = differences.filter(({ kind }) => kind === 'gap');
  const causes = groupBy(differences, (difference) => {
    const { kind, what, text } = difference;
    return kind === 'exchange' ? (explaining(difference, gaps)?.text ?? what) : text;
  });
  return [...causes].map(([text, ofCause]): Cause => ({ text, differences: ofCause }));
}

function explaining({ id, what }: Difference, gaps: readonly Difference[]): Difference | undefined {
  const statuses = /^answered (\d{3}) .*at A, (\d{3}) /.exec(what);
  const byStatus = gaps.find((gap) => statuses && gap.what === `${statuses[1]} at A, ${statuses[2]} at B`);
  if (byStatus) return byStatus;
  const rule = SHOWN_IN.find(
    ({ gap, request, answer }) => request.test(id) && answer.test(what) && gaps.some((one) => one.id === gap),
  );
  return rule && gaps.find(({ id: gap }) => gap === rule.gap);
}
