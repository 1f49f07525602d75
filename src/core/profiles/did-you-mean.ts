import leven from 'leven';

/** Longer names are cut: a comparison is O(n·m), and no id is longer. */
const maxLength = 60;
/** Less similar names are not suggested. */
const minSimilarity = 0.5;

/** The known names most similar to `written`, best first; often none. */
export function nearest(written: string, known: readonly string[], most: number): string[] {
  const rated = known
    .map((name) => ({ name, similarity: similarity(written.slice(0, maxLength).toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity);
  const best = rated[0]?.similarity ?? 0;
  return rated
    .filter((one) => one.similarity > best - 0.2)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Only the first names of a list get suggestions. */
const maxNames = 3;

/** `; did you mean a, b or c?`, to append to an error message; empty if no known name is similar. */
export function didYouMean(written: string | readonly string[], known: readonly string[]): string {
  const wanted = [written].flat().slice(0, maxNames);
  const names = [...new Set(wanted.flatMap((name) => nearest(name, known, wanted.length === 1 ? 3 : 1)))];
  if (names.length === 0) return '';
  const last = names.at(-1);
  return `; did you mean ${names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`}?`;
}

/** From 0 to 1: by edit distance or by shared words, whichever is higher. */
export function similarity(a: string, b: string): number {
  const byLetters = 1 - leven(a, b) / Math.max(a.length, b.length, 1);
  return Math.max(byLetters, 0.9 * sharedWords(a, b));
}

function sharedWords(a: string, b: string): number {
  const words = (name: string) => name.split(/[^a-z0-9]+/).filter(Boolean);
  const [left, right] = [words(a), words(b)];
  const isSame = (one: string, other: string) =>
    one === other || (Math.min(one.length, other.length) > 3 && (one.startsWith(other) || other.startsWith(one)));
  const shared = left.filter((word) => right.some((other) => isSame(word, other))).length;
  return (2 * shared) / Math.max(left.length + right.length, 1);
}
