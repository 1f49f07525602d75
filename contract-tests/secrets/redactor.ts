import { isWordy } from '../values/secret-looks.ts';
import { type Found, findIn } from './find.ts';
import { KnownSecrets, type Mark, replaced, type Secret } from './known.ts';
import { isWords } from './names.ts';
import { plainOf, type View, viewsOf } from './views.ts';

/** A text that has been read: where it has secrets, and its encodings undone. */
export interface Read {
  text: string;
  marks: Mark[];
  views: readonly View[];
}

/** Known secrets at most; then the older half is forgotten. */
const MAX_KNOWN = 1000;
/** Characters of secrets that are looked for elsewhere. */
const MIN_ECHO = 6;
const MIN_PASSWORD = 4;
const MAX_ECHO = 65_536;
/** What frames a message, or says where it goes. */
const OPEN_HEADERS =
  /^(host|connection|content-(length|encoding)|transfer-encoding|date|sec-websocket-(key|accept|version))$/i;
/** The scheme and the host of a URL, between which the user is. */
const URL_START = /([a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#"'<>\\@]*@)?([^\s/?#"'<>\\@]*)/gi;

/** Replaces the secrets that texts show, and those that were shown before; the scheme and the host of a URL stay. */
export class Redactor {
  #known = new Map<string, Secret>();
  #index = new KnownSecrets();

  /** `isPublic`: whether a value is a word that anybody knows, which is not looked for elsewhere. */
  constructor(
    private readonly replacement: (secret: Secret) => string,
    private readonly isPublic: (value: string) => boolean = () => false,
  ) {}

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
        // What looks like a value in what was no encoding, and what was found with fewer encodings undone.
        const isOld = covered[from] && covered[to - 1] && !inside;
        if (to <= from || (view.isGuess && /\p{Cc}/u.test(value)) || isOld) continue;
        covered.fill(1, from, to);
        this.#add(marks, found);
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
      const known = replacements.get(key) ?? this.replacement({ ...secret, ...this.#known.get(value), value });
      replacements.set(key, known);
      return known;
    });
  }

  #add(marks: Mark[], { from, to, name, value, inside, isNumber }: Found): void {
    const secret: Secret = { value, name: name.name, isPassword: name.isPassword };
    marks.push({ from, to, secret: { ...secret, isNumber } });
    this.remember(secret);
    if (inside) this.remember({ value: inside, name: 'password', isPassword: true });
  }

  /** Looks for a secret from now on; not for short values and words that all use, since others are the same by chance. */
  remember(secret: Secret): void {
    const value = plainOf(secret.value);
    const known = this.#known.get(value);
    const least = secret.isPassword ? MIN_PASSWORD : isWords(value) ? 8 : MIN_ECHO;
    const isCommon = /^\d{1,5}$|‹/.test(value) || ((value.length < 8 || isWordy(value)) && this.isPublic(value));
    if (!known && (value.length < least || value.length > MAX_ECHO || isCommon)) return;
    // The latest are kept longest, each as what it was taken for first: equal secrets have equal replacements.
    this.#known.delete(value);
    this.#known.set(value, known ?? secret);
    if (!known) this.#index.add(secret);
    if (this.#known.size <= MAX_KNOWN) return;
    this.#known = new Map([...this.#known].slice(-MAX_KNOWN / 2));
    this.#index = new KnownSecrets(this.#known.values());
  }
}
