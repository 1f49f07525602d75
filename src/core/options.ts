import { asNumber, asText, memberOf } from '../../contract-tests/values/json.ts';
import { didYouMean } from './profiles/did-you-mean.ts';
import { ConfigError } from './spec/config-error.ts';
import { isObject } from './spec/json.ts';

/** What an option may be: in words, whether a value is that, and how the command line reads it, unless as a text. */
export type Kind = readonly [expected: string, fits: (value: unknown) => boolean, read?: 'number' | 'list'];

/** An option of a mock. Command line, environment, types, checks of values and the reference are derived from these rows. */
export interface Row<T> {
  readonly kind: Kind;
  /** As the command line has it: `--name <value>`; none where only code can give it. */
  readonly flag?: string;
  readonly help?: string;
  readonly choices?: readonly string[];
  /** The attributes of flags that it cannot go with. */
  readonly conflicts?: readonly string[];
  /** What the command line takes where it is not given. */
  readonly usually?: T;
}

/** A row of such a value, or of one that code may give in place of what the command line gives. */
export const row = <T>(of: Row<T>): Row<T> => of;

/** The options that the rows of a table describe. */
export type OptionsOf<Rows> = {
  readonly [Name in keyof Rows]?: (Rows[Name] extends Row<infer T> ? T : never) | undefined;
};

export const wholeNumber = (min: number, max: number): Kind => [
  `a whole number from ${min} to ${max}`,
  (value) => Number.isInteger(value) && asNumber(value) >= min && asNumber(value) <= max,
  'number',
];
export const oneOf = (...values: readonly unknown[]): Kind => [
  values.map(asText).join(' or '),
  (value) => values.includes(value),
];
export const either = (one: Kind, other: Kind): Kind => [
  `${one[0]}, or ${other[0]}`,
  (value) => one[1](value) || other[1](value),
];
const text: Kind = ['a string that is not empty', (value) => typeof value === 'string' && value.trim() !== ''];

/** Of options in JavaScript; the command line takes the same numbers. */
export const kinds = {
  /** Its reader checks it. */
  any: ['', () => true],
  text,
  list: ['a list', Array.isArray, 'list'],
  texts: ['a list of strings that are not empty', (value) => Array.isArray(value) && value.every(text[1]), 'list'],
  switch: oneOf(true, false),
  baseUrl: [
    'a URL without query and fragment',
    (value) => typeof value === 'string' && URL.canParse(value) && !/[?#]/.test(value),
  ],
  object: ['an object', isObject],
  function: ['a function', (value) => typeof value === 'function'],
  port: wholeNumber(0, 65_535),
  seed: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  recordings: wholeNumber(0, 1_000_000),
  sandboxes: wholeNumber(0, 100_000),
  sandboxTtl: wholeNumber(1, 31_536_000),
  latency: wholeNumber(0, 600_000),
  upstreamTimeout: wholeNumber(1, 3_600_000),
  drain: wholeNumber(0, 3_600_000),
} as const satisfies Record<string, Kind>;

/** The options of every mock, in pages, too. */
export const worldOptions = {
  /** Seed of every id, token and generated record. Default 1. */
  seed: row<number>({
    kind: kinds.seed,
    flag: '--seed <number>',
    help: 'seed of ids, tokens and generated records',
    usually: 1,
  }),
  /** Total recordings; at least those of the fixtures. */
  recordings: row<number>({
    kind: kinds.recordings,
    flag: '--recordings <number>',
    help: 'number of recordings; missing ones are generated',
  }),
  /** Faults to arm, with optional terms: `title-truncated`, `delay:ms=800;times=3`. */
  faults: row<readonly string[]>({
    kind: kinds.texts,
    flag: '--fault <fault>',
    help: 'arm a fault (see `faults`), e.g. latency or "delay:ms=800"; repeatable',
  }),
  /** Maximum number of sandboxes. Default 1,000. */
  sandboxes: row<number>({
    kind: kinds.sandboxes,
    flag: '--sandboxes <number>',
    help: 'maximum number of sandboxes',
    usually: 1000,
  }),
  /** Milliseconds that every answer is held back. */
  latency: row<number>({ kind: kinds.latency, flag: '--latency <ms>', help: 'delay every response', usually: 0 }),
};

export type WorldOptions = OptionsOf<typeof worldOptions>;

/** For callers in JavaScript. @throws ConfigError for unknown options, and for values of another kind */
export function checkOptions(call: string, options: object, known: Readonly<Record<string, { kind: Kind }>>): void {
  refuseUnknown(call, options, Object.keys(known));
  const problems = Object.entries(options).flatMap(([name, value]) => {
    const [expected, fits] = memberOf(known, name)?.kind ?? kinds.any;
    return value === undefined || fits(value) ? [] : [`${call}: ${name} must be ${expected}; it is ${shown(value)}`];
  });
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Objects may hold secrets, or themselves. */
function shown(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) return JSON.stringify(value).slice(0, 100);
  return typeof value === 'function' || isObject(value) ? `of type ${typeof value}` : asText(value);
}

/** For callers in JavaScript: a misspelt option would have no effect, so it throws ConfigError with the allowed ones. */
export function refuseUnknown(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new ConfigError([`${call} takes an object of options, not ${JSON.stringify(options)}`]);
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new ConfigError([
    `${call} has no option ${unknown.join(', ')}; it takes ${known.join(', ')}${didYouMean(unknown, known)}`,
  ]);
}
