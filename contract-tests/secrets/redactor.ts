import { isWordy } from '../values/secret-looks.ts';
import { findInHeader, findSecrets } from './finder.ts';
import { type Found, type Range, valueIn } from './found.ts';
import { KnownSecrets, type Mark, type NamedSecret, replaced } from './known.ts';
import { isWords } from './names.ts';
import { letters, type View, viewsOf } from './views.ts';

export interface Secret extends NamedSecret {
  isPassword?: boolean;
  /** Whether it is a number in JSON, in whose place only such a one may stand. */
  isNumber?: boolean;
}

/** A text that has been read: where it has secrets. */
export interface Read {
  text: string;
  marks: Marked[];
  /** A short one, with its encodings undone. */
  views?: View[];
  /** Whether it is as it is: then no secret is looked for in it. */
  isOpen?: boolean;
}
type Marked = Mark<Secret>;

/** Characters that are decoded and compared between two pauses. */
const PIECE = 16_384;
/** How far beyond a piece what begins in it is looked for. */
const BEYOND = 4096;
const MAX_HOST = 300;
/** Known secrets at most; then the older half is forgotten. */
const MAX_KNOWN = 1000;
const MAX_PLAIN = 200;
/** Characters of secrets that are looked for elsewhere. */
const MIN_ECHO = 6;
const MIN_PASSWORD = 4;
const MAX_ECHO = 65_536;
/** What frames a message, or says where it goes. */
const OPEN_HEADERS =
  /^(host|connection|content-(length|encoding)|transfer-encoding|date|sec-websocket-(key|accept|version))$/i;
/** Of a PAT: its prefix and its id (part 5). */
const HEAD = /^[A-Za-z][\w-]{1,80}\.$/;

/**
 * Replaces the secrets in texts: values that a name or their own form shows to be secret, in any format and under up to four
 * encodings; and those that were shown before, wherever they are echoed. Of a URL the scheme and the host stay as they are.
 */
export class Redactor {
  #known = new Map<string, Secret>();
  /** Texts that show no secret, as most headers do, which come again and again. */
  readonly #plain = new Map<string, Read>();
  #index = new KnownSecrets();

  /** `isPublic`: whether a value is a word that anybody knows, which is not looked for elsewhere. */
  constructor(
    private readonly replacement: (secret: Secret) => string,
    private readonly isPublic: (value: string) => boolean = () => false,
  ) {}

