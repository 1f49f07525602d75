import { type Fault, faults } from '../core/faults/index.ts';
import { didYouMean } from '../core/profiles/did-you-mean.ts';
import { invalid, mostDetails } from './refusal.ts';

/**
 * The ids, where the catalogue has them all.
 * @throws Refusal naming those that it has not, and what is near
 */
export function checkedFaults(ids: readonly string[]): readonly string[] {
  const unknown = ids.filter((id) => !faults.some((fault) => fault.id === id));
  if (unknown.length === 0) return ids;
  throw invalid(
    unknown.slice(0, mostDetails).map((id) => ({
      field: 'faults',
      message: `there is no fault ${id.slice(0, 100)}`,
      allowed: `GET /_mock/faults lists them${near(id)}`,
      example: [faults[0]?.id],
    })),
  );
}

/** The fault of that id. */
export const faultOf = (id: string): Fault | undefined => faults.find((fault) => fault.id === id);

/** What was probably meant by an id that there is not. */
export const near = (id: string): string =>
  didYouMean(
    id,
    faults.map((fault) => fault.id),
  );
