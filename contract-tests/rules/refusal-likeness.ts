import type { Answer } from '../values/answer.ts';
import { isObject, parseJson } from '../values/json.ts';
import { decoded } from '../values/url.ts';

/** What a refusal says, by the way to each value in its body, without what belongs to the one request. */
type Essence = Map<string, string>;

/** A text without the request's own path, and without ids, times and counts. */
function withoutRequest(text: string, { url }: Answer['request']): string {
  const { pathname } = new URL(url);
  const inside = pathname.slice(pathname.indexOf('/v1/')); // a gateway may have removed the start of the path
  const own = [url, pathname, inside, pathname.slice(1), inside.slice(1)].flatMap((each) => [each, decoded(each)]);
  const ids = inside
    .split('/')
    .slice(4)
    .reverse()
    .flatMap((each) => [each, decoded(each)]);
  return [...own, ...ids]
    .filter((part) => part.length > 3)
    .reduce((left, part) => left.replaceAll(part, '·'), text)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}|\d+/gi, '#');
}

function leavesOf(value: unknown, path: string): [string, string][] {
  if (!Array.isArray(value) && !isObject(value)) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, inside]) => leavesOf(inside, `${path}/${name}`));
}

function essenceOf({ request, response }: Answer): Essence {
  const json = parseJson(response.body);
  const leaves = json === undefined ? [['', response.body] as [string, string]] : leavesOf(json, '');
  return new Map([
    ['status', String(response.status)],
    ['content-type', response.headers['content-type'] ?? ''],
    ...leaves.map(([name, text]): [string, string] => [name, withoutRequest(text, request)]),
  ]);
}

/** The names of values in which two refusals differ. */
function differences(a: Essence, b: Essence): Set<string> {
  return new Set([...a.keys(), ...b.keys()].filter((name) => a.get(name) !== b.get(name)));
}

/**
 * Whether a refusal means that there is no such thing at a path that exists: a made-up one is refused alike, and unknown
 * paths are refused in another way. Values that differ from one request to the next, such as a trace, do not count; they are
 * those in which the refusals of unknown paths differ.
 */
export function saysNoSuchThing(refusal: Answer, madeUp: Answer, nowhere: readonly Answer[]): boolean {
  const [first, ...others] = nowhere.map(essenceOf);
  if (!first) return false;
  const volatile = new Set(others.flatMap((other) => [...differences(first, other)]));
  const isLike = (a: Essence, b: Essence): boolean => [...differences(a, b)].every((name) => volatile.has(name));
  const own = essenceOf(refusal);
  return isLike(own, essenceOf(madeUp)) && ![first, ...others].some((each) => isLike(own, each));
}
