import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import { refuseUnknown } from '../../core/options.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import type { Call, OperationId } from './call.ts';

/**
 * Pattern of a call. Only the named members are compared. Objects may have more members than expected, arrays may not; a RegExp is
 * tested against text; `expect.any(String)` and other asymmetric matchers of Vitest and Jest work anywhere.
 */
export interface CallPattern {
  readonly operation?: OperationId;
  readonly method?: string | RegExp;
  /** Without query and without the sandbox's prefix. */
  readonly path?: string | RegExp;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Names are case-insensitive; values of credentials are masked. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Passwords and tokens in it are masked. */
  readonly body?: unknown;
  /** Id of the authenticated user. */
  readonly user?: string;
  readonly status?: number;
}

/** How many calls are expected: exactly, or within bounds. Default: at least one. */
export type CallCount = number | { readonly min?: number; readonly max?: number };

/** The expectation of `calls`: a pattern and how many calls match it. */
export interface ExpectedCalls extends CallPattern {
  readonly count?: CallCount;
}

const patternNames = ['operation', 'method', 'path', 'query', 'headers', 'body', 'user', 'status'] as const;

/** @throws ConfigError for an unknown member or an invalid count */
export function checkPattern(pattern: ExpectedCalls, mayCount: boolean): void {
  refuseUnknown('calls', pattern, mayCount ? [...patternNames, 'count'] : patternNames);
  const { min, max } = boundsOf(pattern.count);
  const isWhole = (bound: number): boolean => bound === Number.POSITIVE_INFINITY || Number.isSafeInteger(bound);
  if (isWhole(min) && isWhole(max) && min >= 0 && max >= min) return;
  const found = JSON.stringify(pattern.count);
  throw new ConfigError([`calls: count is a whole number or { min, max }, with min up to max; it is ${found}`]);
}

export function boundsOf(count: CallCount | undefined): { readonly min: number; readonly max: number } {
  if (typeof count === 'number') return { min: count, max: count };
  // With only an upper bound, zero is enough.
  const { min = count?.max === undefined ? 1 : 0, max = Number.POSITIVE_INFINITY } = count ?? {};
  return { min, max };
}

export interface Field {
  /** Path, e.g. `body.analysis.key_topics.0`. */
  readonly name: string;
  readonly expected: unknown;
  readonly received: unknown;
  readonly isEqual: boolean;
}

export const compare = (pattern: CallPattern, call: Call): Field[] =>
  patternNames.flatMap((name) => {
    if (pattern[name] === undefined) return [];
    const expected = name === 'headers' ? lowerCased(pattern.headers) : pattern[name];
    const isMethod = name === 'method' && typeof expected === 'string';
    return [...fieldsOf(name, isMethod ? expected.toUpperCase() : expected, call[name])];
  });

export const isMatch = (pattern: CallPattern, call: Call): boolean =>
  compare(pattern, call).every(({ isEqual }) => isEqual);

const lowerCased = (headers: object = {}): object =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function* fieldsOf(name: string, expected: unknown, received: unknown): Generator<Field> {
  const isSameKind = Array.isArray(expected) === Array.isArray(received) && isPlainObject(received);
  if (!isPlainObject(expected) || !isSameKind) {
    yield { name, expected, received, isEqual: isEqualValue(expected, received) };
    return;
  }
  const names = Object.keys(expected);
  // Every element of an array is compared.
  const length = Array.isArray(expected) && expected.length !== Object.keys(received).length;
  if (length || names.length === 0) yield { name, expected, received, isEqual: !length };
  else for (const key of names) yield* fieldsOf(`${name}.${key}`, memberOf(expected, key), memberOf(received, key));
}

/** Objects whose members are compared one by one, arrays included. */
const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof RegExp) && !isAsymmetric(value);

/** A matcher of Vitest or Jest, such as `expect.any(String)`. */
interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): boolean;
  toAsymmetricMatcher?(): string;
}

const isAsymmetric = (value: object): value is AsymmetricMatcher =>
  'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function';

function isEqualValue(expected: unknown, received: unknown): boolean {
  if (expected instanceof RegExp) return typeof received === 'string' && received.search(expected) >= 0;
  if (typeof expected === 'object' && expected !== null && isAsymmetric(expected))
    return expected.asymmetricMatch(received);
  return Object.is(expected, received);
}

const maxShown = 120;

/** A value for a message: JSON, a matcher by its name, or `nothing`. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value instanceof RegExp) return asText(value);
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (member instanceof RegExp) return asText(member);
    if (typeof member !== 'object' || member === null || !isAsymmetric(member)) return member;
    return member.toAsymmetricMatcher?.() ?? asText(member);
  });
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
