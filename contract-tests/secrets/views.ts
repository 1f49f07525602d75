import { memberOf } from '../values/json.ts';
import { fromBase64url } from '../values/secret-looks.ts';

/** A text, perhaps decoded; `places` says of each character, and of the end, where it is in the original. */
export interface View {
  text: string;
  places?: readonly number[];
  /** Whether it was decoded from what may not have been an encoding at all. */
  isGuess?: boolean;
}

export const placeIn = ({ places }: View, at: number): number => (places ? (places[at] as number) : at);

/** How many encodings around each other are undone: escapes, percent codes, entities, base64, hexadecimal. */
const MAX_DECODINGS = 4;

export function* viewsOf(text: string): Generator<View> {
  yield { text };
  yield* decodedOf({ text }, MAX_DECODINGS);
}

function* decodedOf(view: View, left: number): Generator<View> {
  for (const undo of left === 0 ? [] : [unescaped, fromBase64, fromHex]) {
    const next = undo(view);
    if (!next) continue;
    yield next;
    yield* decodedOf(next, left - 1);
  }
}

/** The escapes of JSON and JavaScript (`\u003c`, `\x3c`, `\/`), percent codes, the entities of HTML, the quote of shells, and the rest. */
const ESCAPE =
  /(?<quote>'\\'')|\\u\{(?<wide>[0-9a-f]{1,6})\}|[\\%]u(?<unit>[0-9a-f]{4})|&#x(?<hex>[0-9a-f]{1,6});|&#(?<decimal>\d{1,7});|&(?<name>[a-z]{2,6});|(?:\\x|%)(?<byte>[0-9a-f]{2})|\\(?<sign>.)|[^\\%&']+|[\\%&']/gis;
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0' };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What an escape writes; of a code of a byte, a character of that number. */
function signOf({ quote, name, sign, decimal, wide, unit, hex, byte }: Record<string, string | undefined>) {
  if (quote !== undefined) return "'";
  if (name !== undefined) return memberOf(ENTITIES, name);
  if (sign !== undefined) return memberOf(CONTROLS, sign) ?? sign;
  const point = decimal === undefined ? Number.parseInt(wide ?? unit ?? hex ?? byte ?? '', 16) : Number(decimal);
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

export function unescaped(view: View): View | undefined {
  if (!/[\\%&]/.test(view.text)) return undefined; // most texts hold none
  const places: number[] = [];
  let text = '';
  for (const { 0: written, index, groups = {} } of view.text.matchAll(ESCAPE)) {
    const sign = signOf(groups) ?? written;
    text += sign;
    for (let unit = 0; unit < sign.length; unit += 1)
      places.push(placeIn(view, sign === written ? index + unit : index));
  }
  places.push(placeIn(view, view.text.length));
  return text === view.text ? undefined : { ...view, text, places };
}

export function plainOf(text: string): string {
  let view: View = { text };
  for (let left = MAX_DECODINGS; left > 0; left -= 1) view = unescaped(view) ?? view;
  return textOf(view.text);
}

export const reversed = (text: string): string => [...text].reverse().join('');

/** What bytes, a character each, write in UTF-8; the text itself where they write none. */
export function textOf(bytes: string): string {
  if (/[^\0-\xff]/.test(bytes) || !/[\x80-\xff]/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (sign) => sign.charCodeAt(0)));
  } catch {
    return bytes;
  }
}

/** The bytes of a text in UTF-8, a character each, as decoders of bytes give them. */
export const bytesOf = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** Bytes that may be text: others are what digits that are no encoding give. */
const TEXT = /(?:[\t\n\r -~]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){6,}/g;
const BASE64 = /[A-Za-z0-9+/_-](?:[\r\n]{0,2}[A-Za-z0-9+/_-]){7,}/g;
const HEX = /[0-9a-f]{8,}/gi;

/** What each run of base64 or base64url writes, from any of its first four characters on. */
const fromBase64 = (view: View): View | undefined =>
  fromDigits(view, BASE64, 6, (digits) => fromBase64url(digits.length % 4 === 1 ? digits.slice(0, -1) : digits));

/** What each run of hexadecimal digits writes, from either of its first two digits on. */
const fromHex = (view: View): View | undefined => fromDigits(view, HEX, 4, textInHex);
const textInHex = (digits: string) => digits.replace(/..?/g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));

/** What runs of digits of some bits write as text, whichever digit the first byte starts with. */
function fromDigits(view: View, runs: RegExp, bits: 4 | 6, decode: (digits: string) => string): View | undefined {
  const places: number[] = [];
  let text = '';
  for (const { 0: run, index } of view.text.matchAll(runs)) {
    const breaks = run.includes('\n') || run.includes('\r');
    const digits = breaks ? run.replace(/[\r\n]/g, '') : run;
    const at = breaks ? [...[...run].keys()].filter((each) => !/[\r\n]/.test(run[each] as string)) : undefined;
    for (let skip = 0; skip < bits - 2; skip += 1) {
      for (const { 0: part, index: first } of decode(digits.slice(skip)).matchAll(TEXT)) {
        text += `${part}\0`;
        for (let byte = first; byte <= first + part.length; byte += 1) {
          const digit = Math.min(skip + Math.floor((byte * 8) / bits), digits.length);
          places.push(placeIn(view, index + (at ? (at[digit] ?? run.length) : digit)));
        }
      }
    }
  }
  places.push(placeIn(view, view.text.length));
  return text === '' ? undefined : { text, places, isGuess: true };
}
