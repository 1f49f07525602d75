/** A text as bytes, perhaps decoded, and for each byte from where to where it is in the text (UTF-16 units). */
export type View = Readonly<ReturnType<Writer['done']>>;

const utf8 = new TextEncoder();
const oneByOne = new TextDecoder('latin1');

/** Bytes as a text of one character each. */
export const letters = (bytes: Uint8Array): string => oneByOne.decode(bytes);

class Writer {
  #bytes: Uint8Array;
  #from: Int32Array;
  #to: Int32Array;
  length = 0;

  constructor(capacity = 64) {
    this.#bytes = new Uint8Array(capacity);
    this.#from = new Int32Array(capacity);
    this.#to = new Int32Array(capacity);
  }

  byte(value: number, from: number, to: number): void {
    if (this.length === this.#bytes.length) this.#grow();
    this.#bytes[this.length] = value;
    this.#from[this.length] = from;
    this.#to[this.length] = to;
    this.length += 1;
  }

  #grow(): void {
    const larger = new Writer(this.#bytes.length * 2);
    larger.#bytes.set(this.#bytes);
    larger.#from.set(this.#from);
    larger.#to.set(this.#to);
    [this.#bytes, this.#from, this.#to] = [larger.#bytes, larger.#from, larger.#to];
  }

  point(point: number, from: number, to: number): void {
    if (point < 0x80) this.byte(point, from, to);
    else for (const byte of utf8.encode(String.fromCodePoint(point))) this.byte(byte, from, to);
  }

  /** @param isGuess whether it was decoded from what may not have been an encoding at all */
  done(isGuess: boolean) {
    const part = <T extends Uint8Array | Int32Array>(list: T): T => list.subarray(0, this.length) as T;
    return { bytes: part(this.#bytes), from: part(this.#from), to: part(this.#to), isGuess };
  }
}

/** How many encodings around each other are undone: escapes, percent codes, entities, base64, hexadecimal. */
const MAX_DECODINGS = 4;

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

/** The escapes of JSON and JavaScript (`\u003c`, `\x3c`, `\/`), percent codes, and the entities of HTML. */
const ESCAPE =
  /\\u(?<high>d[89ab][0-9a-f]{2})\\u(?<low>d[c-f][0-9a-f]{2})|\\u\{(?<wide>[0-9a-f]{1,6})\}|[\\%]u(?<unit>[0-9a-f]{4})|&#x(?<hex>[0-9a-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>\w{2,8});|\\x(?<code>[0-9a-f]{2})|%(?<byte>[0-9a-f]{2})|\\(?<sign>.)/gis;
/** A byte that continues a character in UTF-8, as `\x` writes it. */
const CONTINUING = /^\\x[89ab]/i;
const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, '0': 0 };

/** The view with escapes undone once; undefined where there is none. */
export function unescaped({ bytes, from, to, isGuess }: View): View | undefined {
  const text = letters(bytes);
  if (!/[\\%&]/.test(text)) return undefined; // most texts hold none
  const writer = new Writer(bytes.length);
  let position = 0;
  const keepUntil = (end: number): void => {
    for (; position < end; position += 1)
      writer.byte(bytes[position] as number, from[position] as number, to[position] as number);
  };
  for (const { 0: written, index, groups = {} } of text.matchAll(ESCAPE)) {
    const { code, byte = code, sign } = groups;
    const value = sign === undefined ? numberIn(groups) : (CONTROLS[sign] ?? bytes[index + 1]);
    if (value === undefined) continue;
    keepUntil(index);
    position += written.length;
    const [start, end] = [from[index] as number, to[position - 1] as number];
    // Of a longer character after a backslash, the other bytes follow as they are.
    const isCodePoint =
      code !== undefined &&
      !CONTINUING.test(text.slice(index, index + 4)) &&
      !CONTINUING.test(text.slice(position, position + 4));
    if ((byte !== undefined || sign !== undefined) && !isCodePoint) writer.byte(value, start, end);
    else writer.point(value, start, end);
  }
  if (position === 0) return undefined;
  keepUntil(bytes.length);
  return writer.done(isGuess);
}

/** The code point, or the byte, that an escape writes in digits or by its name. */
function numberIn(groups: Record<string, string | undefined>): number | undefined {
  const { high, low, wide, unit, hex, code, byte, decimal, name } = groups;
  if (name !== undefined) return ENTITIES.get(name);
  if (high !== undefined)
    return 0x10000 + ((Number.parseInt(high, 16) - 0xd800) << 10) + Number.parseInt(low ?? '', 16) - 0xdc00;
  const value =
    decimal === undefined ? Number.parseInt(wide ?? unit ?? hex ?? code ?? byte ?? '', 16) : Number(decimal);
  return value <= 0x10ffff ? value : undefined;
}

/** Latin letters and signs as PHP's htmlentities() names them, from U+00A0 on. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const SIGNS = { amp: 38, lt: 60, gt: 62, quot: 34, apos: 39, sol: 47, bsol: 92, equals: 61, plus: 43, colon: 58 };
const ENTITIES: ReadonlyMap<string, number> = new Map([
  ...LATIN.split(' ').map((name, at): [string, number] => [name, 0xa0 + at]),
  ...Object.entries(SIGNS),
]);

/** What each digit is worth; -1 for what is none. */
const worthOf = (digits: string): Int8Array =>
  Int8Array.from({ length: 256 }, (_, byte) => digits.indexOf(String.fromCharCode(byte)));
const HEX = worthOf('0123456789abcdef').map((worth, byte) => (byte > 64 && byte < 71 ? byte - 55 : worth));
const BASE64 = worthOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
[BASE64[45], BASE64[95]] = [62, 63]; // - and _ in base64url

/** Fewer digits in a row are rather a word. */
const MIN_DIGITS = 8;
/** Fewer bytes that may be text are so by chance. */
const MIN_TEXT = 6;

/** What each run of hexadecimal digits writes, from either of its first two digits on. */
const fromHex = (view: View): View | undefined => fromDigits(view, HEX, 4);

/** What each run of base64 or base64url writes, from any of its first four characters on; line ends inside are skipped. */
const fromBase64 = (view: View): View | undefined => fromDigits(view, BASE64, 6);

/** What runs of digits of some bits write as text, whichever digit the first byte starts with. */
function fromDigits(view: View, worth: Int8Array, bits: number): View | undefined {
  const writer = new Writer();
  let digits: number[] = [];
  for (let at = 0; at <= view.bytes.length; at += 1) {
    const byte = view.bytes[at] ?? 0;
    if ((worth[byte] as number) >= 0) digits.push(at);
    else if (digits.length > 0 && (bits === 4 || (byte !== 10 && byte !== 13))) {
      for (let skip = 0; digits.length >= MIN_DIGITS && skip < (bits === 4 ? 2 : 4); skip += 1)
        decodeRun(writer, view, digits.slice(skip), worth, bits);
      digits = [];
    }
  }
  return writer.length === 0 ? undefined : writer.done(true);
}

/** What the digits at these places write where that may be text: other bytes are what digits that are no encoding give. */
function decodeRun(writer: Writer, view: View, digits: readonly number[], worth: Int8Array, bits: number): void {
  let [buffer, held, first, follow] = [0, 0, 0, 0];
  let text = writer.length;
  const endText = (): void => {
    if (writer.length - text < MIN_TEXT) writer.length = text;
    else writer.byte(0, 0, 0);
    text = writer.length;
    follow = 0;
  };
  for (const at of digits) {
    if (held === 0) first = at;
    buffer = ((buffer << bits) | (worth[view.bytes[at] as number] as number)) & 0xffff;
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
    first = at; // the bits that are left over are in the same digit
  }
  endText();
}
