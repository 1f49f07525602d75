/** What the value of a member looks like: random, masked, or a key as well-known providers make them. */

const KNOWN_KEY = /\b(?:sk|pk|rk|gsk|hf|xai|pplx|tvly|r8)[-_]([A-Za-z0-9_-]+)/g;
const GOOGLE_KEY = /\bAIza([A-Za-z0-9_-]+)/g;
/** Minimum length of a key after its start: words are shorter. */
const MIN_KEY = 12;
const UUID_AT_END = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Minimum letters and digits of a whole key after its start: identifiers that start alike are shorter. */
const MIN_WHOLE_KEY = 40;
const BASE64 = /^[A-Za-z0-9+/_-]{20,}={0,2}$/;
/** So many signs that join no words are rather random. */
const MIN_ODD_SIGNS = 3;

/** The runs of letters and digits; a secret has a long one, words joined by - _ / . : have short ones. */
const runsOf = (value: string): string[] => value.match(/[A-Za-z0-9]+/g) ?? [];

/** How often letters, capitals and digits alternate in a run; a capital that starts a word counts once. */
const turns = (run: string): number =>
  run.match(/[a-z](?=[A-Z0-9])|[A-Z](?=\d)|\d(?=[A-Za-z])|[A-Z](?=[A-Z][a-z])/g)?.length ?? 0;

const hasBoth = (run: string): boolean => /\d/.test(run) && /[A-Za-z]/.test(run);
/** A word, or words in camel case, that end in a number at most. */
const isWords = (run: string) => /^(?:[a-z]{2,})?(?:(?:[A-Z]|[A-Z]{3,})[a-z]{2,})*(?:[A-Z]{2,})?\d{0,4}$/.test(run);
const isMixedCase = (run: string): boolean => run.length >= 16 && turns(run) >= 3 && !isWords(run);

/** Whether text looks random, where nothing but an ambiguous name speaks for a secret. */
export const looksRandom = (value: string): boolean =>
  runsOf(value).some((run) => (run.length >= 16 && hasBoth(run) && !isWords(run)) || isMixedCase(run));

/** The same, where the name or the start of the value speaks for a secret already: shorter runs will do. */
export const mayBeRandom = (value: string): boolean =>
  looksRandom(value) || runsOf(value).some((run) => run.length >= 10 && hasBoth(run) && turns(run) >= 3);

/** Whether a value contains the key of a well-known provider, as it is or in base64. */
export const holdsKnownKey = (value: string) => [value, textInBase64(value)].some((text) => findKeys(text).length > 0);

export function findKeys(text: string): [from: number, to: number][] {
  const known = [...text.matchAll(KNOWN_KEY)].filter(([, key = '']) => mayBeRandom(key));
  const found = [...known, ...text.matchAll(GOOGLE_KEY)].filter(([, key = '']) => key.length >= MIN_KEY);
  return found.map(({ 0: key, index }) => [index, index + key.length]);
}

/** The text that a value spells in base64; empty where it spells none. */
function textInBase64(value: string): string {
  const text = BASE64.test(value) ? fromBase64url(value) : '';
  return /^[\x20-\x7e]+$/.test(text) ? text : '';
}

/** The bytes that base64 or base64url writes, a letter each; empty where it writes none. */
export function fromBase64url(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}

/** Whether a value is made of words and numbers, joined by the usual signs: then others hold the same by chance. */
export const isWordy = (value: string): boolean =>
  value.replace(/[A-Za-z0-9 ._:/@-]+/g, '').length < MIN_ODD_SIGNS &&
  runsOf(value).every((run) => (isWords(run) && canBeSaid(run)) || /^(?:[A-Za-z]|\d{1,11})$/.test(run));

/** Whether the words of a run have a vowel each, and are no mere syllables. */
function canBeSaid(run: string): boolean {
  const words = run.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  return words.every((word) => /[aeiouy]/i.test(word)) && (words.length <= 2 || words.length * 4 <= run.length);
}

/** Whether a value is the key of a well-known provider as a whole, even where an identifier may look much like one. */
export function isWholeKey(value: string): boolean {
  if (/^AIza[A-Za-z0-9_-]{35}$/.test(value)) return true;
  return [...value.matchAll(KNOWN_KEY)].some(
    ([, key = '']) => key.replace(/[-_]/g, '').length >= MIN_WHOLE_KEY && mayBeRandom(key) && !UUID_AT_END.test(key),
  );
}

export const wordsOf = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();

export const lettersOf = (name: string): string => name.replace(/[^A-Za-z]/g, '').toLowerCase();

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
