/** A text as bytes, perhaps decoded, and for each byte from where to where it stands in the text (UTF-16 units). */
export interface View {
  readonly bytes: Uint8Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly length: number;
  /** Whether it was decoded from what may not have been an encoding at all. */
  readonly isGuess: boolean;
}

class Writer {
  #bytes: Uint8Array;
  #from: Int32Array;
  #to: Int32Array;
  #length = 0;

  constructor(capacity = 16) {
    this.#bytes = new Uint8Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#to = new Int32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Takes back what is behind a place. */
  cut(length: number): void {
    this.#length = length;
  }

  byte(value: number, from: number, to: number): void {
    if (this.#length === this.#bytes.length) this.#grow();
    this.#bytes[this.#length] = value;
    this.#from[this.#length] = from;
    this.#to[this.#length] = to;
    this.#length += 1;
  }

  #grow(): void {
    const larger = new Writer(this.#bytes.length * 2);
    larger.#bytes.set(this.#bytes);
    larger.#from.set(this.#from);
    larger.#to.set(this.#to);
    [this.#bytes, this.#from, this.#to] = [larger.#bytes, larger.#from, larger.#to];
  }

  /** A code point in UTF-8. A lone surrogate is written like any other. */
  point(point: number, from: number, to: number): void {
    if (point < 0x80) {
      this.byte(point, from, to);
      return;
    }
    if (point < 0x800) this.byte(0xc0 | (point >> 6), from, to);
    else {
      if (point < 0x10000) this.byte(0xe0 | (point >> 12), from, to);
      else {
        this.byte(0xf0 | (point >> 18), from, to);
        this.byte(0x80 | ((point >> 12) & 63), from, to);
      }
      this.byte(0x80 | ((point >> 6) & 63), from, to);
    }
    this.byte(0x80 | (point & 63), from, to);
  }

  done(isGuess: boolean): View {
    return { bytes: this.#bytes, from: this.#from, to: this.#to, length: this.#length, isGuess };
  }
}

const oneByOne = new TextDecoder('latin1');

/** Bytes as a text of one character each. */
export const letters = (bytes: Uint8Array): string => oneByOne.decode(bytes);

/** A text as it is. */
export function textView(text: string): View {
  const writer = new Writer(text.length);
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    const next = at + (point > 0xffff ? 2 : 1);
    writer.point(point, at, next);
    at = next;
  }
  return writer.done(false);
}

/** What stands at a place in an escaped form: a code point or a byte, and where it ends; undefined where it is itself. */
interface Decoded {
  value: number;
  isByte?: boolean;
  end: number;
}

/**
 * The view with escapes undone once: those of JSON and JavaScript (`\u003c`, `\x3c`, `\/`), percent codes, and the entities
 * of HTML. Undefined where there is none.
 */
export function unescaped(view: View): View | undefined {
  const { bytes, length, from, to } = view;
  // Most texts hold none, and are not copied to find that out.
  let first = 0;
  while (first < length && escapes[bytes[first] as number] === undefined) first += 1;
  if (first === length) return undefined;
  const writer = new Writer(length);
  let isChanged = false;
  for (let at = 0; at < length; ) {
    const found = escapes[bytes[at] as number]?.(view, at);
    if (found) {
      const [start, end] = [from[at] as number, to[found.end - 1] as number];
      if (found.isByte) writer.byte(found.value, start, end);
      else writer.point(found.value, start, end);
      isChanged = true;
      at = found.end;
    } else {
      writer.byte(bytes[at] as number, from[at] as number, to[at] as number);
      at += 1;
    }
  }
  return isChanged ? writer.done(view.isGuess) : undefined;
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, '0': 0 };

const escapes: readonly (((view: View, at: number) => Decoded | undefined) | undefined)[] = Array.from(
  { length: 256 },
  (_, byte) => (byte === 92 ? backslash : byte === 37 ? percent : byte === 38 ? entity : undefined),
);

function backslash(view: View, at: number): Decoded | undefined {
  const next = view.bytes[at + 1];
  if (next === undefined || at + 1 >= view.length) return undefined;
  const letter = String.fromCharCode(next);
  const coded = letter === 'u' ? unicode(view, at) : letter === 'x' ? hexByte(view, at) : undefined;
  if (coded) return coded;
  // Of a longer character the other bytes follow as they are.
  return { value: CONTROLS[letter] ?? next, isByte: true, end: at + 2 };
}

/** `\x3c`: a code point, or a byte where it looks like one of several that make a character in UTF-8. */
function hexByte(view: View, at: number): Decoded | undefined {
  const [coded, next] = [hex(view, at + 2, 2), hex(view, at + 6, 2)];
  const goesOn = (byte: Decoded | undefined): boolean => byte !== undefined && byte.value >= 0x80 && byte.value < 0xc0;
  return coded && { ...coded, isByte: goesOn(coded) || goesOn(next) };
}

/** `\u003c`, a pair of two such, or `\u{3c}`. */
function unicode(view: View, at: number): Decoded | undefined {
  if (view.bytes[at + 2] === 123) {
    const end = view.bytes.subarray(0, Math.min(view.length, at + 10)).indexOf(125, at + 3);
    const point = end === -1 ? undefined : hex(view, at + 3, end - at - 3);
    return point && point.value <= 0x10ffff ? { value: point.value, end: end + 1 } : undefined;
  }
  const first = hex(view, at + 2, 4);
  if (!first || first.value < 0xd800 || first.value > 0xdbff) return first;
  const isPair = view.bytes[first.end] === 92 && view.bytes[first.end + 1] === 117;
  const second = isPair ? hex(view, first.end + 2, 4) : undefined;
  if (!second || second.value < 0xdc00 || second.value > 0xdfff) return first;
  return { value: 0x10000 + ((first.value - 0xd800) << 10) + second.value - 0xdc00, end: second.end };
}

function percent(view: View, at: number): Decoded | undefined {
  if (view.bytes[at + 1] === 117) return hex(view, at + 2, 4);
  const coded = hex(view, at + 1, 2);
  return coded && { ...coded, isByte: true };
}

/** Latin letters and signs as PHP's htmlentities() names them, from U+00A0 on. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const ENTITIES: ReadonlyMap<string, number> = new Map([
  ...LATIN.split(' ').map((name, at): [string, number] => [name, 0xa0 + at]),
  ...Object.entries({
    amp: 38,
    lt: 60,
    gt: 62,
    quot: 34,
    apos: 39,
    sol: 47,
    bsol: 92,
    equals: 61,
    plus: 43,
    colon: 58,
  }),
]);

function entity(view: View, at: number): Decoded | undefined {
  const limit = Math.min(view.length, at + 12);
  const end = view.bytes.subarray(0, limit).indexOf(59, at + 1);
  if (end === -1) return undefined;
  const name = letters(view.bytes.subarray(at + 1, end));
  const digits = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
  const coded = digits?.[1] === undefined ? Number(digits?.[2] ?? Number.NaN) : Number.parseInt(digits[1], 16);
  const value = Number.isNaN(coded) ? ENTITIES.get(name) : coded;
  return value === undefined || value > 0x10ffff ? undefined : { value, end: end + 1 };
}

const HEX = digitsOf('0123456789abcdef');
for (const [at, letter] of [...'ABCDEF'].entries()) HEX[letter.charCodeAt(0)] = 10 + at;
const BASE64 = digitsOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
BASE64[45] = 62; // - and _ in base64url
BASE64[95] = 63;

function digitsOf(alphabet: string): Int8Array {
  const digits = new Int8Array(256).fill(-1);
  for (const [at, letter] of [...alphabet].entries()) digits[letter.charCodeAt(0)] = at;
  return digits;
}

/** The number that so many hexadecimal digits write; undefined where they are not. */
function hex({ bytes, length }: View, at: number, count: number): Decoded | undefined {
  if (count < 1 || at + count > length) return undefined;
  let value = 0;
  for (let digit = at; digit < at + count; digit += 1) {
    const worth = HEX[bytes[digit] as number] as number;
    if (worth === -1) return undefined;
    value = value * 16 + worth;
  }
  return { value, end: at + count };
}

/** Fewer digits in a row are rather a word. */
const MIN_DIGITS = 8;
/** Fewer bytes that may be text are so by chance. */
const MIN_TEXT = 6;

/** What each run of hexadecimal digits writes, from either of its first two digits on. */
export const fromHex = (view: View): View | undefined => fromDigits(view, HEX, 4);

/** What each run of base64 or base64url writes, from any of its first four characters on; line ends inside are skipped. */
export const fromBase64 = (view: View): View | undefined => fromDigits(view, BASE64, 6);

/** What runs of digits of some bits write as text, whichever digit the first byte starts with. */
function fromDigits(view: View, worth: Int8Array, bits: number): View | undefined {
  const { bytes, length } = view;
  const writer = new Writer();
  const aligned = bits === 4 ? 2 : 4;
  let [start, count] = [0, 0];
  for (let at = 0; at <= length; at += 1) {
    const byte = at < length ? (bytes[at] as number) : 0;
    if ((worth[byte] as number) >= 0) {
      if (count === 0) start = at;
      count += 1;
    } else if (count > 0 && (bits === 4 || (byte !== 10 && byte !== 13))) {
      for (let skip = 0; count >= MIN_DIGITS && skip < aligned; skip += 1)
        decodeRun(writer, view, { worth, bits, start, end: at, skip });
      count = 0;
    }
  }
  return writer.length === 0 ? undefined : writer.done(true);
}

interface Run {
  worth: Int8Array;
  bits: number;
  start: number;
  end: number;
  /** Digits before the first byte. */
  skip: number;
}

/** What a run writes where that may be text: other bytes are what digits that are no encoding give. */
function decodeRun(writer: Writer, view: View, { worth, bits, start, end, skip }: Run): void {
  let [buffer, held, first, skipped, follow] = [0, 0, start, 0, 0];
  let text = writer.length;
  const endText = (): void => {
    if (writer.length - text < MIN_TEXT) writer.cut(text);
    else writer.byte(0, 0, 0);
    text = writer.length;
    follow = 0;
  };
  for (let at = start; at < end; at += 1) {
    const digit = worth[view.bytes[at] as number] as number;
    if (digit < 0 || skipped++ < skip) continue;
    if (held === 0) first = at;
    buffer = ((buffer << bits) | digit) & 0xffff;
    held += bits;
    if (held < 8) continue;
    held -= 8;
    const byte = (buffer >> held) & 0xff;
    if (follow > 0 && (byte & 0xc0) !== 0x80) endText();
    if (follow > 0) follow -= 1;
    else if (byte >= 0xc2 && byte < 0xf5) follow = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    else if (byte > 0x7e || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) {
      endText();
      first = at;
      continue;
    }
    writer.byte(byte, view.from[first] as number, view.to[at] as number);
    first = at; // the bits that are left over stand in the same digit
  }
  endText();
}
