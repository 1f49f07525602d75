import type { Readable, Writable } from 'node:stream';

/** Writes what comes from several processes to one stream, each line whole. */
export function passWholeLines(from: Readable | null, to: Writable): void {
  let rest = '';
  from?.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) to.write(rest + text.slice(0, end));
    rest = (end > 0 ? '' : rest) + text.slice(end);
  });
  from?.once('end', () => {
    if (rest !== '') to.write(`${rest}\n`);
  });
}
