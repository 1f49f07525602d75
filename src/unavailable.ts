import { isControl } from './control/is-control.ts';
import { Refusal } from './control/refusal.ts';
import { codeOfStatus, renderError, statusTitle } from './core/error-body.ts';
import { type Delivery, type MockRequest, pathOf } from './core/message.ts';
import { timestamp } from './core/operations/present.ts';
import type { World } from './core/world/world.ts';
import type { StoreUnavailable } from './core/world/world-store.ts';

const status = 503;
const retryAfter = { 'Retry-After': '1', 'X-Mock-Basis': 'store' };

/** What a client gets whose request the store could not keep: 503, when to come again, and why, as errors look there. */
export function unavailable(
  { answers, clock }: World,
  { method, url }: MockRequest,
  error: StoreUnavailable,
): Delivery {
  const outcome = error.isUncertain ? 'it may have been carried out' : 'nothing was changed';
  const message = `The mock cannot keep what this request does: ${error.message}; ${outcome}. Retry in a second.`;
  if (isControl(url)) return deliveryOf('application/json', new Refusal('unavailable', message).body);
  const content = { status, code: codeOfStatus(status), title: statusTitle(status), message, details: [] };
  const occasion = { method, path: pathOf(url), time: timestamp(clock.nowIso(), answers), id: '0' };
  const { body, mediaType } = renderError(content, answers, occasion);
  return deliveryOf(mediaType, body);
}

function deliveryOf(mediaType: string, body: unknown): Delivery {
  if (body === undefined) return { status, headers: retryAfter, text: '' };
  const text = mediaType.includes('json') ? (JSON.stringify(body) ?? '') : String(body);
  return { status, headers: { ...retryAfter, 'Content-Type': `${mediaType}; charset=utf-8` }, text };
}
