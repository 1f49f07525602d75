import { utf8 } from '../crypto.ts';
import { codeOfStatus, renderError, statusTitle } from '../error-body.ts';
import { bodiless, type Delivery, pathOf } from '../message.ts';
import type { Arrival } from '../operations/behaviour.ts';
import { timestamp } from '../operations/present.ts';
import type { World } from '../world/world.ts';
import { type Parameters, parameterFamily } from './fault.ts';
import { delayedBy, delivery, dropped, intercepting, transporting } from './tools.ts';

/** The longest delay in milliseconds: what `ms` may be at most. */
const longestDelay = 600_000;
/** The longest that a timer can wait, in milliseconds: 24 days. */
const forever = 2 ** 31 - 1;

interface Delay {
  readonly ms?: number;
  readonly jitter?: number;
  readonly distribution?: 'uniform' | 'lognormal';
}

/** A delay in milliseconds, drawn from the world's seed. */
function delayOf({ ms = 1000, jitter = 0, distribution = 'uniform' }: Delay, world: World): number {
  if (jitter === 0) return ms;
  const drawn =
    distribution === 'uniform'
      ? ms + (2 * world.draw() - 1) * jitter
      : ms * Math.exp(spread(ms, jitter) * normal(world));
  return Math.round(Math.min(Math.max(drawn, 0), longestDelay));
}

/** The standard deviation of the logarithm where the 84th percentile lies `jitter` above the median. */
const spread = (ms: number, jitter: number): number => Math.log(1 + jitter / Math.max(ms, 1));

/** A number of the standard normal distribution (Box and Muller). */
const normal = (world: World): number =>
  Math.sqrt(-2 * Math.log(1 - world.draw())) * Math.cos(2 * Math.PI * world.draw());

interface Response {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

function responseOf({ status = 503, headers = {}, body }: Response, arrival: Arrival, world: World): Delivery {
  const own = body === undefined ? defaultBody(status, arrival, world) : { body, mediaType: mediaTypeOf(body) };
  const text = typeof own.body === 'string' ? own.body : (JSON.stringify(own.body) ?? '');
  const { 'Content-Type': type, ...rest } = delivery(
    status,
    bodiless.includes(status) ? '' : text,
    own.mediaType,
  ).headers;
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return {
    status,
    headers: { ...rest, ...(!isTyped && text !== '' && { 'Content-Type': String(type) }), ...headers },
    text: bodiless.includes(status) ? '' : text,
  };
}

const mediaTypeOf = (body: unknown): string =>
  typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json';

/** The error of a status in the profile's shape; none for a success. */
function defaultBody(status: number, { method, url }: Arrival, world: World) {
  if (status < 400) return { body: undefined, mediaType: 'application/json' };
  const message = 'An armed fault answers in the place of the service.';
  const content = { status, code: codeOfStatus(status), title: statusTitle(status), message, details: [] };
  const time = timestamp(world.clock.nowIso(), world.answers);
  return renderError(content, world.answers, { method, path: pathOf(url), time, id: '0'.repeat(32) });
}

function truncated({ bytes }: { readonly bytes?: number }, { text }: Delivery): Partial<Delivery> | undefined {
  const { length } = utf8(text);
  const kept = bytes ?? Math.ceil(length / 2);
  return length === 0 || (bytes !== undefined && bytes >= length) ? undefined : { closeAfter: kept };
}

/** What can happen to any request of any service, as parameters say. All of them have defaults. */
export const faultsWithParameters = parameterFamily('environment', [
  [
    'respond',
    "This response in the service's place: 503 by default, with the error body of the profile.",
    ['status', 'headers', 'body'],
    (parameters) => intercepting((arrival, world) => responseOf(parameters as Response, arrival, world)),
  ],
  [
    'delay',
    'The response takes that much longer: 1000 ms by default.',
    ['ms', 'jitter', 'distribution'],
    (parameters) => transporting((sent, { world }) => delayedBy(sent, delayOf(parameters as Delay, world))),
  ],
  [
    'drop',
    'The connection is closed without a response: before the request has an effect, by default, or after it.',
    ['when'],
    ({ when = 'before' }) =>
      when === 'before' ? intercepting(() => dropped) : transporting(() => ({ closeAfter: 0 })),
  ],
  [
    'truncate',
    'The response is cut off after that many bytes of its body, by default halfway, and the connection closed.',
    ['bytes'],
    (parameters) => transporting((sent) => truncated(parameters, sent)),
  ],
  [
    'hang',
    'There is no response, and the connection stays open until the client gives up.',
    [],
    () => intercepting(() => ({ ...dropped, delayMs: forever })),
  ],
  [
    'offline',
    'Every connection is closed at once, preflights as well, as without a network.',
    [],
    () => intercepting(() => dropped, { preflights: true }),
  ],
  [
    'throttle',
    'The body is sent at that many bytes per second: 100 by default.',
    ['bytesPerSecond'],
    ({ bytesPerSecond = 100 }: Parameters) =>
      transporting(({ text }) => (text === '' ? undefined : { bytesPerSecond: bytesPerSecond as number })),
  ],
  [
    'malformed-json',
    'The JSON of the response lacks its last character.',
    [],
    () =>
      transporting(({ text, headers }) =>
        text !== '' && /json/i.test(headers['Content-Type'] ?? '') ? { text: text.slice(0, -1) } : undefined,
      ),
  ],
]);
