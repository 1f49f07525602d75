import { isWordy, mayBeRandom } from '../values/secret-looks.ts';
import { type Anchor, type Form, foldedText, SecretIndex, startOf } from './secret-index.ts';
import type { NamedSecret } from './secrets.ts';
import { fromBase64, fromHex, textView, unescaped, type View } from './views.ts';
import { eachWindow, fold, WINDOW, WindowTable } from './windows.ts';

/** How many encodings around each other are undone: escapes, percent codes, entities, base64, hexadecimal. */
const MAX_DECODINGS = 4;
/** A whole secret that is shorter may occur by chance inside of a word. */
const MIN_INSIDE = 4;
/** The same in what may not have been an encoding at all. */
const MIN_INSIDE_GUESS = 6;
/** Marks that are replaced between two pauses. */
const BETWEEN_PAUSES = 256;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Where a text has a secret, or a part of one. */
export interface Mark {
  from: number;
  to: number;
  secret: NamedSecret;
}

/**
 * Makes the function that redacts secrets in text: each run of eight bytes or more of one, whatever its letter case, in any
 * spelling that `MAX_DECODINGS` decodings undo, and from its end to its start. Of an identity only the whole, or its start.
 * The work is linear in the length of the text.
 */
export function scrubber(secrets: Iterable<NamedSecret>, common = new WindowTable()): (text: string) => string {
  const index = new SecretIndex(secrets, common);
  const labels = new Map<string, string>();

  /** A name may come from the target, and hold a secret itself. */
  const labelOf = (name: string): string => {
    const label =
      labels.get(name) ?? (marksIn(name).length === 0 ? name : marksIn('secret').length === 0 ? 'secret' : '…');
    labels.set(name, label);
    return label;
  };

  const marksIn = (text: string): Mark[] => {
    const marks: Mark[] = [];
    for (const view of viewsOf(text)) markKnown(view, index, marks);
    return marks;
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

/** A text as it is, and with every encoding undone. */
export function viewsOf(text: string): [asItIs: View, ...decoded: View[]] {
  const decoded: View[] = [];
  const decode = (view: View, left: number): void => {
    for (const undo of left === 0 ? [] : [unescaped, fromBase64, fromHex]) {
      const next = undo(view);
      if (!next) continue;
      decoded.push(next);
      decode(next, left - 1);
    }
  };
  const asItIs = textView(text);
  decode(asItIs, MAX_DECODINGS);
  return [asItIs, ...decoded];
}

/** Marks what a view shows of the secrets of an index. */
export function markKnown(view: View, index: SecretIndex, marks: Mark[]): void {
  markRuns(view, index, marks);
  markShort(view, index, marks);
}

/** Each text between marks as it is; overlapping marks are redacted as one. Pauses now and then. */
export function* replaced<M extends { from: number; to: number }>(
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

/** Marks each run of windows of secrets of which one at least says something. */
function markRuns(view: View, index: SecretIndex, marks: Mark[]): void {
  let [start, end, last, extended, saysSomething] = [0, 0, 0, 0, false];
  const flush = (): void => {
    const run = view.bytes.subarray(start, end);
    const form = index.forms[last];
    const whole = saysSomething ? index.whole.get(foldedText(run)) : undefined;
    if (saysSomething && form && (whole || isPart(run, form))) mark(view, start, end, whole ?? form.secret, marks);
    saysSomething = false;
  };
  eachWindow(view.bytes, view.length, (high, low, at) => {
    if (!index.mayHave(high, low)) return;
    const known = index.windows.get(high, low);
    if (known !== -1) {
      if (at >= end) {
        flush();
        start = at;
      }
      end = at + WINDOW;
      last = known;
      saysSomething ||= !index.isCommon(high, low);
    }
    const anchors = index.anchorsOf.get(high, low);
    // What is redacted already is not compared again.
    if (anchors !== -1 && at + WINDOW > extended) extended = extend(view, at, index.anchors[anchors] ?? [], marks);
  });
  flush();
}

/** Marks the longest match that one of the anchors shows, and gives where it ends. */
function extend(view: View, at: number, anchors: readonly Anchor[], marks: Mark[]): number {
  let end = 0;
  for (const { form, offset } of anchors) {
    const { bytes } = form;
    let [from, to] = [at, at + WINDOW];
    for (let place = offset + WINDOW; place < bytes.length && to < view.length; place += 1, to += 1)
      if (fold(view.bytes[to] as number) !== bytes[place]) break;
    for (let place = offset - 1; place >= 0 && from > 0; place -= 1, from -= 1)
      if (fold(view.bytes[from - 1] as number) !== bytes[place]) break;
    if (to - from < form.minRun) continue;
    if (form.secret.parts === 'none' && !isValue(view, from, to)) continue;
    mark(view, from, to, form.secret, marks);
    end = Math.max(end, to);
  }
  return end;
}

/** Marks secrets that are shorter than a window. */
function markShort(view: View, { short, startsShort }: SecretIndex, marks: Mark[]): void {
  for (let at = 0; short.size > 0 && at < view.length; at += 1) {
    const start = startOf(view.bytes, at);
    if (startsShort[start] === 0) continue;
    for (const { bytes, secret } of short.get(start) ?? []) {
      const to = at + bytes.length;
      if (to > view.length || !bytes.every((byte, place) => byte === fold(view.bytes[at + place] as number))) continue;
      const isBounded = bytes.length < (view.isGuess ? MIN_INSIDE_GUESS : MIN_INSIDE);
      const isAlone = !isBounded || (isEdge(view, at - 1) && isEdge(view, to));
      if (secret.parts === 'none' ? isValue(view, at, to) : isAlone) mark(view, at, to, secret, marks);
    }
  }
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
function ends({ bytes, length }: View, at: number, step: number): boolean {
  if (at < 0 || at >= length) return true;
  const byte = bytes[at] as number;
  // White space, and the quotes and dashes of print.
  if (byte <= 0x20 || byte === 0xe2) return true;
  const sign = String.fromCharCode(byte);
  if (step === 1 && /[.!?]/.test(sign)) return /[^A-Za-z0-9]/.test(String.fromCharCode(bytes[at + 1] ?? 32));
  return /["'`()[\]{}<>=&,;:|+\\]/.test(sign);
}

/** Whether a word ends here; in what may not be text, whether it looks like some here. */
function isEdge(view: View, at: number): boolean {
  if (at < 0 || at >= view.length) return true;
  const letter = String.fromCharCode(view.bytes[at] as number);
  return view.isGuess ? /[\0\s!-/:-@[-`{-~]/.test(letter) : !/[a-z0-9]/i.test(letter);
}

function mark(view: View, start: number, end: number, secret: NamedSecret, marks: Mark[]): void {
  const [from, to] = [view.from[start] as number, view.to[end - 1] as number];
  if (to > from) marks.push({ from, to, secret });
}
