import { isWordy, UUID } from '../values/secret-looks.ts';
import { bytesOf, placeIn, reversed, textOf, unescaped, type View } from './views.ts';

export interface Secret {
  value: string;
  name: string;
  /** Only the whole is redacted, where it is a value by itself: other values may hold the same by chance. */
  isWhole?: boolean;
  isPassword?: boolean;
  /** Whether it is a number in JSON, in whose place only such a one may stand. */
  isNumber?: boolean;
}

export type Range = { from: number; to: number };

export interface Mark extends Range {
  secret: Secret;
}

interface Form {
  text: string;
  folded: string;
  secret: Secret;
  /** Where the whole of it is found: anywhere where it is undefined. */
  isPlace?: (text: string, from: number, to: number) => boolean;
}

/** Characters in a row that identify a secret. */
const WINDOW = 8;
/** Characters by which the whole of a short or bounded secret is looked up. */
const START = 3;
/** Shorter secrets are the same as words by chance: they are replaced where a value is, and not in prose. */
export const SHORT = 8;
/** Words in a longer row are rather a passphrase. */
const MAX_WORDS = 64;
/** Characters of a passphrase that are no chance. */
const MIN_PHRASE = 12;
/** Of a longer secret, only this much of its start and its end is indexed, as they are. */
const MAX_VARIED = 10_000;
const MAX_INDEXED = 32_768;

/** Letter case says nothing, since header names lose it; and a form writes a space as `+`. */
const fold = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).replaceAll('+', ' ');

/** The secrets that are looked for in texts, in any letter case, four times encoded, and reversed; in linear time. */
export class KnownSecrets {
  readonly #windows = new Map<string, Form>();
  readonly #whole = new Map<string, Form>();
  /** How long the forms are that begin so, of those that are looked for as a whole. */
  readonly #lengths = new Map<string, Set<number>>();
  /** How windows and forms start: most places of a text have none of these. */
  readonly #starts = new Set<string>();

  readonly #added: Secret[];

  constructor(secrets: Iterable<Secret> = []) {
    this.#added = [...secrets];
  }

  /** Indexed with the first text that is searched: a run may have none. */
  add(secret: Secret): void {
    this.#added.push(secret);
  }

  #index(): void {
    for (const secret of this.#added.splice(0)) for (const text of formsOf(secret.value)) this.#add(text, secret);
  }

  #add(text: string, secret: Secret): void {
    const folded = fold(text);
    const { length } = folded;
    const isBounded = secret.isWhole || (length <= MAX_WORDS && isWordy(text));
    const isPlace = length < SHORT ? isWholeValue : isBounded ? isValue : undefined;
    const form = { text, folded, secret, isPlace };
    if (length < START) return;
    const known = this.#whole.get(folded);
    if (!known || known.isPlace) this.#whole.set(folded, form);
    if (isPlace) {
      const start = folded.slice(0, START);
      this.#starts.add(start);
      this.#lengths.set(start, (this.#lengths.get(start) ?? new Set()).add(length));
    }
    for (let at = 0; !secret.isWhole && at + WINDOW <= length; at += 1) {
      const window = folded.slice(at, at + WINDOW);
      this.#starts.add(window.slice(0, START));
      if (!this.#windows.has(window)) this.#windows.set(window, form);
    }
  }

  /** Where a text, of which this is a view, has any of the secrets. */
  *marksIn(view: View): Generator<Mark> {
    this.#index();
    if (this.#whole.size === 0) return;
    const text = fold(view.text);
    const mark = (from: number, to: number, { secret }: Form): Mark => {
      return { from: placeIn(view, from), to: placeIn(view, to), secret };
    };
    let [start, end, last] = [0, 0, undefined as Form | undefined];
    for (let at = 0; at + START <= text.length; at += 1) {
      const begin = text.slice(at, at + START);
      const isStart = this.#starts.has(begin);
      for (const length of (isStart && this.#lengths.get(begin)) || []) {
        const form = this.#whole.get(text.slice(at, at + length));
        if (form && (form.isPlace?.(text, at, at + length) ?? true)) yield mark(at, at + length, form);
      }
      const form = isStart ? this.#windows.get(text.slice(at, at + WINDOW)) : undefined;
      if (form) {
        if (last === undefined) start = at;
        [end, last] = [at + WINDOW, form];
      }
      // A run of windows ends where the next one would not overlap it.
      if (last && (at + 1 >= end || at + START === text.length)) {
        const run = text.slice(start, end);
        const whole = this.#whole.get(run);
        if (whole && !whole.isPlace) yield mark(start, end, whole);
        else if (isPart(run, last)) yield mark(start, end, last);
        last = undefined;
      }
    }
  }
}

/** A secret as it is, with its own escapes undone as they are in a text, each in characters and bytes, and from its end to its start. */
function formsOf(secret: string): Iterable<string> {
  if (secret.length > MAX_VARIED) return [secret.slice(0, MAX_INDEXED), secret.slice(-MAX_INDEXED)];
  const texts = [secret];
  for (let view = unescaped({ text: secret }); view && texts.length < 4; view = unescaped(view)) texts.push(view.text);
  const all = texts.flatMap((text) => [text, textOf(text)]);
  return new Set([...all, ...all.map(reversed)].flatMap((text) => [text, bytesOf(text)]));
}

/** Whether a run of a form is redacted, though it is not the whole of it. */
function isPart(run: string, { text, folded, secret }: Form): boolean {
  const at = folded.indexOf(run);
  // Parts of several secrets in a row.
  if (at === -1) return run.length >= MIN_PHRASE || !isWordy(run);
  const end = at + run.length;
  const own = text.slice(at, end);
  // An identifier that a token contains is a value by itself elsewhere.
  if (UUID.test(own)) return false;
  if (run.length * 2 >= text.length) return run.length >= MIN_PHRASE || !isWordy(secret.value);
  const isPiece = /^[\w.-]+$/.test(own) && isJoint(text[at - 1]) && end < text.length && isJoint(text[end]);
  return !isPiece && !isWordy(own);
}

const isJoint = (sign = '.'): boolean => /[^A-Za-z0-9]/.test(sign);

/** Whether what is here is a value by itself, and not a part of another one. The end of a sentence does not belong to it. */
const isValue = (text: string, from: number, to: number): boolean =>
  !/[\p{L}\p{N}_.@-]/u.test(text[from - 1] ?? ' ') &&
  /^(?:$|[^\p{L}\p{N}_.@-]|[.-](?![\p{L}\p{N}]))/u.test(text.slice(to, to + 2));

/** Whether all of a member, a field of a form, a part of a URL or an element is here. */
const isWholeValue = (text: string, from: number, to: number): boolean =>
  /^["'`=/&?#>\0]?$/.test(text[from - 1] ?? '') && /^["'`&?#/;<\\\0]?$/.test(text[to] ?? '');

/** Each text between marks as it is; overlapping marks are redacted as one. */
export function replaced<M extends Range>(text: string, marks: M[], labelOf: (mark: M) => string): string {
  // From left to right, the longer of two that begin together first.
  marks.sort((a, b) => a.from - b.from || b.to - a.to);
  let result = '';
  let position = 0;
  for (const mark of marks) {
    if (mark.to <= position) continue;
    if (mark.from >= position) result += text.slice(position, mark.from) + labelOf(mark);
    position = mark.to;
  }
  return result + text.slice(position);
}
