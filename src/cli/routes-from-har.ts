import { UsageError } from '../../contract-tests/errors.ts';
import { LeftOut, readHar } from '../../contract-tests/har/read-har.ts';
import type { Recorded } from '../../contract-tests/log/entry.ts';
import { type Found, OperationsIn } from '../../contract-tests/log/operations-in.ts';
import { Pseudonyms } from '../../contract-tests/secrets/pseudonyms.ts';
import { sieved } from '../../contract-tests/secrets/sieve.ts';
import { candidatePaths } from '../../contract-tests/session/gap-answers.ts';
import type { Answer } from '../../contract-tests/values/answer.ts';
import { groupBy } from '../../contract-tests/values/group.ts';
import { essenceOf, isJsonMediaType, isObject, parseJson } from '../../contract-tests/values/json.ts';
import { pathBelow } from '../../contract-tests/values/url.ts';
import { isControl } from '../control/is-control.ts';
import type { RouteRule } from '../core/custom-routes/route.ts';
import { formOf, queryOf } from '../core/message.ts';

export type RecordedRoutes = Awaited<ReturnType<typeof routesFromHar>>;

/** Headers that an app reads; others are about the connection, or the mock's. */
const kept = ['location', 'link', 'retry-after', 'content-disposition', 'etag', 'x-total-count'];
const longestBody = 1_000_000;
const longestAll = 50_000_000;
const mostAnswers = 50;
/** Statuses of temporary states, which a mock would repeat forever. */
const passing = new Set([401, 403, 429]);

type Method = NonNullable<RouteRule['method']>;
const servable: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const isServable = (method: string): method is Method => servable.includes(method as Method);

type Recording = ReturnType<typeof recordingOf>;

/** Custom routes from the undocumented exchanges of a HAR, without secrets. @param base URL of the API; else that of documented paths, or of what answered JSON */
export async function routesFromHar(file: string, base: string | undefined) {
  const baseUrl = base ?? (await baseIn(file));
  const operations = new OperationsIn(scopesPaths(), baseUrl);
  const pseudonyms = new Pseudonyms();
  const groups = new Map<string, Recording[]>();
  const leftOut = new Map<string, number>();
  const unread = new LeftOut();
  let used = 0;
  let size = 0;
  for await (const recorded of readHar(file, unread)) {
    // What is left out may show secrets that others repeat.
    const hidden = await pseudonyms.hide(recorded.answer);
    const found = operations.find(recorded.answer.request);
    const seen = found && { ...recorded, ...found };
    const why = seen ? reasonAgainst(seen, size) : 'of another service';
    if (why !== undefined) leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
    if (!seen || why !== undefined) continue;
    used += 1;
    size += seen.answer.response.body.length;
    const key = `${seen.answer.request.method} ${operations.find(hidden.request)?.path}`;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(recordingOf(hidden, baseUrl));
  }
  if (unread.count > 0) leftOut.set(`that cannot be read (the first: ${unread.problem})`, unread.count);
  const bare = operations.base(file);
  const routes = [...groups].flatMap(([key, recordings]) => rulesOf(key, recordings));
  // Of exchanges that were hidden.
  return sieved({ baseUrl: bare, routes, used, leftOut });
}

/** Finds the base URL in a first pass: calls before the first one of the API cannot be attributed otherwise. */
async function baseIn(file: string): Promise<string> {
  const operations = new OperationsIn(scopesPaths());
  const answeringJson = new Map<string, number>();
  for await (const { answer } of readHar(file)) {
    operations.find(answer.request);
    const { origin } = new URL(answer.request.url);
    if (isJsonMediaType(answer.response.headers['content-type']))
      answeringJson.set(origin, (answeringJson.get(origin) ?? 0) + 1);
  }
  const [[only] = [], ...others] = answeringJson;
  if (operations.isFound || only === undefined) return operations.base(file);
  if (others.length === 0) return only;
  const all = [...answeringJson].map(([origin, count]) => `${origin} (${count})`).join(', ');
  throw new UsageError(
    `${file}: no exchange has a documented path, and ${all} answered JSON. Name the API with --base-url.`,
  );
}

