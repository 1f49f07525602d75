import type { ConformingRow } from './fault.ts';
import { writing } from './rewriting.ts';
import { basePath, escaped, knownLate, limited, refusals, serialized, typed } from './variation-hooks.ts';

/** Other ways to send the same response. */
export const wireVariations: readonly ConformingRow[] = [
  [
    'base-path',
    `The API is served under ${basePath}.`,
    {
      receive: (arrival) => ({
        ...arrival,
        url: arrival.url.startsWith(`${basePath}/`) ? arrival.url.slice(basePath.length) : '/nothing-here',
      }),
    },
  ],
  ['slow', 'Every response takes 10 ms longer.', writing(() => ({ delayMs: 10 }))],
  [
    'chunked',
    'Responses are sent in chunks of 7 characters, without Content-Length.',
    writing(() => ({ pieces: { size: 7, everyMs: 0 } })),
  ],
  [
    'connection-close',
    'The connection is closed after each response.',
    writing(({ headers }) => ({ headers: { ...headers, Connection: 'close' } })),
  ],
  ['limited', 'Every 90th request gets 429 with Retry-After in seconds.', limited(90, () => '1')],
  [
    'limited-until',
    'Every 90th request gets 429 with Retry-After as a date.',
    limited(90, () => new Date(Date.now() + 1000).toUTCString()),
  ],
  ['busy', 'Every 90th request gets 503 with Retry-After.', limited(90, () => '0', 503)],
  [
    'media-type-parameters',
    'The media type has parameters: application/json;charset=UTF-8; profile="x".',
    typed('application/json;charset=UTF-8; profile="x"'),
  ],
  ['media-type-bare', 'The media type is Application/JSON, without charset.', typed('Application/JSON')],
  [
    'media-type-vendor',
    'The media type is application/vnd.platform.v1+json.',
    typed('application/vnd.platform.v1+json'),
  ],
  [
    'extra-headers',
    'Responses have a cookie, an ETag and other headers.',
    writing(({ headers }) => ({
      headers: {
        ...headers,
        'Set-Cookie': 'session=1; HttpOnly',
        ETag: '"1"',
        Vary: 'Accept, Authorization',
        'Cache-Control': 'no-store',
        'X-Request-Id': 'a:1',
        'Strict-Transport-Security': 'max-age=1',
      },
    })),
  ],
  [
    'json-pretty',
    'JSON is indented, with a newline before and after it.',
    serialized((body) => `\n${JSON.stringify(body, null, '\t')}\n`),
  ],
  ['json-escaped', 'JSON escapes non-ASCII characters and slashes.', serialized(escaped)],
  ['success-202', 'Successes have the status 202.', writing(({ status }) => ({ status: status < 300 ? 202 : status }))],
  ['errors-empty', 'Refusals have no body.', refusals(() => ({ text: '' }))],
  [
    'errors-pages',
    'Refusals are HTML pages.',
    refusals((status) => ({ text: `<h1>${status}</h1>`, headers: { 'Content-Type': 'text/html' } })),
  ],
  ['refusals-404', 'All refusals have the status 404.', refusals(() => ({ status: 404 }))],
  [
    'refusals-redirect',
    'Requests with invalid credentials are redirected to a sign-in page.',
    refusals((status) => (status === 401 ? { status: 302, headers: { Location: 'https://login.example.test/' } } : {})),
  ],
  ['tokens-known-late', 'A token is refused at its first use, and accepted a moment later.', knownLate()],
];
