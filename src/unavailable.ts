import { isControl } from './control/is-control.ts';
import { Refusal } from './control/refusal.ts';
import { occasionOf, statusError } from './core/error-body.ts';
import type { Delivery, MockRequest } from './core/message.ts';
import type { World } from './core/world/world.ts';
import type { StoreUnavailable } from './core/world/world-store.ts';

/** What a client gets whose request the store could not keep: 503, when to come again, and why, as errors look there. */
export function unavailable(world: World, request: MockRequest, error: StoreUnavailable): Delivery {
  const outcome = error.isUncertain ? 'it may have been carried out' : 'nothing was changed';
  const message = `The mock cannot keep what this request does: ${error.message}; ${outcome}. Retry in a second.`;
  const { text, mediaType } = isControl(request.url)
    ? { text: JSON.stringify(new Refusal('unavailable', message).body), mediaType: 'application/json' }
    : statusError(world, 503, message, occasionOf(request));
  const type = text !== '' && { 'Content-Type': `${mediaType}; charset=utf-8` };
  return { status: 503, headers: { 'Retry-After': '1', 'X-Mock-Basis': 'store', ...type }, text };
}
