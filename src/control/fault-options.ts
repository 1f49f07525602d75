import { armsFrom, type Fault, faultOf, faults } from '../core/faults/index.ts';
import { termsAmiss } from '../core/faults/terms.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { ConfigError } from '../core/spec/config-error.ts';
import type { FaultArm } from '../core/world/fault-arms.ts';
import { invalid, notFound } from './refusal.ts';

/**
 * Faults as options write them.
 * @throws Refusal naming the unusable ones
 */
export function faultsToArm(written: readonly string[]): readonly FaultArm[] {
  try {
    return armsFrom(written);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const example = [faults[0]?.id, 'delay:ms=800;times=3'];
    throw invalid([{ field: 'faults', message: error.message, allowed: 'GET /_mock/faults lists them', example }]);
  }
}

/** @throws Refusal with suggestions */
export function requireFault(id: string): Fault {
  const fault = faultOf(id);
  if (fault) return fault;
  const known = faults.map((one) => one.id);
  throw notFound(`There is no fault ${id}; GET /_mock/faults lists them${didYouMean(id, known)}.`);
}

/** @throws Refusal naming terms of other faults */
export function checkTerms(fault: Fault, terms: Readonly<Record<string, unknown>>): void {
  const amiss = termsAmiss(fault, terms);
  if (amiss.length > 0) throw invalid(amiss);
}
