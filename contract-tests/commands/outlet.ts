import { appendFileSync, writeFileSync } from 'node:fs';
import { Secrets } from '../secrets/secrets.ts';
import { isSieved } from '../secrets/sieve.ts';

export type Outgoing = string | Rendered;

/** Text rendered from sieved values. Only `rendered` makes it. */
class Rendered {
  constructor(readonly text: string) {}
}

/** The text that a value is rendered as. The value must have come through a sieve, which tells secrets by their places; else the text goes through it. */
export function rendered<T extends object>(value: T, render: (value: T) => string): Outgoing {
  const text = render(value);
  return [value].flat().every((part) => isSieved(part as object)) ? new Rendered(text) : text;
}

const sieved = (text: Outgoing): string => (text instanceof Rendered ? text.text : Secrets.scrubLatest(text));

/** The one place through which all leaves this process that the suite knows of a target; recordings have their own, HarFile. */
export const outlet = {
  print: (stream: 'stdout' | 'stderr', text: Outgoing): boolean => process[stream].write(sieved(text)),
  /** Throws what Node throws where the file cannot be written. `wx` fails where there is a file. */
  write: (file: string, text: Outgoing, flag: 'w' | 'wx' = 'w'): void => writeFileSync(file, sieved(text), { flag }),
  append: (file: string, text: Outgoing): void => appendFileSync(file, sieved(text)),
};
