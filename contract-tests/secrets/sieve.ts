import type { Exchange } from '../model.ts';
import { isWordy } from '../values/secret-looks.ts';
import { type Found, findIn } from './find.ts';
import { KnownSecrets, type Mark, replaced, type Secret, SHORT } from './known.ts';
import { isWords } from './names.ts';
import { plainOf, type View, viewsOf } from './views.ts';

/** A text that has been read: where it has secrets, and its encodings undone. */
export interface Read {
  text: string;
  marks: Mark[];
  views: readonly View[];
}

interface Options {
  /** What replaces a secret, by its first name. */
  replacement: (secret: Secret) => string;
  /** Whether a short value, or one of words, is a word that all use: it is not looked for elsewhere. */
  isPublic?: (value: string) => boolean;
  /** Whether a value stays wherever it is: it is known to be no secret. */
  isOpen?: (value: string) => boolean;
  /** Known secrets at most; then the older half is forgotten. */
  mostKnown?: number;
}

const MOST_KNOWN = 1000;
/** Characters of secrets that are looked for elsewhere. */
const MIN_ECHO = 6;
const MIN_PASSWORD = 3;
const MAX_ECHO = 65_536;
/** What frames a message, or says where it goes. */
const OPEN_HEADERS =
  /^(host|connection|content-(length|encoding)|transfer-encoding|date|sec-websocket-(key|accept|version))$/i;
/** The scheme and the host of a URL, between which the user is. */
const URL_START = /([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"<>\\@]*@)?([^\s/?#"'<>\\@]*)/gi;

/** Replaces the secrets that texts show, and those that were shown before; the scheme and the host of a URL stay. */
export class Sieve {
  #known = new Map<string, Secret>();
  #index = new KnownSecrets();

  constructor(private readonly options: Options) {}

  get size(): number {
    return this.#known.size;
  }

  /** Finds what a text shows, and remembers it; of a header, its name may say that all of it is secret. Pauses now and then. */
  *read(text: string, header = ''): Generator<void, Read> {
    if (OPEN_HEADERS.test(header)) return { text, marks: [], views: [] };
    const views: View[] = [];
    const marks: Mark[] = [];
    const covered = new Uint8Array(text.length);
    for (const view of viewsOf(text)) {
      views.push(view);
      for (const found of findIn(view, view.places ? '' : header)) {
        const { from, to, value, inside } = found;
        // A guess in text that is no encoding, or a secret that was found with fewer encodings undone.
        const isOld = covered[from] && covered[to - 1] && !inside;
        const isOpen = this.options.isOpen?.(value);
        if (to <= from || (view.isGuess && /\p{Cc}/u.test(value)) || isOld || isOpen) continue;
        covered.fill(1, from, to);
        this.#note(marks, found);
      }
      yield;
    }
    return { text, marks, views };
  }

  /** The text without what it shows to be secret, and without what any text that was read before has shown. */
  *hide({ text, marks, views }: Read): Generator<void, string> {
    const all = [...marks];
    const open = new Uint8Array(text.length);
    for (const { 1: scheme = '', 2: user = '', 3: host = '', index } of text.matchAll(URL_START)) {
      const from = index + scheme.length + user.length;
      open.fill(1, index, index + scheme.length).fill(1, from, from + host.length);
    }
    for (const view of views) {
      for (const mark of this.#index.marksIn(view)) if (!open.subarray(mark.from, mark.to).includes(1)) all.push(mark);
      yield;
    }
    const replacements = new Map<string, string>();
    return replaced(text, all, ({ secret }) => {
      const key = `${secret.isNumber} ${secret.value}`;
      const value = plainOf(secret.value);
      const known = replacements.get(key) ?? this.options.replacement({ ...secret, ...this.#known.get(value), value });
      replacements.set(key, known);
      return known;
    });
  }

  /** Whether a text has a secret that is known. */
  isIn = (text: string): boolean => [...viewsOf(text)].some((view) => !this.#index.marksIn(view).next().done);

  /** The text without the secrets that are known, wherever they are. */
  scrub = (text: string): string => finish(this.hide({ text, marks: [], views: [...viewsOf(text)] }));

  #note(marks: Mark[], { from, to, name, value, inside, isNumber }: Found): void {
    const secret: Secret = { value, name: name.name, isPassword: name.isPassword };
    marks.push({ from, to, secret: { ...secret, isNumber } });
    this.remember(secret);
    if (inside) this.remember({ value: inside, name: 'password', isPassword: true });
  }

  /** Looks for a secret from now on; not for short values and words that all use, since others are the same by chance. */
  remember(secret: Secret): void {
    const value = plainOf(secret.value);
    const least = secret.isPassword ? MIN_PASSWORD : isWords(value) ? SHORT : MIN_ECHO;
    const isShort = value.length < SHORT || isWordy(value);
    const isCommon = /^\d{1,5}$|‹/.test(value) || (isShort && this.options.isPublic?.(value));
    if (this.#known.has(value) || (value.length >= least && value.length <= MAX_ECHO && !isCommon)) this.add(secret);
  }

  /** The same, whatever it looks like. The first name of a value is kept, and that all of it is looked for. */
  add(secret: Secret): void {
    const value = plainOf(secret.value);
    if (this.options.isOpen?.(value)) return;
    const known = this.#known.get(value);
    const isWider = known?.isWhole && !secret.isWhole;
    // The latest are kept longest, each as what it was taken for first: equal secrets have equal replacements.
    this.#known.delete(value);
    this.#known.set(value, known ? { ...known, isWhole: known.isWhole && secret.isWhole } : secret);
    if (!known || isWider) this.#index.add(secret);
    const { mostKnown = MOST_KNOWN } = this.options;
    if (this.#known.size <= mostKnown) return;
    this.#known = new Map([...this.#known].slice(-mostKnown / 2));
    this.#index = new KnownSecrets(this.#known.values());
  }
}

const made = new WeakSet<object>();

/** Notes of a value that all texts in it came through a sieve. */
export function sieved<T extends object>(value: T): T {
  made.add(value);
  return value;
}
export const isSieved = (value: object): boolean => made.has(value);

/** Does work without pauses. */
export function finish<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** An exchange with each of its texts, and the values of its headers by their names, replaced in the same order. */
export function mapTexts<E extends Exchange & { statusText?: string }>(
  exchange: E,
  changed: (text: string, header?: string) => string,
): E {
  const { request, response, statusText, error, followed } = exchange;
  const changedHeaders = (headers: Record<string, string>) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [changed(name), changed(value, name)]));
  return {
    ...exchange,
    request: {
      ...request,
      url: changed(request.url),
      headers: changedHeaders(request.headers),
      ...(request.body !== undefined && { body: changed(request.body) }),
    },
    ...(response && {
      response: { ...response, headers: changedHeaders(response.headers), body: changed(response.body) },
    }),
    ...(statusText !== undefined && { statusText: changed(statusText) }),
    ...(error !== undefined && { error: changed(error) }),
    ...(followed && { followed: followed.map((path) => changed(path)) }),
  };
}
