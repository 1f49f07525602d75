import { utf8 } from './crypto.ts';
import type { Delivery } from './message.ts';

/** A part of a body, and the pause after it in milliseconds. */
export interface Piece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pauseMs: number;
}

/** Interval between pieces of a throttled body, in milliseconds, if a piece has at least one byte. */
const beat = 100;

/** The body of a delivery in pieces, with their pauses, up to the point where it is cut off. */
export function* piecesOf(delivery: Delivery): Generator<Piece> {
  let left = delivery.closeAfter ?? Number.POSITIVE_INFINITY;
  for (const { bytes, pauseMs } of wholePieces(delivery)) {
    if (left <= 0) return;
    yield { bytes: bytes.subarray(0, left), pauseMs };
    left -= bytes.length;
  }
}

function* wholePieces({ text, pieces, bytesPerSecond }: Delivery): Generator<Piece> {
  const bytesOf = (part: string) => utf8(part) as Uint8Array<ArrayBuffer>;
  if (bytesPerSecond !== undefined) {
    const bytes = bytesOf(text);
    const size = Math.max(1, Math.floor((bytesPerSecond * beat) / 1000));
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size);
      yield { bytes: piece, pauseMs: (1000 * piece.length) / bytesPerSecond };
    }
    return;
  }
  if (pieces === undefined) {
    yield { bytes: bytesOf(text), pauseMs: 0 };
    return;
  }
  const characters = [...text];
  for (let at = 0; at < characters.length; at += pieces.size)
    yield { bytes: bytesOf(characters.slice(at, at + pieces.size).join('')), pauseMs: pieces.everyMs };
}
