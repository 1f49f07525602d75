import { type Fault, faults } from '../core/faults/index.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { invalid, maxDetails } from './refusal.ts';

/**
 * Checks that all ids are in the catalogue, and returns them.
 * @throws Refusal naming the unknown ones, with suggestions
 */
export function checkedFaults(ids: readonly string[]): readonly string[] {
  const unknown = ids.filter((id) => !faults.some((fault) => fault.id === id));
  if (unknown.length === 0) return ids;
  throw invalid(
    unknown.slice(0, maxDetails).map((id) => ({
      field: 'faults',
      message: `there is no fault ${id.slice(0, 100)}`,
      allowed: `GET /_mock/faults lists them${suggestionFor(id)}`,
      example: [faults[0]?.id],
    })),
  );
}

/** The fault of that id. */
export const faultOf = (id: string): Fault | undefined => faults.find((fault) => fault.id === id);

/** `; did you mean …?` for an unknown id, or nothing. */
export const suggestionFor = (id: string): string =>
  didYouMean(
    id,
    faults.map((fault) => fault.id),
  );
