import { isControl, isProbe } from './control/is-control.ts';
import type { Exchange } from './core/exchange.ts';
import { handle } from './core/handle.ts';
import type { Delivery, MockRequest } from './core/message.ts';
import { StoreUnavailable, type WorldStore } from './core/world/world-store.ts';
import { mainName, splitSandbox, type Worlds } from './core/world/worlds.ts';

/** What the mock answers; the sender tells the exchange of the API, where there is one, how that went. */
export interface Outcome {
  readonly delivery: Delivery;
  /** In the place of the delivery's text. */
  readonly stream?: ReadableStream<Uint8Array>;
  readonly exchange?: Exchange;
}

/** The control plane, loaded when it is first called: an app that only calls the API does without. */
export const loadControl = () => import('./control/handle.ts');

let control: Awaited<ReturnType<typeof loadControl>> | undefined;

/** The whole mock as a function: the API and its control plane, of every world. Never rejects. */
export function answer(worlds: Worlds, request: MockRequest): Promise<Outcome> {
  const { store } = worlds.services;
  return store && !isProbe(request.url) ? answerFrom(store, worlds, request) : answerNow(worlds, request);
}

async function answerFrom(store: WorldStore, worlds: Worlds, request: MockRequest): Promise<Outcome> {
  let exchange: Exchange | undefined;
  const discard = (outcome: Outcome): void => {
    exchange = outcome.exchange;
    void outcome.stream?.cancel();
  };
  try {
    const outcome = await store.serve(request, () => answerNow(worlds, request), discard);
    if (!store.tellLost?.(splitSandbox(request.url).name ?? mainName)) return outcome;
    const headers = { ...outcome.delivery.headers, 'X-Mock-World': 'lost by the store; this one is new' };
    return { ...outcome, delivery: { ...outcome.delivery, headers } };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const { unavailable } = await import('./unavailable.ts');
    // The journal has what the client gets.
    exchange?.changes.splice(0);
    return { delivery: unavailable(worlds.main, request, error), ...(exchange && { exchange }) };
  }
}

const answerNow = (worlds: Worlds, request: MockRequest): Promise<Outcome> =>
  isControl(request.url) ? answerControl(worlds, request) : handle(worlds, request);

async function answerControl(worlds: Worlds, request: MockRequest): Promise<Outcome> {
  control ??= await loadControl();
  const { status, headers, body } = await control.handleControl(worlds, request);
  if (typeof body === 'string') return { delivery: { status, headers, text: body } };
  return { delivery: { status, headers, text: '' }, stream: body };
}