  /** Finds what a text shows, and remembers it. Pauses now and then. */
  *read(text: string): Generator<void, Read> {
    const before = this.#plain.get(text);
    if (before) return before;
    const marks: Marked[] = [];
    let views: View[] = [];
    for (const found of findSecrets(text)) {
      if (found) this.#add(marks, found, text.slice(found.from, found.to));
      else yield;
    }
    for (const { from, to } of pieces(text)) {
      const near = marks.filter((mark) => mark.from < to && mark.to > from);
      const known = near.length;
      // A secret that goes further is read to its end.
      for (let end = to, isCut = true; isCut; end += 4 * (end - from)) {
        views = viewsOf(text.slice(from, end));
        isCut = views.slice(1).filter((view) => this.#readView(view, from, near)).length > 0 && end < text.length;
      }
      marks.push(...near.slice(known));
      yield;
    }
    const read: Read = { text, marks, ...(text.length <= PIECE && { views }) };
    if (marks.length === 0 && text.length <= MAX_PLAIN) {
      if (this.#plain.size === MAX_KNOWN) this.#plain.clear();
      this.#plain.set(text, read);
    }
    return read;
  }

  /** The same of a header, whose name may say that all of it is secret. */
  *readHeader(header: string, text: string): Generator<void, Read> {
    if (OPEN_HEADERS.test(header)) return { text, marks: [], isOpen: true };
    const read = yield* this.read(text);
    const marks = [...read.marks];
    for (const found of findInHeader(header, text)) this.#add(marks, found, text.slice(found.from, found.to));
    return { ...read, marks };
  }

  /** The text without what it shows to be secret, and without what any text that was read before has shown. */
  *hide({ text, marks, views, isOpen = false }: Read): Generator<void, string> {
    const all = [...marks];
    for (const { from, to } of this.#known.size > 0 && !isOpen ? pieces(text) : []) {
      const open = authorities(text, from, to);
      const found = this.#index.marksIn(views ?? viewsOf(text.slice(from, to)));
      for (const mark of found.map((each): Mark => ({ ...each, from: each.from + from, to: each.to + from })))
        if (!open.some((each) => mark.from < each.to && mark.to > each.from)) all.push(mark);
      yield;
    }
    return yield* replaced(text, all, ({ secret }) =>
      this.replacement({ ...secret, ...this.#known.get(secret.value) }),
    );
  }

  /** Reads what is encoded in a piece of a text that begins at `start`. Gives whether it ends in the middle of a secret. */
  #readView(view: View, start: number, marks: Marked[]): boolean {
    let isCut = false;
    // What is not decoded here was read before.
    const isNew = (from: number, to: number): boolean =>
      view.isGuess || (view.to[to - 1] ?? 0) - (view.from[from] ?? 0) !== to - from;
    for (const found of findSecrets(letters(view.bytes), isNew)) {
      if (!found) continue;
      const [from, to] = [(view.from[found.from] ?? 0) + start, (view.to[found.to - 1] ?? 0) + start];
      if (to <= from || marks.some((mark) => mark.from <= from && mark.to >= to)) continue;
      const value = new TextDecoder().decode(view.bytes.subarray(found.from, found.to));
      if (view.isGuess && /[\p{Cc}\ufffd]/u.test(value)) continue;
      isCut ||= found.to === view.bytes.length && !view.isGuess && from < start + PIECE;
      this.#add(marks, { ...found, from, to }, value);
    }
    return isCut;
  }

  #add(marks: Marked[], { from, to, name, style, inside }: Found, written: string): void {
    const value = valueIn(written, style);
    const secret: Secret = { value, name: name.name, isPassword: name.isPassword };
    marks.push({ from, to, secret: { ...secret, isNumber: style === 'number' } });
    this.remember(secret);
    if (inside) this.remember({ value: inside, name: 'password', isPassword: true });
  }

  /** Looks for a secret from now on; not for short values and words that all use, since others are the same by chance. */
  remember(secret: Secret): void {
    const { value, isPassword } = secret;
    const before = this.#known.get(value);
    // The latest are kept longest.
    if (before) this.#known.delete(value);
    if (before) this.#known.set(value, before);
    const isWeak = value.length < 8 || isWordy(value);
    const least = isPassword ? MIN_PASSWORD : isWords(value) ? 8 : MIN_ECHO;
    if (
      before ||
      value.length < least ||
      value.length > MAX_ECHO ||
      /^\d{1,5}$/.test(value) ||
      (isWeak && this.isPublic(value))
    )
      return;
    const head = value.slice(0, value.indexOf('.') + 1);
    const openLength = !isPassword && head.includes('_') && HEAD.test(head) ? head.length : 0;
    const known: Secret = { ...secret, openLength, parts: isWeak ? 'none' : 'most' };
    this.#known.set(value, known);
    if (this.#known.size > MAX_KNOWN) {
      this.#known = new Map([...this.#known].slice(-MAX_KNOWN / 2));
      this.#index = new KnownSecrets(this.#known.values());
    } else this.#index.add(known);
  }
}

/** Parts of a text, each with so much of the next one. */
function* pieces({ length }: string): Generator<Range> {
  for (let from = 0; from === 0 || from + BEYOND < length; from += PIECE) yield { from, to: from + PIECE + BEYOND };
}

/** Where a piece of a text has the schemes and the hosts of URLs. */
function authorities(text: string, start: number, end: number): Range[] {
  const found: Range[] = [];
  const piece = text.slice(0, end);
  for (let at = piece.indexOf('://', start - MAX_HOST); at !== -1; at = piece.indexOf('://', at + 3)) {
    let scheme = at;
    while (at - scheme < MAX_HOST && /[a-z0-9+.-]/i.test(text[scheme - 1] ?? '')) scheme -= 1;
    const authority = /^[^\s/?#"'<>\\]*/.exec(text.slice(at + 3, at + MAX_HOST))?.[0] ?? '';
    const host = at + 3 + authority.lastIndexOf('@') + 1;
    found.push({ from: scheme, to: at + 3 }, { from: host, to: at + 3 + authority.length });
  }
  return found;
}
