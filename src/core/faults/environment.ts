import { utf8 } from '../crypto.ts';
import type { Arrival } from '../operations/behaviour.ts';
import { conformingFamily } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { counter, delayedBy, delivery, dropped, errorText, everyNth, intercepting, transporting } from './tools.ts';

const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>gateway</center></body></html>`;

const isUpdate = ({ method }: Arrival): boolean => method === 'PATCH';

const rateLimited = delivery(429, errorText('rate_limited', 'Too many requests; retry in 1 s.'), 'application/json', {
  'Retry-After': '1',
});

/** A number in [0, limit) that looks random and is the same on every run. */
const pseudoRandom = (at: number, limit: number): number => ((at * 2_654_435_761) % 4_294_967_296) % limit;

/** Hooks that delay each response by its number in the world: 1, 2, 3, … */
const delaying = (milliseconds: (at: number) => number): Hooks => {
  const count = counter();
  return transporting((sent, { world }) => delayedBy(sent, milliseconds(count(world))));
};

/** Faults between client and service, and of the service as a whole. */
export const environmentFaults = conformingFamily('environment', [
  ['latency', 'Every response takes 800 ms longer.', delaying(() => 800)],
  ['jitter', 'Responses take up to 1.5 s longer, each a different time.', delaying((at) => pseudoRandom(at, 1500))],
  [
    'slowing-down',
    'Each response takes 20 ms longer than the previous one, up to 5 s.',
    delaying((at) => Math.min(at * 20, 5000)),
  ],
  [
    'slow-drip',
    'Responses are sent in chunks of 8 characters, 50 ms apart.',
    transporting(() => ({ pieces: { size: 8, everyMs: 50 } })),
  ],
  [
    'drop-before-commit',
    'The connection is closed before an update is applied.',
    intercepting(() => dropped, { concerns: isUpdate }),
  ],
  [
    'drop-after-commit',
    'The connection is closed after an update is applied, before the response.',
    transporting(({ status }, { arrival }) => (isUpdate(arrival) && status < 300 ? { closeAfter: 0 } : undefined)),
  ],
  [
    'truncated-body',
    'Responses are cut off halfway.',
    transporting(({ text }) => (text === '' ? undefined : { closeAfter: Math.ceil(utf8(text).length / 2) })),
  ],
  [
    'never-answers',
    'Requests get no response for five minutes.',
    intercepting(() => ({ ...dropped, delayMs: 300_000 })),
  ],
  [
    'unavailable-one-in-five',
    'Every fifth request gets 503, without Retry-After.',
    intercepting(() => delivery(503, errorText('unavailable', 'Try again later.')), { cadence: everyNth(5) }),
  ],
  [
    'maintenance',
    'Every request gets 503 with Retry-After.',
    intercepting(() =>
      delivery(503, errorText('maintenance', 'Back soon.'), 'application/json', { 'Retry-After': '120' }),
    ),
  ],
  [
    'rate-limit-burst',
    'After nineteen requests the next two get 429 with Retry-After: 1.',
    intercepting(() => rateLimited, { cadence: (at) => at % 22 > 19 }),
  ],
  [
    'bad-gateway-page',
    "Every request gets 502 and a gateway's HTML page.",
    intercepting(() => delivery(502, page('502 Bad Gateway'), 'text/html')),
  ],
  [
    'gateway-timeout',
    'Every request gets 504 and an HTML page, after 3 s.',
    intercepting(() => ({ ...delivery(504, page('504 Gateway Time-out'), 'text/html'), delayMs: 3000 })),
  ],
  [
    'captive-portal',
    "Every request gets 200 and a network's sign-in page.",
    intercepting(() => delivery(200, page('Sign in to this network'), 'text/html')),
  ],
  [
    'crash-one-in-seven',
    'Every seventh request gets 500 and a stack trace as plain text.',
    intercepting(() => delivery(500, 'NullReferenceException\n   at Recordings.Update()\n', 'text/plain'), {
      cadence: everyNth(7),
    }),
  ],
]);
