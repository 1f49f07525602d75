import { type Anchor, foldedText, SecretIndex } from './secret-index.ts';
import type { NamedSecret } from './secrets.ts';
import { fromBase64, fromHex, textView, unescaped, type View } from './views.ts';
import { eachWindow, fold, WINDOW, WindowTable } from './windows.ts';

/** How many encodings around each other are undone: escapes, percent codes, entities, base64, hexadecimal. */
const MAX_DECODINGS = 4;
/** A whole secret that is shorter may occur by chance inside of a word. */
const MIN_INSIDE = 4;
/** The same in what may not have been an encoding at all. */
const MIN_INSIDE_GUESS = 6;

interface Mark {
  from: number;
  to: number;
  name: string;
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
    const look = (view: View, depth: number): void => {
      markRuns(view, index, marks);
      markShort(view, index, marks);
      if (depth === 0) return;
      for (const decode of [unescaped, fromBase64, fromHex]) {
        const next = decode(view);
        if (next) look(next, depth - 1);
      }
    };
    look(textView(text), MAX_DECODINGS);
    return marks;
  };

  return (text) => replaced(text, marksIn(text), labelOf);
}

/** Each text between marks as it is; overlapping marks are redacted as one. */
function replaced(text: string, marks: Mark[], labelOf: (name: string) => string): string {
  // From left to right, the longer of two that begin together first.
  marks.sort((a, b) => a.from - b.from || b.to - a.to);
  let result = '';
  let position = 0;
  for (const { from, to, name } of marks) {
    if (to <= position) continue;
    if (from >= position) result += `${text.slice(position, from)}‹${labelOf(name)}›`;
    position = to;
  }
  return result + text.slice(position);
}

/** Marks each run of windows of secrets of which one at least says something. */
function markRuns(view: View, index: SecretIndex, marks: Mark[]): void {
  let [start, end, last, extended, saysSomething] = [0, 0, 0, 0, false];
  const flush = (): void => {
    if (saysSomething) {
      const whole = index.names.get(foldedText(view.bytes.subarray(start, end)));
      mark(view, start, end, whole ?? index.forms[last]?.name ?? '', marks);
    }
    saysSomething = false;
  };
  eachWindow(view.bytes, view.length, (high, low, at) => {
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
    mark(view, from, to, form.name, marks);
    end = Math.max(end, to);
  }
  return end;
}

/** Marks secrets that are shorter than a window. */
function markShort(view: View, { short }: SecretIndex, marks: Mark[]): void {
  if (short.size === 0) return;
  const text = foldedText(view.bytes.subarray(0, view.length));
  for (const [length, forms] of short) {
    const isBounded = length < (view.isGuess ? MIN_INSIDE_GUESS : MIN_INSIDE);
    for (let at = 0; at + length <= text.length; at += 1) {
      const form = forms.get(text.slice(at, at + length));
      if (form && (!isBounded || (isEdge(view, at - 1) && isEdge(view, at + length))))
        mark(view, at, at + length, form.name, marks);
    }
  }
}

/** Whether a word ends here; in what may not be text, whether it looks like some here. */
function isEdge(view: View, at: number): boolean {
  if (at < 0 || at >= view.length) return true;
  const letter = String.fromCharCode(view.bytes[at] as number);
  return view.isGuess ? /[\0\s!-/:-@[-`{-~]/.test(letter) : !/[a-z0-9]/i.test(letter);
}

function mark(view: View, start: number, end: number, name: string, marks: Mark[]): void {
  const [from, to] = [view.from[start] as number, view.to[end - 1] as number];
  if (to > from) marks.push({ from, to, name });
}
