import leven from 'leven';

/** Longer than any id: what is longer still is cut, since each comparison costs the product of both lengths. */
const longest = 60;
/** Names less alike than that were hardly meant. */
const alikeEnough = 0.5;

/** The known names that somebody who wrote `written` may have meant: the likeliest first, few, often none. */
export function nearest(written: string, known: readonly string[], most: number): string[] {
  const rated = known
    .map((name) => ({ name, likeness: likeness(written.slice(0, longest).toLowerCase(), name.toLowerCase()) }))
    .filter((one) => one.likeness >= alikeEnough)
    .sort((a, b) => b.likeness - a.likeness);
  const best = rated[0]?.likeness ?? 0;
  return rated
    .filter((one) => one.likeness > best - 0.2)
    .slice(0, most)
    .map(({ name }) => name);
}

/** Lists of unknown names may be of any length: the first ones are looked for. */
const mostLookedFor = 3;

/** `; did you mean a, b or c?`, to stand behind what is wrong; nothing where no known name is near. */
export function didYouMean(written: string | readonly string[], known: readonly string[]): string {
  const wanted = [written].flat().slice(0, mostLookedFor);
  const names = [...new Set(wanted.flatMap((name) => nearest(name, known, wanted.length === 1 ? 3 : 1)))];
  if (names.length === 0) return '';
  const last = names.at(-1);
  return `; did you mean ${names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`}?`;
}

/** From 0 to 1: by the letters that would have to change, or by the words that both have. */
function likeness(a: string, b: string): number {
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