function reasonAgainst(seen: Found & Recorded, size: number): string | undefined {
  const { request, response } = seen.answer;
  const { body, status } = response;
  if (seen.operation) return 'of the API itself';
  if (isControl(seen.path)) return 'of the control plane of a mock';
  if (!isServable(request.method)) return 'of another method than GET, POST, PUT, PATCH and DELETE';
  if (passing.has(status) || status >= 500) return 'refused or failed (401, 403, 429, 5xx)';
  if (!seen.hasBody) return 'without the body in the recording';
  if (isBinary(body)) return 'with a body that is no text';
  if (body.length > longestBody || size + body.length > longestAll) return 'with a body that is too long';
  // It would end the section that keeps templates from being parsed.
  if (/\{%-?\s*endraw/.test(body)) return 'with the end of a template in its body';
  return undefined;
}

function recordingOf({ request, response }: Answer, baseUrl: string) {
  const { status, body } = response;
  const type = response.headers['content-type'] ?? '';
  // An answer that a browser had revalidated lacks its type.
  const json = type === '' ? parseJson(body) : jsonOf(type, body);
  const headers = Object.fromEntries(
    Object.entries(response.headers)
      .filter(([name]) => kept.includes(name))
      .map(([name, value]) => [
        name,
        plain(name === 'location' ? (pathBelow(baseUrl, value, request.url) ?? value) : value),
      ]),
  );
  // Text is served as JSON only if its type says so.
  const isText = json === undefined || typeof json === 'string';
  if (isText && body !== '' && type !== '') headers['content-type'] = type;
  return {
    query: queryOf(request.url),
    body: sentBody(request),
    hasToken: request.headers.Authorization !== undefined,
    answer: {
      status,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(body !== '' && { body: plain(isText ? body : json) }),
    },
  };
}

const jsonOf = (type: string, text: string): unknown => (/json/.test(type) ? parseJson(text) : undefined);

/** A body as a route will see it; undefined for multipart forms, whose random boundary no second request repeats. */
function sentBody({ body, headers }: Answer['request']): unknown {
  const type = headers['Content-Type'] ?? '';
  if (body === undefined || type.startsWith('multipart/') || isBinary(body)) return undefined;
  const json = jsonOf(type, body);
  if (json !== undefined) return json;
  return essenceOf(type) === 'application/x-www-form-urlencoded' ? formOf(body) : body;
}

const isBinary = (text: string): boolean => text.includes('\uFFFD') || text.includes('\0');

/** A value whose texts are not parsed as templates. */
function plain(value: string): string;
function plain(value: unknown): unknown;
function plain(value: unknown): unknown {
  if (typeof value === 'string') return /\{[{%]/.test(value) ? `{% raw %}${value}{% endraw %}` : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** The routes of one method and path, distinguished by query and body if the answers differ. */
function rulesOf(key: string, recordings: readonly Recording[]): RouteRule[] {
  const [sent = '', path = '/'] = key.split(' ');
  const method = isServable(sent) ? sent : 'GET';
  const rule = (same: readonly Recording[], when: RouteRule['when']): RouteRule => {
    const answers = distinct(same.map(({ answer }) => answer)).length === 1 ? [] : same.map(({ answer }) => answer);
    return {
      ...(method !== 'GET' && { method }),
      path,
      ...(same.every(({ hasToken }) => hasToken) && { auth: 'required' as const }),
      ...(when && { when }),
      ...(answers.length === 0 ? same[0]?.answer : { answers: answers.slice(0, mostAnswers) }),
    };
  };
  if (distinct(recordings.map(({ answer }) => answer)).length === 1) return [rule(recordings, undefined)];
  const byQuery = grouped(recordings, ({ query }) => query);
  return (
    byQuery
      .flatMap((sameQuery) => {
        const query = byQuery.length > 1 ? conditions(sameQuery[0]?.query ?? {}) : undefined;
        const byBody = grouped(sameQuery, ({ body }) => body);
        return byBody.map((same) => {
          const body = byBody.length > 1 && same[0]?.body !== undefined ? { $: { equals: same[0].body } } : undefined;
          return rule(same, query || body ? { ...(query && { query }), ...(body && { body }) } : undefined);
        });
      })
      // Fewer conditions last: otherwise they would match requests of the others.
      .toSorted((one, other) => asked(other) - asked(one))
  );
}

function asked({ when }: RouteRule): number {
  const values = Object.values(when?.query ?? {}).flatMap((matcher) => (isObject(matcher) ? matcher.equals : matcher));
  return values.length + (when?.body ? 1 : 0);
}

function conditions(query: Recording['query']): NonNullable<RouteRule['when']>['query'] | undefined {
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    Array.isArray(value) ? { equals: value } : value,
  ]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const distinct = (values: readonly unknown[]): string[] => [...new Set(values.map((value) => JSON.stringify(value)))];

const grouped = <T>(items: readonly T[], by: (item: T) => unknown): T[][] => [
  ...groupBy(items, (item) => JSON.stringify(by(item))).values(),
];

/** Exchanges that the mock answers by itself. */
const scopesPaths = (): string[] => candidatePaths('scopes-path', {}).slice(0, 1);
