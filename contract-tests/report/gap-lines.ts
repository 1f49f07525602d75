import type { GapResult } from '../model.ts';

/** The gaps in a few lines: how many of each outcome, what differs, and what could not be told, one line a cause. */
export function gapLines(gaps: readonly GapResult[], observable: (id: string) => boolean): string[] {
  const probed = gaps.filter(({ id }) => observable(id));
  if (probed.every(({ outcome, evidence }) => outcome === 'undetermined' && !evidence)) return [];
  const of = (outcome: GapResult['outcome']): GapResult[] => probed.filter((gap) => gap.outcome === outcome);
  const byReason = new Map<string, string[]>();
  for (const { id, reason = '' } of of('undetermined')) byReason.set(reason, [...(byReason.get(reason) ?? []), id]);
  return [
    `${probed.length} gaps observed: ${of('match').length} match, ${of('differs').length} differ, ${of('undetermined').length} undetermined`,
    ...of('differs').map(
      ({ id, assumed, observed }) =>
        `  differs ${id}: assumed ${JSON.stringify(assumed)}, observed ${JSON.stringify(observed)}`,
    ),
    ...[...byReason].map(([reason, ids]) => `  undetermined ${ids.join(' ')}: ${reason}`),
  ];
}
