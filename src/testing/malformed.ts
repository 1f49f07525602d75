// Malformed requests as raw bytes, made from a seed: for src/malformed.test.ts and bench/attack.
import { randomAt } from '../core/world/world.ts';

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let at = 0;
  return () => randomAt(seed, at++);
}

const below = (random: () => number, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: () => number, items: readonly [T, ...T[]]): T =>
  items[below(random, items.length)] ?? items[0];

const sized = (length: number, authorization: string): string[] => [
  `Authorization: ${authorization}`,
  'Content-Type: application/json',
  `Content-Length: ${length}`,
];

const request = (method: string, path: string, body: string, headers: readonly string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`;

/** One attack, which may change nothing: with the valid token its body is no JSON, else its credentials are not valid. */
export function attackFrom(random: () => number, token: string): string {
  const good = `Bearer ${token}`;
  const requests = [
    request('POST', '/v1/auth/sso', '{"oid":"unknown","tid":"nowhere","upn":"unknown@nowhere.test"}', sized(62, '')),
    request('PATCH', '/v1/echo/recordings/rec_kickoff', '{"title":"x"}', sized(13, 'Bearer no.no.no')),
    request('PATCH', '/v1/echo/recordings/rec_kickoff', '{"title":', sized(9, good)),
    request('PATCH', '/v1/echo/recordings/rec_kickoff', '[[[[', [...sized(4, good), 'Content-Encoding: zip']),
    request('GET', '/v1/admin/tenants/ten_analytical/api-keys?provider=x', '', ['Authorization: Bearer no']),
  ] as const;
  // Sometimes several in a row, sent without waiting.
  const text = Array.from({ length: random() < 0.1 ? 8 : 1 }, () => pick(random, requests)).join('');
  return mangled(random, text);
}

type Mangle = (text: string, random: () => number) => string;

const withHeader =
  (header: string): Mangle =>
  (text) =>
    text.replace('\r\n', `\r\n${header}\r\n`);

const mangles: readonly [Mangle, ...Mangle[]] = [
  (text) => text,
  (text, random) => text.slice(0, below(random, text.length)),
  (text, random) => changedAt(text, below(random, text.length), String.fromCharCode(below(random, 256))),
  (text, random) =>
    changedAt(text, below(random, text.length), pick(random, ['\0', '\r', '\n', '\r\n\r\n', ' ', '\xff'])),
  (text, random) => withHeader(`X-Long: ${'a'.repeat(below(random, 40_000))}`)(text, random),
  (text, random) => text.replace('/v1', `/v1/${'%'.repeat(below(random, 20_000))}`),
  (text, random) => text.replace(/^\w+/, pick(random, ['FETCH', 'get', 'OPTIONS', 'TRACE', 'CONNECT', '', 'PROPFIND'])),
  (text, random) => text.replace('HTTP/1.1', pick(random, ['HTTP/1.0', 'HTTP/2.0', 'HTTP/9', 'http/1.1', ''])),
  (text) => text.replace('Host: localhost\r\n', ''),
  (text) => text.replace('/v1', '/../..//v1'),
  withHeader('Transfer-Encoding: chunked'),
  withHeader('Transfer-Encoding: chunked, gzip'),
  withHeader('Content-Length: 7'),
  withHeader('Content-Encoding: br'),
  withHeader('Upgrade: websocket\r\nConnection: upgrade'),
  withHeader('Origin: null'),
  withHeader('Authorization: Bearer a\r\nAuthorization: Bearer b'),
  withHeader(Array.from({ length: 3000 }, (_, at) => `H${at}: x`).join('\r\n')),
  (text) => text.replace('Content-Length', 'Content-Length '),
  (_text, random) => Array.from({ length: below(random, 300) }, () => String.fromCharCode(below(random, 256))).join(''),
];

/** A message with one mistake, sometimes with none. */
export const mangled = (random: () => number, text: string): string => pick(random, mangles)(text, random);

const changedAt = (text: string, at: number, by: string): string => text.slice(0, at) + by + text.slice(at + 1);
