import isDeepEqual from 'fast-deep-equal';
import { headerOf, type queryOf, type RequestHeaders } from '../message.ts';
import { isObject } from '../spec/document.ts';
import type { FaultArm } from '../world/fault-arms.ts';

/** What arms can be limited by; the body as JSON, where it was read and is JSON. */
interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly query: ReturnType<typeof queryOf>;
  readonly operation: string | undefined;
  readonly body: unknown;
}

/** Whether an arm is for a request. */
export function isFor({ operation, request = {} }: FaultArm, sent: SentRequest): boolean {
  const { method, path, headers = {}, query = {}, body } = request;
  const isSent = (values: string | readonly string[] | undefined, pattern: string): boolean =>
    values !== undefined && [values].flat().some((value) => isLike(value, pattern));
  return (
    (operation === undefined || operation === sent.operation) &&
    (method === undefined || isLike(sent.method.toUpperCase(), method.toUpperCase())) &&
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
