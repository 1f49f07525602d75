import type { GapResult } from '../model.ts';
import { loadGaps } from '../spec-data.ts';

/** Whether an observed answer rests on a request that was refused as invalid: the ledger words it so. */
function isRefusedAsInvalid({ id, observed }: GapResult): boolean {
  const gap = loadGaps().find((one) => one.id === id);
  return gap?.answers?.[String(observed)]?.includes('refused as invalid') ?? false;
}

/**
 * Compares the observed answers: a target that refuses one invalid request with 400 and another with 422
 * has no single answer to validation-status, so that none is given.
 */
export function crossCheck(gaps: readonly GapResult[]): GapResult[] {
  const validation = gaps.find(({ id }) => id === 'validation-status');
  if (typeof validation?.observed !== 'number') return [...gaps];
  const others = gaps.filter(isRefusedAsInvalid).flatMap(({ id, evidence = [] }) =>
    evidence.flatMap((line) => {
      const status = Number(/-> (\d{3})/.exec(line)?.[1]);
      return [400, 422].includes(status) && status !== validation.observed ? [`${id} ${status}`] : [];
    }),
  );
  if (others.length === 0) return [...gaps];
  const { observed, ...rest } = validation;
  const reason = `invalid requests are refused with more than one status: ${observed}, but ${[...new Set(others)].join(', ')}`;
  return gaps.map((gap) => (gap === validation ? { ...rest, outcome: 'undetermined', reason } : gap));
}
