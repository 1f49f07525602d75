import isDeepEqual from 'fast-deep-equal';
import { headerOf, pathOf, queryOf } from '../message.ts';
import type { Arrival } from '../operations/behaviour.ts';
import { isObject } from '../spec/document.ts';
import type { FaultArm, RequestMatch } from '../world/fault-arms.ts';

/** What arms can be limited by. Each part is read once, by the first arm that needs it: hundreds may be armed. */
export class MatchedRequest {
  readonly method: string;
  readonly headers: Arrival['headers'];
  #path?: string;
  #query?: ReturnType<typeof queryOf>;
  #operation?: { readonly id: string | undefined };

  /** `body`: as JSON, where it was read and is JSON. */
  constructor(
    private readonly arrival: Arrival,
    private readonly findOperation: () => string | undefined,
    readonly body: unknown,
  ) {
    this.method = arrival.method.toUpperCase();
    this.headers = arrival.headers;
  }

  get path(): string {
    this.#path ??= pathOf(this.arrival.url);
    return this.#path;
  }

  get query(): ReturnType<typeof queryOf> {
    this.#query ??= queryOf(this.arrival.url);
    return this.#query;
  }

  get operation(): string | undefined {
    this.#operation ??= { id: this.findOperation() };
    return this.#operation.id;
  }
}

/** Whether an arm is for a request. */
export function isFor({ operation, request }: FaultArm, sent: MatchedRequest): boolean {
  if (operation !== undefined && operation !== sent.operation) return false;
  return request === undefined || isMatch(request, sent);
}

function isMatch({ method, path, headers = {}, query = {}, body }: RequestMatch, sent: MatchedRequest): boolean {
  const isSent = (values: string | readonly string[] | undefined, pattern: string): boolean =>
    values !== undefined && [values].flat().some((value) => isLike(value, pattern));
  return (
    (method === undefined || isLike(sent.method, method.toUpperCase())) &&
    (path === undefined || isLike(sent.path, path)) &&
    Object.entries(headers).every(([name, value]) => isSent(headerOf(sent.headers, name.toLowerCase()), value)) &&
    Object.entries(query).every(([name, value]) => isSent(sent.query[name], value)) &&
    (body === undefined || contains(sent.body, body))
  );
}

/** Whether a text is as a pattern says, in which `*` matches anything. In linear time, unlike a regular expression. */
export function isLike(text: string, pattern: string): boolean {
  if (!pattern.includes('*')) return text === pattern;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Whether a value has at least the members of another. */
function contains(value: unknown, expected: unknown): boolean {
  if (typeof expected === 'string') return typeof value === 'string' && isLike(value, expected);
  if (!isObject(expected)) return isDeepEqual(value, expected);
  return isObject(value) && Object.entries(expected).every(([name, member]) => contains(value[name], member));
}
