import { isWordy, mayBeRandom } from '../values/secret-looks.ts';
import type { Range } from './found.ts';
import { letters, textView, unescaped, type View, viewsOf } from './views.ts';
import { eachWindow, fold, WINDOW, WindowTable } from './windows.ts';

/** A secret, and the name that replaces it. */
export interface NamedSecret {
  value: string;
  name: string;
  /** Whether it says who somebody is, such as an e-mail address: only the whole, or its start, is redacted. */
  isIdentity?: boolean;
  /** How many characters at its start are no secret by themselves, such as the prefix of a token. */
  openLength?: number;
  /**
   * Which parts of it are redacted as well: every run of eight bytes, unless said otherwise; or `most` of it and what looks
   * random; or `none`, since other values may hold the same by chance. `whole` is `none` at other places than a value's, too: of
   * a word, at its edges.
   */
  parts?: 'most' | 'none' | 'whole';
}

/** Where a text has a secret, or a part of one. */
export interface Mark<S extends NamedSecret = NamedSecret> extends Range {
  secret: S;
}

/** One way in which a secret may be written, as folded bytes. */
interface Form {
  bytes: Uint8Array;
  secret: NamedSecret;
  /** Minimum bytes from its start, where it is not looked for window by window. */
  least: number;
}

/** Of an identity, such as an e-mail address, the start identifies it: the rest may be the name of a host. */
const MIN_IDENTITY_RUN = 12;
/** Longer secrets are looked for as they are, and not from their end to their start. */
const MAX_VARIED = 10_000;
/** Of a longer secret, only the windows of its start and its end are indexed. */
const MAX_INDEXED = 65_536;
/** How many forms that begin alike are compared where that is found. */
const MAX_ALIKE = 16;
/** How often escapes of a secret itself are undone. */
const MAX_UNESCAPING = 3;
/** A whole secret that is shorter may occur by chance inside of a word. */
const MIN_INSIDE = 4;
/** The same in what may not have been an encoding at all. */
const MIN_INSIDE_GUESS = 6;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The secrets that are looked for in texts, in any letter case, four times encoded, and reversed; in linear time. */
export class KnownSecrets {
  /** The forms that are found by any window of theirs: window -> index into `#forms`, of the first one that has it. */
  readonly #windows = new WindowTable();
  readonly #forms: Form[] = [];
  /** What these are of as a whole: many tokens have windows in common. */
  readonly #whole = new Map<string, NamedSecret>();
  /** The forms that are found by their start only: first window -> index into `#alike`. */
  readonly #starts = new WindowTable();
  readonly #alike: Form[][] = [];
  /** The forms that are shorter than a window, by their first two bytes. */
  readonly #short = new Map<number, Form[]>();
  readonly #open = new WindowTable();

  constructor(
    secrets: Iterable<NamedSecret> = [] /** Windows of text that anybody may know, and of what is open of a secret: by itself, such a window says nothing. */,
    private readonly common = new WindowTable(),
  ) {
    for (const secret of secrets) this.add(secret);
  }

  add(secret: NamedSecret): void {
    for (const [at, bytes] of formsOf(secret.value).entries())
      this.#add({ bytes, secret, least: bytes.length }, at === 0 ? (secret.openLength ?? 0) : 0);
  }

