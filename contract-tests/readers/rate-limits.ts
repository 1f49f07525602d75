import type { Entry } from '../log/entry.ts';
import { Undetermined } from './reader.ts';

/** Windows that limits usually have, in seconds. */
const USUAL_WINDOWS = [1, 10, 15, 30, 60, 300, 600, 900, 3600, 86_400];

type Seen = Pick<Entry, 'answer' | 'date'>;

interface Stated {
  /** Requests in a window. */
  limit: number;
  /** Seconds, where the headers say how long a window is. */
  window: number | undefined;
  /** Seconds until the window ends. */
  reset: number | undefined;
}

const NAMES = ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-policy', 'ratelimit'];

/** What the headers of one answer state; undefined where they state no limit. */
function statedIn({ answer, date }: Seen): Stated | undefined {
  const { headers } = answer.response;
  const all = NAMES.map((name) => headers[name] ?? '').join(';');
  const limit = /(?:^|[;,\s]|limit=|q=)(\d+)(?=$|[;,\s])/.exec(all)?.[1];
  if (limit === undefined) return undefined;
  const window = /\bw(?:indow)?=(\d+)/.exec(all)?.[1];
  const told = headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? /\b(?:reset|t)=(\d+)/.exec(all)?.[1];
  // A moment in time rather than a number of seconds: the seconds until then.
  const seconds = Number(told) > 1_000_000_000 ? Number(told) - date / 1000 : Number(told);
  return {
    limit: Number(limit),
    window: window === undefined ? undefined : Number(window),
    reset: told === undefined || Number.isNaN(seconds) ? undefined : seconds,
  };
}

/** What a limit is about: the operation, with any ids in its path. */
const routeOf = ({ answer: { request } }: Seen): string => {
  const segments = new URL(request.url).pathname.split('/');
  const path = segments.map((segment) => (/\d/.test(segment) && !/^v\d+$/.test(segment) ? '{id}' : segment)).join('/');
  return `${request.method} ${path}`;
};

/** The stated limit in requests a minute. Throws Undetermined where routes have separate limits, or no window is known. */
export function limitOf(seen: readonly Seen[]): number | undefined {
  const byRoute = new Map<string, Stated[]>();
  for (const each of seen) {
    const stated = statedIn(each);
    if (stated) byRoute.set(routeOf(each), [...(byRoute.get(routeOf(each)) ?? []), stated]);
  }
  const limits = [...byRoute].map(([route, all]) => ({ route, limit: all[0]?.limit ?? 0, window: windowOf(all) }));
  const [first] = limits;
  if (!first) return undefined;
  const text = limits.map(({ route, limit, window }) => `${route}: ${limit} in ${window ?? 'some'} s`);
  if (limits.some(({ limit, window }) => limit !== first.limit || window !== first.window))
    throw new Undetermined(`routes have limits of their own (${text.join('; ')})`);
  if (first.window === undefined) throw new Undetermined(`${text[0]}: no header says how long the window is`);
  return Math.round((first.limit * 60) / first.window);
}

/** The window that headers state; else the shortest usual one that is not over before its reset, where that is its length. */
function windowOf(all: readonly Stated[]): number | undefined {
  const stated = all.find(({ window }) => window !== undefined)?.window;
  if (stated !== undefined) return stated;
  const longest = Math.max(...all.map(({ reset = 0 }) => reset));
  return longest <= 0 ? undefined : USUAL_WINDOWS.find((window) => longest <= window && longest > window - 1.5);
}
