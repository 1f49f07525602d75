import { type Fault, faults } from '../faults/index.ts';
import { invalid } from './refusal.ts';

/**
 * The ids, where the catalogue has them all.
 * @throws Refusal naming those that it has not, and what is near
 */
export function checkedFaults(ids: readonly string[]): readonly string[] {
  const unknown = ids.filter((id) => !faults.some((fault) => fault.id === id));
  if (unknown.length === 0) return ids;
  throw invalid(
    unknown.map((id) => ({
      field: 'faults',
      message: `there is no fault ${id.slice(0, 100)}`,
      allowed: `GET /_mock/faults lists them${near(id)}`,
      example: [faults[0]?.id],
    })),
  );
}

/** The fault of that id. */
export const faultOf = (id: string): Fault | undefined => faults.find((fault) => fault.id === id);

/** Ids that share a word with one that there is not. */
export function near(id: string): string {
  const words = id.split(/[-_ ]/).filter((word) => word.length > 2);
  const shared = (other: string) =>
    words.filter((word) => other.includes(word)).length + (other.startsWith(words[0] ?? ' ') ? 1 : 0);
  const found = faults
    .filter((fault) => shared(fault.id) > 0)
    .sort((a, b) => shared(b.id) - shared(a.id))
    .slice(0, 5);
  return found.length === 0 ? '' : `; is it ${found.map((fault) => fault.id).join(', or ')}?`;
}