  #add(form: Form, openLength: number): void {
    const { bytes, secret } = form;
    if (bytes.length < WINDOW) {
      const start = startOf(bytes, 0);
      this.#short.set(start, [...(this.#short.get(start) ?? []), form]);
      return;
    }
    const isWhole = secret.parts === 'none' || secret.parts === 'whole';
    if (secret.isIdentity || isWhole) {
      this.#addStart({ ...form, least: isWhole ? bytes.length : Math.min(MIN_IDENTITY_RUN, bytes.length) });
      return;
    }
    const index = this.#forms.push(form) - 1;
    if (!this.#whole.has(foldedText(bytes))) this.#whole.set(foldedText(bytes), secret);
    let isCommon = true;
    eachWindow(bytes, (high, low, offset) => {
      if (offset + WINDOW <= openLength) this.#open.set(high, low, 0);
      isCommon &&= this.#isCommon(high, low);
      if (this.#windows.get(high, low) === -1) this.#windows.set(high, low, index);
    });
    // No run of it says anything by itself, but the whole does.
    if (isCommon) this.#addStart(form);
  }

  #addStart(form: Form): void {
    eachWindow(form.bytes.subarray(0, WINDOW), (high, low) => {
      const known = this.#starts.get(high, low);
      if (known === -1) this.#starts.set(high, low, this.#alike.push([form]) - 1);
      else if ((this.#alike[known] as Form[]).length < MAX_ALIKE) this.#alike[known]?.push(form);
    });
  }

  #isCommon(high: number, low: number): boolean {
    return this.common.get(high, low) !== -1 || this.#open.get(high, low) !== -1;
  }

  /** Where a text, of which these are the views, has any of the secrets. */
  marksIn(views: readonly View[]): Mark[] {
    const marks: Mark[] = [];
    for (const view of views) {
      this.#markRuns(view, marks);
      this.#markShort(view, marks);
    }
    return marks;
  }

  /** Marks each run of windows of which one at least says something, and what begins as a form that is found by its start. */
  #markRuns(view: View, marks: Mark[]): void {
    let [start, end, last, compared, saysSomething] = [0, 0, 0, 0, false];
    const flush = (): void => {
      const form = this.#forms[last];
      if (!saysSomething || !form) return;
      const run = view.bytes.subarray(start, end);
      const whole = this.#whole.get(foldedText(run));
      if (whole || isPart(run, form)) mark(view, start, end, whole ?? form.secret, marks);
      saysSomething = false;
    };
    eachWindow(view.bytes, (high, low, at) => {
      const known = this.#windows.get(high, low);
      if (known !== -1) {
        if (at >= end) {
          flush();
          start = at;
        }
        end = at + WINDOW;
        last = known;
        saysSomething ||= !this.#isCommon(high, low);
      }
      const alike = this.#starts.get(high, low);
      // What is redacted already is not compared again.
      if (alike === -1 || at + WINDOW <= compared) return;
      for (const form of this.#alike[alike] as Form[]) {
        const to = endOfMatch(view.bytes, at, form.bytes);
        const { parts } = form.secret;
        if (to - at < form.least || (parts === 'none' && !isValue(view, at, to))) continue;
        if (parts === 'whole' && !(isEdge(view, at - 1) && isEdge(view, to))) continue;
        mark(view, at, to, form.secret, marks);
        compared = Math.max(compared, to);
      }
    });
    flush();
  }

  #markShort(view: View, marks: Mark[]): void {
    for (let at = 0; this.#short.size > 0 && at < view.bytes.length; at += 1) {
      for (const { bytes, secret } of this.#short.get(startOf(view.bytes, at)) ?? []) {
        const to = at + bytes.length;
        if (endOfMatch(view.bytes, at, bytes) < to) continue;
        const isBounded = bytes.length < (view.isGuess ? MIN_INSIDE_GUESS : MIN_INSIDE);
        const isAlone = !isBounded || (isEdge(view, at - 1) && isEdge(view, to));
        if (secret.parts === 'none' ? isValue(view, at, to) : isAlone) mark(view, at, to, secret, marks);
      }
    }
  }
}

/** Makes the function that replaces secrets by their names: each run of eight bytes; of an identity its start, or the whole. */
export function scrubber(secrets: Iterable<NamedSecret>, common?: WindowTable): (text: string) => string {
  const known = new KnownSecrets(secrets, common);
  const labels = new Map<string, string>();
  const marksIn = (text: string): Mark[] => known.marksIn(viewsOf(text));
  /** A name may come from the target, and hold a secret itself. */
  const labelOf = (name: string): string => {
    const label = labels.get(name) ?? [name, 'secret'].find((each) => marksIn(each).length === 0) ?? '…';
    labels.set(name, label);
    return label;
  };
  return (text) => finish(replaced(text, marksIn(text), ({ secret }) => `‹${labelOf(secret.name)}›`));
}

/** Does work that pauses at once. */
export function finish<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Marks that are replaced between two pauses. */
const BETWEEN_PAUSES = 256;

