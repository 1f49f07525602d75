// Malformed requests as raw bytes, made from a seed: for src/malformed.test.ts and bench/attack.
import { randomAt } from '../core/world/world.ts';

export type Attack = ReturnType<typeof attackFrom>;

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let at = 0;
  return () => randomAt(seed, at++);
}

/** One attack, which may change nothing: with the valid token its body is no JSON, else its credentials are not valid. */
export function attackFrom(random: () => number, token: string) {
  const text = random() < 0.3 ? authorised(random, token) : mangled(random, strangers(random));
  const bytes = Buffer.from(text, 'latin1');
  // Where the bytes are cut, to be sent one after the other.
  const cuts = Array.from({ length: below(random, 4) }, () => below(random, bytes.length)).sort((a, b) => a - b);
  // Afterwards: end the stream, hang up, or keep the server waiting.
  const endings = ['half-close', 'half-close', 'half-close', 'hang-up', 'wait'] as const;
  return { bytes, cuts, pauseMs: random() < 0.1 ? 3 : 0, ending: pick(random, endings) };
}

const below = (random: () => number, limit: number): number => Math.floor(random() * limit);
const pick = <T>(random: () => number, items: readonly [T, ...T[]]): T =>
  items[below(random, items.length)] ?? items[0];

function authorised(random: () => number, token: string): string {
  const bodies = [
    '{',
    '{"title":',
    '{"title":"x"',
    '[[[[',
    '\xff\xfe',
    '\0',
    '{"title":"\ud800',
    "{'title':1}",
    '}',
  ] as const;
  const body = pick(random, bodies);
  const length = pick(random, [body.length, body.length + 5, -1, 'x', 2 ** 40, '0x10', `${body.length}, 9`] as const);
  const type = pick(random, ['application/json', 'text/plain', 'application/json; charset=utf-16', '', ';;'] as const);
  return request('PATCH', '/v1/echo/recordings/rec_kickoff', body, [
    `Authorization: Bearer ${token}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    ...(random() < 0.2 ? ['Content-Encoding: gzip'] : []),
    ...(random() < 0.2 ? ['Expect: 100-continue'] : []),
  ]);
}

const posted = (path: string, body: string): string => request('POST', path, body, sized(body.length));

function sized(length: number, authorization?: string): string[] {
  const headers = ['Content-Type: application/json', `Content-Length: ${length}`];
  return authorization === undefined ? headers : [`Authorization: ${authorization}`, ...headers];
}

const request = (method: string, path: string, body: string, headers: readonly string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`;

/** Without valid credentials. */
const unwelcome = [
  posted('/v1/auth/sso', '{"oid":"unknown","tid":"nowhere","upn":"unknown@nowhere.test"}'),
  posted('/v1/auth/login', '{"email":"unknown@nowhere.test","password":"no"}'),
  request('PATCH', '/v1/echo/recordings/rec_kickoff', '{"title":"x"}', sized(13, 'Bearer no.no.no')),
  request('GET', '/v1/admin/tenants/ten_analytical/api-keys?provider=x', '', ['Authorization: Bearer no']),
] as const;

/** Sometimes several requests in a row, sent without waiting. */
const strangers = (random: () => number): string =>
  Array.from({ length: random() < 0.1 ? 8 : 1 }, () => pick(random, unwelcome)).join('');

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
