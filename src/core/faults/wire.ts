import { type Delivery, pathOf } from '../message.ts';
import type { AnswerContext } from '../operations/behaviour.ts';
import type { OperationId } from '../spec/document.ts';
import type { Hooks } from './hooks.ts';

type Change = (delivery: Delivery, context: AnswerContext) => Partial<Delivery> | undefined;

/** A response that does not come from the service: a text or a page. */
export const delivery = (
  status: number,
  text: string,
  type = 'application/json',
  headers: Readonly<Record<string, string>> = {},
): Delivery => ({ status, headers: { 'X-Mock-Basis': 'fault', 'Content-Type': type, ...headers }, text });

/** An error body in the default profile's shape. */
export const errorText = (code: string, message: string): string => JSON.stringify({ error: { code, message } });

/** An error that does not come from the service. */
export const failure = (status: number, code: string, message: string, headers = {}): Delivery =>
  delivery(status, errorText(code, message), 'application/json', headers);

/** Where the connection is closed, and nothing is sent. */
export const dropped: Delivery = { status: 502, headers: {}, text: '', closeAfter: 0 };

/** Every nth of 1, 2, 3, … */
export const everyNth =
  (n: number) =>
  (at: number): boolean =>
    at % n === 0;

const changing =
  (change: Change): NonNullable<Hooks['deliver']> =>
  (sent, context) => {
    const changed = change(sent, context);
    return changed && { ...sent, ...changed };
  };

/** Hooks that change what happens to any response on its way; a change of undefined is none. */
export const transporting = (change: Change): Hooks => ({ transport: changing(change) });

/** Hooks that change how responses of the service are sent; a change of undefined is none. */
export const writing = (change: Change): Hooks => ({ deliver: changing(change) });

/** Hooks that change how successes are sent, of the named operations or of all. */
export const sending =
  (...only: readonly OperationId[]) =>
  (change: Change): Hooks =>
    writing((sent, context) => {
      const isMeant = context.operation && (only.length === 0 || only.includes(context.operation));
      return isMeant && sent.status < 300 ? change(sent, context) : undefined;
    });

/** Hooks that move paths: what the document has below `from` is below `to`, and nothing is below `from`. */
export const moved = (from: string, to: string): Hooks => ({
  receive: (arrival) => {
    const { url } = arrival;
    if (url.startsWith(to)) return { ...arrival, url: `${from}${url.slice(to.length)}` };
    return pathOf(url).startsWith(from) ? { ...arrival, url: '/v1/nothing-here' } : undefined;
  },
});