/** Each text between marks as it is; overlapping marks are redacted as one. Pauses now and then. */
export function* replaced<M extends Range>(
  text: string,
  marks: M[],
  labelOf: (mark: M) => string,
): Generator<void, string> {
  // From left to right, the longer of two that begin together first.
  marks.sort((a, b) => a.from - b.from || b.to - a.to);
  let result = '';
  let position = 0;
  for (const [at, mark] of marks.entries()) {
    if (at % BETWEEN_PAUSES === BETWEEN_PAUSES - 1) yield;
    if (mark.to <= position) continue;
    if (mark.from >= position) result += text.slice(position, mark.from) + labelOf(mark);
    position = mark.to;
  }
  return result + text.slice(position);
}

/** A secret as it is, with its own escapes undone as they are in a text, and each from its end to its start. */
function formsOf(secret: string): Uint8Array[] {
  if (secret.length > MAX_VARIED) {
    const half = MAX_INDEXED / 2;
    const parts = secret.length > MAX_INDEXED ? [secret.slice(0, half), secret.slice(-half)] : [secret];
    return parts.map((part) => textView(part).bytes.map(fold));
  }
  const views: View[] = [textView(secret)];
  for (let view = views[0]; view && views.length <= MAX_UNESCAPING; ) {
    view = unescaped(view);
    if (view) views.push(view);
  }
  const texts = views.map(({ bytes }) => bytes.map(fold));
  const reverse = (bytes: Uint8Array): Uint8Array =>
    new TextEncoder().encode([...new TextDecoder().decode(bytes)].reverse().join(''));
  return [...texts, ...texts.map(reverse)];
}

/** Bytes as text of one character each, in the letter case in which they are compared. */
const foldedText = (bytes: Uint8Array): string => letters(bytes).toLowerCase().replaceAll('+', ' ');

/** Two bytes as a number, in the letter case in which they are compared. */
const startOf = (bytes: Uint8Array, at: number): number => (fold(bytes[at] ?? 0) << 8) | fold(bytes[at + 1] ?? 0);

/** Where bytes no longer are those of a form that begins at a place. */
function endOfMatch(bytes: Uint8Array, at: number, form: Uint8Array): number {
  let length = 0;
  while (length < form.length && at + length < bytes.length && fold(bytes[at + length] as number) === form[length])
    length += 1;
  return at + length;
}

/** Whether a run of a secret is redacted, though it is not the whole of it. */
function isPart(run: Uint8Array, { bytes, secret }: Form): boolean {
  if (secret.parts !== 'most') return true;
  const isMost = run.length * 2 >= bytes.length;
  const at = foldedText(new TextEncoder().encode(secret.value)).indexOf(foldedText(run));
  const own = secret.value.slice(at, at + run.length);
  // An identifier that a token contains is a value by itself elsewhere.
  if (at === -1 || /^\d+$/.test(own)) return isMost;
  if (isWordy(own) || UUID.test(own)) return false;
  const isPiece =
    isJoint(secret.value[at - 1]) && at + run.length < secret.value.length && isJoint(secret.value[at + run.length]);
  return isMost || (mayBeRandom(own) && !isPiece);
}

const isJoint = (sign = '.'): boolean => /[^A-Za-z0-9]/.test(sign);

/** Whether what is here is a value by itself, and not a part of another one. */
const isValue = (view: View, from: number, to: number): boolean => ends(view, from - 1, -1) && ends(view, to, 1);

/** Whether a value ends before a place. The end of a sentence does not belong to it. */
function ends({ bytes }: View, at: number, step: number): boolean {
  const byte = bytes[at] ?? 0;
  // White space, and the quotes and dashes of print.
  if (byte <= 0x20 || byte === 0xe2) return true;
  const sign = String.fromCharCode(byte);
  if (step === 1 && /[.!?]/.test(sign)) return /[^A-Za-z0-9]/.test(String.fromCharCode(bytes[at + 1] ?? 32));
  return /["'`()[\]{}<>=&,;:|+\\]/.test(sign);
}

/** Whether a word ends here; in what may not be text, whether it looks like some here. */
function isEdge({ bytes, isGuess }: View, at: number): boolean {
  const letter = String.fromCharCode(bytes[at] ?? 0);
  return isGuess ? /[\0\s!-/:-@[-`{-~]/.test(letter) : !/[a-z0-9]/i.test(letter);
}

function mark(view: View, start: number, end: number, secret: NamedSecret, marks: Mark[]): void {
  const [from, to] = [view.from[start] as number, view.to[end - 1] as number];
  if (to > from) marks.push({ from, to, secret });
}
