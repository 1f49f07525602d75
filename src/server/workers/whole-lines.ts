import type { Readable } from 'node:stream';

/** Gives what a stream brings to `write`, lines whole: so those of several processes can go into one. */
export function passWholeLines(from: Readable | null, write: (lines: string) => void): void {
  let rest = '';
  from?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) write(rest + text.slice(0, end));
    rest = (end > 0 ? '' : rest) + text.slice(end);
  });
  from?.once('end', () => {
    if (rest !== '') write(`${rest}\n`);
  });
}
