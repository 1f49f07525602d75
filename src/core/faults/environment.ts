import type { Delivery } from '../message.ts';
import type { AnswerContext, Arrival } from '../operations/behaviour.ts';
import type { World } from '../world/world.ts';
import { family } from './fault.ts';
import type { Hooks } from './hooks.ts';
import { counter, delivery } from './tools.ts';

const page = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr><center>gateway</center></body></html>`;

const error = (code: string, message: string): string => JSON.stringify({ error: { code, message } });

/** Hooks that let every nth request of the API meet something else than the service. */
const everyNth = (n: number, instead: (arrival: Arrival) => Delivery): Hooks => {
  const count = counter();
  return { intercept: (arrival, world) => (count(world) % n === 0 ? instead(arrival) : undefined) };
};

/** Hooks that change how every nth answer goes out. */
const everyNthAnswer = (n: number, change: (sent: Delivery) => Partial<Delivery>): Hooks => {
  const count = counter();
  return { deliver: (sent, { world }) => (count(world) % n === 0 ? { ...sent, ...change(sent) } : undefined) };
};

const isUpdate = ({ method }: Arrival): boolean => method === 'PATCH';
const dropped: Delivery = { status: 502, headers: {}, text: '', closeAfter: 0 };

const droppedBefore = (): Hooks => {
  const count = counter();
  return {
    intercept: (arrival, world) => (isUpdate(arrival) && count(world) % 3 === 0 ? dropped : undefined),
  };
};

const droppedAfter = (): Hooks => {
  const count = counter();
  return {
    deliver: (sent, { arrival, world }: AnswerContext) =>
      isUpdate(arrival) && sent.status < 300 && count(world) % 3 === 0 ? { ...sent, closeAfter: 0 } : undefined,
  };
};

/** Hooks that let nineteen requests through and refuse the next two. */
const burst = (): Hooks => {
  const count = counter();
  const limited = delivery(429, error('rate_limited', 'Too many requests; go on in 1 s.'), 'application/json', {
    'Retry-After': '1',
  });
  return { intercept: (_arrival, world) => (count(world) % 22 > 19 ? limited : undefined) };
};

/** Milliseconds from 0 to below `most` that look like chance, and are the same at every run. */
const pseudoRandom = (at: number, most: number): number => ((at * 2_654_435_761) % 4_294_967_296) % most;

const jitter = (): Hooks => {
  const count = counter();
  return { deliver: (sent, { world }) => ({ ...sent, delayMs: pseudoRandom(count(world), 1500) }) };
};

const growing = (): Hooks => {
  const count = counter();
  return { deliver: (sent, { world }: { world: World }) => ({ ...sent, delayMs: Math.min(count(world) * 20, 5000) }) };
};

/** What happens between a client and the service, or to the service as a whole. */
export const environmentFaults = family('environment', [
  ['latency', [], 'Every answer takes 800 ms longer.', { deliver: (sent) => ({ ...sent, delayMs: 800 }) }],
  ['jitter', [], 'Answers take up to 1.5 s longer, each another time.', jitter()],
  ['slowing-down', [], 'Each answer takes 20 ms longer than the one before, up to 5 s.', growing()],
  [
    'slow-drip',
    [],
    'Answers come in drips of 8 characters, 50 ms apart.',
    { deliver: (sent) => ({ ...sent, pieces: { size: 8, everyMs: 50 } }) },
  ],
  [
    'drop-before-commit',
    [],
    'At every third update the connection is closed before anything is done.',
    droppedBefore(),
  ],
  [
    'drop-after-commit',
    [],
    'At every third update the connection is closed after it is done, before the answer.',
    droppedAfter(),
  ],
  [
    'truncated-body',
    [],
    'Every fourth answer ends in its middle.',
    everyNthAnswer(4, ({ text }) => ({ closeAfter: Math.floor(text.length / 2) })),
  ],
  [
    'never-answers',
    [],
    'Every tenth request gets no answer for five minutes.',
    everyNth(10, () => ({ ...dropped, delayMs: 300_000 })),
  ],
  [
    'unavailable-one-in-five',
    [],
    'Every fifth request gets 503, without Retry-After.',
    everyNth(5, () => delivery(503, error('unavailable', 'Try again later.'))),
  ],
  [
    'maintenance',
    [],
    'Every request gets 503 with Retry-After.',
    everyNth(1, () => delivery(503, error('maintenance', 'Back soon.'), 'application/json', { 'Retry-After': '120' })),
  ],
  ['rate-limit-burst', [], 'After nineteen requests the next two get 429 with Retry-After: 1.', burst()],
  [
    'bad-gateway-page',
    [],
    'Every fifth request gets 502 and an HTML page of a gateway.',
    everyNth(5, () => delivery(502, page('502 Bad Gateway'), 'text/html')),
  ],
  [
    'gateway-timeout',
    [],
    'Every seventh request gets 504 and an HTML page, after 3 s.',
    everyNth(7, () => ({ ...delivery(504, page('504 Gateway Time-out'), 'text/html'), delayMs: 3000 })),
  ],
  [
    'captive-portal',
    [],
    'Every fifth request gets 200 and the sign-in page of a network.',
    everyNth(5, () => delivery(200, page('Sign in to this network'), 'text/html')),
  ],
  [
    'crash-one-in-seven',
    [],
    'Every seventh request gets 500 and a stack trace as plain text.',
    everyNth(7, () => delivery(500, 'NullReferenceException\n   at Recordings.Update()\n', 'text/plain')),
  ],
]);
