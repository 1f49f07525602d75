import { isEqual, memberOf } from '../../../contract-tests/values/json.ts';
import { memoized } from '../memoized.ts';
import { isObject } from '../spec/document.ts';
import { memberAt } from '../spec/json.ts';
import { linearPattern } from './linear-pattern.ts';
import type { Matcher, RouteConditions, RouteRequest } from './route.ts';

/** Longer values are cut before matching: each part of a regular expression may take a step per character. */
const mostTested = 2000;

const whole = '$';

/** The differences of a request from these conditions, one line each; none if it matches. */
export function differencesFrom(when: RouteConditions | undefined, request: RouteRequest): string[] {
  if (!when) return [];
  const { query = {}, headers = {}, body = {} } = when;
  return [
    ...compared('query', query, (name) => memberOf(request.query, name)),
    ...compared('header', headers, (name) => memberOf(request.headers, name.toLowerCase())),
    ...compared('body', body, (path) => (path === whole ? request.body : memberAt(request.body, path.split('.')))),
  ];
}

function compared(place: string, matchers: Readonly<Record<string, Matcher>>, found: (name: string) => unknown) {
  return Object.entries(matchers).flatMap(([name, matcher]) => {
    const value = found(name);
    // Parameters and headers are texts; a parameter may be repeated.
    const isText = place !== 'body';
    const wantsAll = isObject(matcher) && Array.isArray(matcher.equals);
    const values = isText && Array.isArray(value) && !wantsAll ? value : [value];
    if (values.some((one) => isMatch(matcher, one, isText))) return [];
    return [`${place}${name === whole ? '' : ` ${name}`} must ${wanted(matcher)}, and is ${shown(value)}`];
  });
}

function isMatch(matcher: Matcher, value: unknown, isText: boolean): boolean {
  if (!isObject(matcher)) return isAsWanted(matcher, value, isText);
  const { equals, contains, matches, absent } = matcher as Exclude<Matcher, string | number | boolean | null>;
  if (absent !== undefined) return absent === (value === undefined);
  if (value === undefined) return false;
  if (contains !== undefined && !textOf(value).includes(contains)) return false;
  if (matches !== undefined && !patternOf(matches)(textOf(value).slice(0, mostTested))) return false;
  return equals === undefined || isAsWanted(equals, value, isText);
}

const patternOf = memoized(1000, linearPattern);

function isAsWanted(wanted: unknown, value: unknown, isText: boolean): boolean {
  if (!isText || value === undefined) return isEqual(wanted, value);
  return Array.isArray(wanted) ? isEqual(wanted.map(textOf), [value].flat()) : textOf(wanted) === value;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function wanted(matcher: Matcher): string {
  if (!isObject(matcher)) return `be ${shown(matcher)}`;
  const { equals, contains, matches, absent } = matcher as Exclude<Matcher, string | number | boolean | null>;
  if (absent !== undefined) return absent ? 'be absent' : 'be there';
  return [
    equals !== undefined && `be ${shown(equals)}`,
    contains !== undefined && `contain ${shown(contains)}`,
    matches !== undefined && `match ${matches}`,
  ]
    .filter(Boolean)
    .join(' and ');
}

/** A value for a message, cut if long. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
