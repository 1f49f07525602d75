/** Bytes in a row that identify a secret. */
export const WINDOW = 8;

/** Letter case says nothing, since header names lose it; and a form writes a space as `+`. */
export const fold = (byte: number): number => (byte >= 65 && byte <= 90 ? byte + 32 : byte === 43 ? 32 : byte);

/** Takes windows of eight bytes to numbers from 0 on: exact, and in typed arrays, since a token may have millions of them. */
export class WindowTable {
  #keys = new Uint32Array(2 * 1024);
  #values = new Int32Array(1024).fill(-1);
  #size = 0;

  /** The number of a window; -1 where it has none. */
  get(high: number, low: number): number {
    return this.#values[this.#slotOf(high, low)] as number;
  }

  set(high: number, low: number, value: number): void {
    if (this.#size * 2 >= this.#values.length) this.#grow();
    const slot = this.#slotOf(high, low);
    if (this.#values[slot] === -1) this.#size += 1;
    this.#keys[2 * slot] = high;
    this.#keys[2 * slot + 1] = low;
    this.#values[slot] = value;
  }

  /** Where a window is, or would be. */
  #slotOf(high: number, low: number): number {
    const mask = this.#values.length - 1;
    const mixed = Math.imul(high, 0x9e3779b1) ^ Math.imul(low, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (this.#values[slot] !== -1 && (this.#keys[2 * slot] !== high || this.#keys[2 * slot + 1] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Uint32Array(keys.length * 2);
    this.#values = new Int32Array(values.length * 2).fill(-1);
    this.#size = 0;
    values.forEach((value, slot) => {
      if (value !== -1) this.set(keys[2 * slot] as number, keys[2 * slot + 1] as number, value);
    });
  }
}

/** Calls `visit` with each window of the bytes, folded, and where it starts. */
export function eachWindow(bytes: Uint8Array, visit: (high: number, low: number, start: number) => void): void {
  let [high, low] = [0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    high = ((high << 8) | (low >>> 24)) >>> 0;
    low = ((low << 8) | fold(bytes[at] as number)) >>> 0;
    if (at >= WINDOW - 1) visit(high, low, at - WINDOW + 1);
  }
}
