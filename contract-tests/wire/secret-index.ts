import type { NamedSecret } from './secrets.ts';
import { letters, textView, unescaped, type View } from './views.ts';
import { eachWindow, fold, WINDOW, WindowTable } from './windows.ts';

/** One way in which a secret may stand in a text, as folded bytes. */
export interface Form {
  bytes: Uint8Array;
  secret: NamedSecret;
  /** Minimum bytes of it that are redacted where not every window of it is in the index. */
  minRun: number;
}

/** A window from which a match is extended: of forms that are not indexed window by window. */
export interface Anchor {
  form: Form;
  offset: number;
}

/** Of an identity, such as an e-mail address, the start identifies it: the rest may be the name of a host. */
const MIN_IDENTITY_RUN = 12;
/** Of a longer secret not every window is indexed: a run of it is found that spans one. */
const MAX_WINDOWS = 8192;
/** Longer secrets are looked for as they are, and not from their end to their start. */
const MAX_VARIED = 10_000;
/** How many forms that have a window in common are compared where it is found. */
const MAX_ALIKE = 16;
/** How often escapes of a secret itself are undone. */
const MAX_UNESCAPING = 3;

/** The windows of all secrets, and of the text that anybody may know. */
export class SecretIndex {
  /** Window -> index into `forms`, of the first one that has it. */
  readonly windows = new WindowTable();
  readonly forms: Form[] = [];
  readonly anchorsOf = new WindowTable();
  readonly anchors: Anchor[][] = [];
  /** What whole forms are of: many tokens have windows in common. */
  readonly whole = new Map<string, NamedSecret>();
  /** What is shorter than a window, by its first two bytes; and whether there is any that begins so. */
  readonly short = new Map<number, Form[]>();
  readonly startsShort = new Uint8Array(1 << 16);
  readonly #common: WindowTable;
  readonly #open = new WindowTable();
  /** A bit for each window that is there, and for some others. */
  readonly #bits = new Uint8Array(BITS / 8);

  constructor(secrets: Iterable<NamedSecret>, common: WindowTable) {
    this.#common = common;
    for (const secret of secrets) this.add(secret);
  }

  add(secret: NamedSecret): void {
    for (const [at, bytes] of formsOf(secret.value).entries())
      this.#add(secret, bytes, at === 0 ? (secret.openLength ?? 0) : 0);
  }

  /** Whether it may have a window: most are known not to be there at once. */
  mayHave(high: number, low: number): boolean {
    const bit = bitOf(high, low);
    return ((this.#bits[bit >>> 3] as number) & (1 << (bit & 7))) !== 0;
  }

  #note(high: number, low: number): void {
    const bit = bitOf(high, low);
    this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] as number) | (1 << (bit & 7));
  }

  /** Whether a window is in text that anybody may know, or in what is open of a secret: by itself it says nothing. */
  isCommon(high: number, low: number): boolean {
    return this.#common.get(high, low) !== -1 || this.#open.get(high, low) !== -1;
  }

  #add(secret: NamedSecret, bytes: Uint8Array, openLength: number): void {
    const { isIdentity = false, parts } = secret;
    const minRun = parts === 'none' ? bytes.length : isIdentity ? Math.min(MIN_IDENTITY_RUN, bytes.length) : WINDOW;
    const form: Form = { bytes, secret, minRun };
    if (bytes.length < WINDOW) {
      const start = startOf(bytes, 0);
      this.startsShort[start] = 1;
      this.short.set(start, [...(this.short.get(start) ?? []), form]);
      return;
    }
    const stride = Math.ceil(bytes.length / MAX_WINDOWS);
    const index = this.forms.push(form) - 1;
    if (stride === 1 && !this.whole.has(foldedText(bytes))) this.whole.set(foldedText(bytes), secret);
    const isOne = isIdentity || parts === 'none';
    if (isOne || stride > 1) {
      const last = isOne ? 0 : bytes.length - WINDOW;
      for (let offset = 0; offset <= last; offset += stride)
        eachWindow(bytes.subarray(offset, offset + WINDOW), WINDOW, (high, low) =>
          this.#addAnchor(high, low, { form, offset }),
        );
      return;
    }
    const first: number[] = [];
    let isCommon = true;
    eachWindow(bytes, bytes.length, (high, low, offset) => {
      if (offset === 0) first.push(high, low);
      if (offset + WINDOW <= openLength) this.#open.set(high, low, 0);
      isCommon &&= this.isCommon(high, low);
      if (this.windows.get(high, low) === -1) this.windows.set(high, low, index);
      this.#note(high, low);
    });
    // No run of it says anything by itself, but the whole does.
    const [high = 0, low = 0] = first;
    if (isCommon) this.#addAnchor(high, low, { form: { ...form, minRun: bytes.length }, offset: 0 });
  }

  #addAnchor(high: number, low: number, anchor: Anchor): void {
    this.#note(high, low);
    const known = this.anchorsOf.get(high, low);
    // A secret that repeats itself has the same window at many places; one of them will do.
    if (known === -1) this.anchorsOf.set(high, low, this.anchors.push([anchor]) - 1);
    const alike = this.anchors[known] ?? [];
    if (alike.length < MAX_ALIKE && alike.every(({ form }) => form !== anchor.form)) alike.push(anchor);
  }
}

/** Two bytes as a number, in the letter case in which they are compared. */
export const startOf = (bytes: Uint8Array, at: number): number =>
  (fold(bytes[at] ?? 0) << 8) | fold(bytes[at + 1] ?? 0);

const BITS = 1 << 20;
const bitOf = (high: number, low: number): number => (Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b)) >>> 12;

/** A secret as it is, with its own escapes undone as they are in a text, and each from its end to its start. */
function formsOf(secret: string): Uint8Array[] {
  if (secret.length > MAX_VARIED) return [new TextEncoder().encode(secret).map(fold)];
  const views = [textView(secret)];
  for (let view: View | undefined = views[0]; view && views.length <= MAX_UNESCAPING; ) {
    view = unescaped(view);
    if (view && view.length > 0) views.push(view);
  }
  const texts = views.map(foldedBytes);
  const reversed = texts.map((bytes) =>
    new TextEncoder().encode([...new TextDecoder().decode(bytes)].reverse().join('')),
  );
  return [...texts, ...reversed];
}

const foldedBytes = ({ bytes, length }: View): Uint8Array => bytes.subarray(0, length).map(fold);

/** Bytes as text of one character each, in the letter case in which they are compared. */
export const foldedText = (bytes: Uint8Array): string => letters(bytes).toLowerCase().replaceAll('+', ' ');
