/** What may stand in a header, and is short enough for one; in a recording, a value may be a pseudonym. */
const COOKIE = /^[\w.-]{1,99}=[ -~‹›]{0,4000}$/;

/** The cookies that headers of answers set, or that one of a request holds: names, and the last value of each. */
export function cookiesIn(headers: readonly (string | undefined)[]): Map<string, string> {
  const set = headers.flatMap((header) => header?.split(/,(?=[^;,]+=)|\n/) ?? []);
  const pairs = set.map((cookie) => cookie.split(';', 1).join('').trim()).filter((pair) => COOKIE.test(pair));
  return new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** As a request sends them. */
export const cookieHeader = (cookies: Iterable<readonly [name: string, value: string]>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
