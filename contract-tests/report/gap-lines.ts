import type { GapResult } from '../model.ts';
import { count } from './text.ts';

/** Maximum gaps listed by name, so that the summary fits on one screen. */
const MAX_NAMED = 6;

/**
 * The gaps in a few lines: how many of each outcome, then what differs, or only its names where that is much. The whole
 * ledger is in the reports, and `learn` writes it down as a profile.
 */
export function gapLines(gaps: readonly GapResult[], observable: (id: string) => boolean): string[] {
  const probed = gaps.filter(({ id }) => observable(id));
  if (probed.every(({ outcome, evidence }) => outcome === 'undetermined' && !evidence)) return [];
  const of = (outcome: GapResult['outcome']): GapResult[] => probed.filter((gap) => gap.outcome === outcome);
  const names = (some: readonly GapResult[]): string => some.map(({ id }) => id).join(' ');
  const [differing, undetermined] = [of('differs'), of('undetermined')];
  return [
    `${count(probed.length, 'gap')} observed: ${of('match').length} as assumed, ${differing.length} differ, ${undetermined.length} undetermined (none of them gates)`,
    ...(differing.length > MAX_NAMED
      ? [`  differ: ${names(differing)}`]
      : differing.map(
          ({ id, assumed, observed }) =>
            `  differs ${id}: assumed ${JSON.stringify(assumed)}, observed ${JSON.stringify(observed)}`,
        )),
    ...(undetermined.length > 0 ? [`  undetermined: ${names(undetermined)}`] : []),
    ...(differing.length > 0 ? ['  `platform-mock learn` writes a profile of what was observed.'] : []),
  ];
}
