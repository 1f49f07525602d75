import type { Entry } from '../log/entry.ts';

/** A value of one thing, as an answer shows it. */
export interface Look {
  entry: Entry;
  value: unknown;
}

/**
 * Finds a change that other clients do not explain, of a value that no documented operation changes: they change it once, and
 * neither back nor at each of three looks.
 * @param looks in their order
 * @param isFixed whether a second change is enough
 * @returns the first look, the one before the change that shows it, and that one
 */
export function restlessIn<L extends Look>(
  looks: readonly L[],
  isSame: (a: unknown, b: unknown) => boolean,
  isFixed = false,
): readonly [first: L, before: L, found: L] | undefined {
  const changes = looks.filter(({ value }, at) => at === 0 || !isSame(value, looks[at - 1]?.value));
  for (const [at, found] of changes.entries()) {
    const [first, earlier, before] = [changes[0], changes[at - 2], changes[at - 1]];
    if (!first || !earlier || !before) continue;
    const isBack = changes.slice(0, at - 1).some(({ value }) => isSame(value, found.value));
    if (isFixed || isBack || looks.indexOf(found) - looks.indexOf(earlier) === 2) return [first, before, found];
  }
  return undefined;
}
