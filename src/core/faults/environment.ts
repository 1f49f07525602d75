import { utf8 } from '../crypto.ts';
import { statusError } from '../error-body.ts';
import { bodiless, type Delivery, dropped } from '../message.ts';
import type { Arrival } from '../operations/behaviour.ts';
import type { World } from '../world/world.ts';
import { callsOf, delivery, everyNth, failure, intercepting, transporting } from './change.ts';
import { each, family, type HookContext, type Hooks, type Parameters } from './fault.ts';

const isUpdate = ({ method }: Arrival): boolean => method === 'PATCH';

const answering = (answer: Delivery): Hooks => intercepting(() => answer);

const page = (status: number, title: string): Delivery =>
  delivery(
    status,
    `<!doctype html><html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>gateway</center></body></html>`,
    'text/html',
  );

/** A number in [0, limit) that looks random and is the same on every run. */
const pseudoRandom = (at: number, limit: number): number => ((at * 2_654_435_761) % 4_294_967_296) % limit;

/** A delay in milliseconds, in addition to those that a response has already. */
const delayedBy = ({ delayMs = 0 }: Delivery, milliseconds: number): Partial<Delivery> => ({
  delayMs: delayMs + milliseconds,
});

/** Hooks that delay each response by its number in the world: 1, 2, 3, … */
const delaying = (milliseconds: (at: number) => number): Hooks =>
  transporting((sent, context) => delayedBy(sent, milliseconds(callsOf(context))));

/** Faults between client and service, and of the service as a whole. They violate no requirement. */
export const environmentFaults = family('environment', {
  ...each(delaying, {
    'latency: Every response takes 800 ms longer.': () => 800,
    'jitter: Responses take up to 1.5 s longer, each a different time.': (at) => pseudoRandom(at, 1500),
    'slowing-down: Each response takes 20 ms longer than the previous one, up to 5 s.': (at) => Math.min(at * 20, 5000),
  }),
  ...each(transporting, {
    'slow-drip: Responses are sent in chunks of 8 characters, 50 ms apart.': () => ({
      pieces: { size: 8, everyMs: 50 },
    }),
    'truncated-body: Responses are cut off halfway.': (sent) => truncated({}, sent),
  }),
  'drop-after-commit: The connection is closed after an update is applied, before the response.': {
    ...transporting(({ status }, { arrival }) => (isUpdate(arrival) && status < 300 ? { closeAfter: 0 } : undefined)),
    closes: true,
  },
  'drop-before-commit: The connection is closed before an update is applied.': {
    ...intercepting((arrival) => (isUpdate(arrival) ? dropped : undefined)),
    closes: true,
  },
  ...each(answering, {
    'never-answers: Requests get no response for five minutes.': { ...dropped, delayMs: 300_000 },
    'maintenance: Every request gets 503 with Retry-After.': failure(503, 'maintenance', 'Back soon.', {
      'Retry-After': '120',
    }),
    "bad-gateway-page: Every request gets 502 and a gateway's HTML page.": page(502, '502 Bad Gateway'),
    'gateway-timeout: Every request gets 504 and an HTML page, after 3 s.': {
      ...page(504, '504 Gateway Time-out'),
      delayMs: 3000,
    },
    "captive-portal: Every request gets 200 and a network's sign-in page.": page(200, 'Sign in to this network'),
  }),
  'unavailable-one-in-five: Every fifth request gets 503, without Retry-After.': {
    ...answering(failure(503, 'unavailable', 'Try again later.')),
    cadence: everyNth(5),
  },
  'rate-limit-burst: After nineteen requests the next two get 429 with Retry-After: 1.': {
    ...answering(failure(429, 'rate_limited', 'Too many requests; retry in 1 s.', { 'Retry-After': '1' })),
    cadence: (at) => at % 22 > 19,
  },
  'crash-one-in-seven: Every seventh request gets 500 and a stack trace as plain text.': {
    ...answering(delivery(500, 'NullReferenceException\n   at Recordings.Update()\n', 'text/plain')),
    cadence: everyNth(7),
  },
});

const longestDelay = 600_000;
/** The longest that a timer can wait, in milliseconds: 24 days. */
const forever = 2 ** 31 - 1;

function delayOf({ ms = 1000, jitter = 0, distribution = 'uniform' }: Parameters, world: World): number {
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

function responseOf({ world, occasion, parameters: { status = 503, headers = {}, body } }: HookContext): Delivery {
  const isText = typeof body === 'string';
  const own =
    body === undefined && status >= 400
      ? statusError(world, status, 'An armed fault answers in the place of the service.', occasion())
      : {
          text: isText ? body : (JSON.stringify(body) ?? ''),
          mediaType: isText ? 'text/plain; charset=utf-8' : 'application/json',
        };
  const text = bodiless.includes(status) ? '' : own.text;
  const { 'Content-Type': type, ...rest } = delivery(status, text, own.mediaType).headers;
  const isTyped = text === '' || Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return { status, headers: { ...rest, ...(!isTyped && { 'Content-Type': String(type) }), ...headers }, text };
}

function truncated({ bytes }: Parameters, { text }: Delivery): Partial<Delivery> | undefined {
  const { length } = utf8(text);
  const kept = bytes ?? Math.ceil(length / 2);
  return length === 0 || (bytes !== undefined && bytes >= length) ? undefined : { closeAfter: kept };
}

export const faultsWithParameters = family('environment', {
  "respond: This response in the service's place: 503 by default, with the error body of the profile.": {
    parameters: ['status', 'headers', 'body'],
    ...intercepting((_arrival, context) => responseOf(context)),
  },
  'delay: The response takes that much longer: 1000 ms by default.': {
    parameters: ['ms', 'jitter', 'distribution'],
    ...transporting((sent, { parameters, world }) => delayedBy(sent, delayOf(parameters, world))),
  },
  'drop: The connection is closed without a response: before the request has an effect, by default, or after it.': {
    parameters: ['when'],
    closes: true,
    ...intercepting((_arrival, { parameters: { when = 'before' } }) => (when === 'before' ? dropped : undefined)),
    ...transporting((_sent, { parameters }) => (parameters.when === 'after' ? { closeAfter: 0 } : undefined)),
  },
  'truncate: The response is cut off after that many bytes of its body, by default halfway.': {
    parameters: ['bytes'],
    closes: true,
    ...transporting((sent, { parameters }) => truncated(parameters, sent)),
  },
  'throttle: The body is sent at that many bytes per second: 100 by default.': {
    parameters: ['bytesPerSecond'],
    ...transporting(({ text }, { parameters: { bytesPerSecond = 100 } }) =>
      text === '' ? undefined : { bytesPerSecond },
    ),
  },
  'hang: There is no response, and the connection stays open until the client gives up.': answering({
    ...dropped,
    delayMs: forever,
  }),
  'offline: Every connection is closed at once, preflights as well, as without a network.': {
    ...answering(dropped),
    preflights: true,
    closes: true,
  },
  'malformed-json: The JSON of the response lacks its last character.': transporting(({ text, headers }) =>
    text !== '' && /json/i.test(headers['Content-Type'] ?? '') ? { text: text.slice(0, -1) } : undefined,
  ),
});
