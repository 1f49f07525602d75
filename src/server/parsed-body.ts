import type { IncomingMessage } from 'node:http';
import { asText, essenceOf, isObject } from '../../contract-tests/values/json.ts';

/** The body that middleware before the mock, such as `express.json()`, has read and parsed, as bytes; undefined if none has read it. */
export function parsedBody(request: IncomingMessage & { readonly body?: unknown }): Buffer | undefined {
  const { body, headers } = request;
  if (!request.readableDidRead || body === undefined) return undefined;
  if (Buffer.isBuffer(body) || typeof body === 'string') return Buffer.from(body);
  if (essenceOf(headers['content-type']) !== 'application/x-www-form-urlencoded' || !isObject(body))
    return Buffer.from(JSON.stringify(body));
  const members = Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, asText(one)]));
  return Buffer.from(new URLSearchParams(members).toString());
}
