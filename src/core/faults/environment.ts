import type { Delivery } from '../message.ts';
import type { Arrival } from '../operations/behaviour.ts';
import { conformingFamily } from './fault.ts';
import { delivering, delivery, errorText, everyNth, intercepting } from './tools.ts';

const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>gateway</center></body></html>`;

const isUpdate = ({ method }: Arrival): boolean => method === 'PATCH';
const dropped: Delivery = { status: 502, headers: {}, text: '', closeAfter: 0 };

const rateLimited = delivery(429, errorText('rate_limited', 'Too many requests; retry in 1 s.'), 'application/json', {
  'Retry-After': '1',
});

/** A number in [0, limit) that looks random and is the same on every run. */
const pseudoRandom = (at: number, limit: number): number => ((at * 2_654_435_761) % 4_294_967_296) % limit;

const always = (): boolean => true;

/** Faults between client and service, and of the service as a whole. */
export const environmentFaults = conformingFamily('environment', [
  ['latency', 'Every response takes 800 ms longer.', delivering(always, () => ({ delayMs: 800 }))],
  [
    'jitter',
    'Responses take up to 1.5 s longer, each a different time.',
    delivering(always, (_sent, at) => ({ delayMs: pseudoRandom(at, 1500) })),
  ],
  [
    'slowing-down',
    'Each response takes 20 ms longer than the previous one, up to 5 s.',
    delivering(always, (_sent, at) => ({ delayMs: Math.min(at * 20, 5000) })),
  ],
  [
    'slow-drip',
    'Responses are sent in chunks of 8 characters, 50 ms apart.',
    delivering(always, () => ({ pieces: { size: 8, everyMs: 50 } })),
  ],
  [
    'drop-before-commit',
    'On every third update the connection is closed before the update is applied.',
    intercepting(everyNth(3), () => dropped, isUpdate),
  ],
  [
    'drop-after-commit',
    'On every third update the connection is closed after the update is applied, before the response.',
    delivering(
      everyNth(3),
      () => ({ closeAfter: 0 }),
      ({ status }, { arrival }) => isUpdate(arrival) && status < 300,
    ),
  ],
  [
    'truncated-body',
    'Every fourth response is cut off halfway.',
    delivering(everyNth(4), ({ text }) => ({ closeAfter: Math.floor(text.length / 2) })),
  ],
  [
    'never-answers',
    'Every tenth request gets no response for five minutes.',
    intercepting(everyNth(10), () => ({ ...dropped, delayMs: 300_000 })),
  ],
  [
    'unavailable-one-in-five',
    'Every fifth request gets 503, without Retry-After.',
    intercepting(everyNth(5), () => delivery(503, errorText('unavailable', 'Try again later.'))),
  ],
  [
    'maintenance',
    'Every request gets 503 with Retry-After.',
    intercepting(always, () =>
      delivery(503, errorText('maintenance', 'Back soon.'), 'application/json', { 'Retry-After': '120' }),
    ),
  ],
  [
    'rate-limit-burst',
    'After nineteen requests the next two get 429 with Retry-After: 1.',
    intercepting(
      (at) => at % 22 > 19,
      () => rateLimited,
    ),
  ],
  [
    'bad-gateway-page',
    "Every fifth request gets 502 and a gateway's HTML page.",
    intercepting(everyNth(5), () => delivery(502, page('502 Bad Gateway'), 'text/html')),
  ],
  [
    'gateway-timeout',
    'Every seventh request gets 504 and an HTML page, after 3 s.',
    intercepting(everyNth(7), () => ({ ...delivery(504, page('504 Gateway Time-out'), 'text/html'), delayMs: 3000 })),
  ],
  [
    'captive-portal',
    "Every fifth request gets 200 and a network's sign-in page.",
    intercepting(everyNth(5), () => delivery(200, page('Sign in to this network'), 'text/html')),
  ],
  [
    'crash-one-in-seven',
    'Every seventh request gets 500 and a stack trace as plain text.',
    intercepting(everyNth(7), () => delivery(500, 'NullReferenceException\n   at Recordings.Update()\n', 'text/plain')),
  ],
]);
