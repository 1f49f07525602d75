import type { Delivery } from '../message.ts';
import type { AnswerContext, Arrival } from '../operations/behaviour.ts';
import type { OperationRequest } from '../operations/operation.ts';
import { isObject, type OperationId } from '../spec/document.ts';
import type { Recording } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { Body, Hooks, OperationHook } from './hooks.ts';

let memories = 0;

/** What a fault remembers of earlier requests, separate for each world: plain data, maps and sets. */
export function perWorld<T>(create: () => T): (world: World) => T {
  // Modules load in one order: every process of this version names it alike.
  memories += 1;
  const name = String(memories);
  return (world) => world.remembered(name, create);
}

/** Counts its calls per world: 1, 2, 3, … */
export function counter(): (world: World) => number {
  const counts = perWorld(() => ({ calls: 0 }));
  return (world) => {
    const count = counts(world);
    count.calls += 1;
    return count.calls;
  };
}

/** One hook for several operations. */
export const on = (ids: OperationId | readonly OperationId[], hook: OperationHook): Hooks['operations'] =>
  Object.fromEntries([ids].flat().map((id) => [id, hook]));

/** The stored recording that an update addresses. */
export const recordingOf = (world: World, request: Pick<OperationRequest, 'params'>): Recording | undefined =>
  world.store.recordings.get((request.params as unknown as { recordingId: string }).recordingId);

/** A value as an object; empty if it is anything else. */
export const objectOf = (value: unknown): Body => (isObject(value) ? value : {});

/** The body of a request or response as an object; empty if it is anything else. */
export const sentOf = ({ body }: { readonly body?: unknown }): Body => objectOf(body);

/** Hooks that change what an update stored, and answer accordingly. */
export const storing = (
  change: (before: Recording, after: Recording, sent: Body, world: World) => Partial<Recording> | undefined,
): Hooks => ({
  operations: {
    updateRecording: (world, request, run) => {
      const before = recordingOf(world, request);
      const response = run();
      const after = recordingOf(world, request);
      const changed = before && after && change(before, after, sentOf(request), world);
      if (!changed) return undefined;
      world.store.recordings.put({ ...after, ...changed });
      const visible = Object.entries(changed).filter(([name]) => name in sentOf(response));
      return { body: { ...sentOf(response), ...Object.fromEntries(visible) } };
    },
  },
});

/** Hooks that change the title between the request and the store. */
export const retitling = (change: (title: string, world: World) => string): Hooks => ({
  operations: {
    updateRecording: (world, request, run) => {
      const { title } = sentOf(request);
      if (typeof title !== 'string') return undefined;
      const changed = change(title, world);
      if (changed === title) return undefined;
      return run({ ...request, body: { ...sentOf(request), title: changed } } as unknown as OperationRequest);
    },
  },
});

/** `record` without some of its fields. */
export const without = (record: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** A response that does not come from the service: a text or a page. */
export const delivery = (
  status: number,
  text: string,
  type = 'application/json',
  headers: Readonly<Record<string, string>> = {},
): Delivery => ({ status, headers: { 'X-Mock-Basis': 'fault', 'Content-Type': type, ...headers }, text });

/** An error body in the default profile's shape. */
export const errorText = (code: string, message: string): string => JSON.stringify({ error: { code, message } });

/** Hooks that answer requests in the service's place. */
export const intercepting = (
  reply: (arrival: Arrival, world: World) => Delivery,
  {
    concerns = () => true,
    ...rest
  }: Pick<Hooks, 'cadence' | 'preflights'> & { concerns?: (arrival: Arrival) => boolean } = {},
): Hooks => ({
  ...rest,
  intercept: (arrival, world) => (concerns(arrival) ? reply(arrival, world) : undefined),
});

/** Every nth of 1, 2, 3, … */
export const everyNth =
  (n: number) =>
  (at: number): boolean =>
    at % n === 0;

/** Hooks that change what happens to responses on their way; a change of undefined is none. */
export const transporting = (
  change: (delivery: Delivery, context: AnswerContext) => Partial<Delivery> | undefined,
): Hooks => ({
  transport: (sent, context) => {
    const changed = change(sent, context);
    return changed && { ...sent, ...changed };
  },
});

/** A delay in milliseconds, in addition to those that a response has already. */
export const delayedBy = ({ delayMs = 0 }: Delivery, milliseconds: number): Partial<Delivery> => ({
  delayMs: delayMs + milliseconds,
});

/** Where the connection is closed, and nothing is sent. */
export const dropped: Delivery = { status: 502, headers: {}, text: '', closeAfter: 0 };

/** Hooks that run an operation with other path parameters. */
export const readdressed = (
  operation: 'updateRecording' | 'listTenantApiKeys',
  change: (world: World, request: OperationRequest) => Body | undefined,
): Hooks => ({
  operations: on(operation, (world, request, run) => {
    const params = change(world, request);
    return params && run({ ...request, params } as unknown as OperationRequest);
  }),
});
