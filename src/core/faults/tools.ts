import type { Delivery } from '../message.ts';
import type { AnswerContext, Arrival } from '../operations/behaviour.ts';
import type { OperationRequest } from '../operations/operation.ts';
import type { OperationId } from '../spec/document.ts';
import type { Recording } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { Body, Hooks, OperationHook } from './hooks.ts';

/** Something that a fault keeps for each world by itself. */
export function perWorld<T>(make: () => T): (world: World) => T {
  const kept = new WeakMap<World, T>();
  return (world) => {
    const known = kept.get(world) ?? make();
    kept.set(world, known);
    return known;
  };
}

/** Counts its calls in each world: 1, 2, 3, … */
export function counter(): (world: World) => number {
  const counts = perWorld(() => ({ calls: 0 }));
  return (world) => {
    const count = counts(world);
    count.calls += 1;
    return count.calls;
  };
}

/** A hook of the operations of these ids. */
export const on = (ids: OperationId | readonly OperationId[], hook: OperationHook): Hooks['operations'] =>
  Object.fromEntries([ids].flat().map((id) => [id, hook]));

/** The record that an update has just left in the store. */
export const recordingOf = (world: World, request: Pick<OperationRequest, 'params'>): Recording | undefined =>
  world.store.recordings.get((request.params as unknown as { recordingId: string }).recordingId);

/** The body that a client sent, as an object; empty where it sent none. */
export const sentOf = ({ body }: { readonly body?: unknown }): Body =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Body) : {};

/** Hooks that turn what was stored into something else after an update, and answer so. */
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
      const shown = Object.entries(changed).filter(([name]) => name in sentOf(response));
      return { body: { ...sentOf(response), ...Object.fromEntries(shown) } };
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

/** Hooks that change the body of an operation's successes. */
export const inBody = (operation: OperationId, change: (body: Body, context: AnswerContext) => unknown): Hooks => ({
  bodies: { [operation]: change },
});

/** Hooks that change each record of the list of API keys. */
export const eachKey = (change: (key: Body, at: number, context: AnswerContext) => Body): Hooks => ({
  bodies: {
    listTenantApiKeys: (body, context) => (body as unknown as Body[]).map((key, at) => change(key, at, context)),
  },
});

/** `record` without some of its fields. */
export const without = (record: Body, ...names: readonly string[]): Body =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

/** The path of an arrival, without its query. */
export const pathOf = ({ url }: Arrival): string => url.split('?')[0] ?? '';

/** A line, or a page, of something that stands before the service. */
export const delivery = (
  status: number,
  text: string,
  type = 'application/json',
  headers: Readonly<Record<string, string>> = {},
): Delivery => ({ status, headers: { 'X-Mock-Basis': 'fault', 'Content-Type': type, ...headers }, text });

/** Hooks under which an operation works on something else than its path says. */
export const readdressed = (
  operation: 'updateRecording' | 'listTenantApiKeys',
  change: (world: World, request: OperationRequest) => Body | undefined,
): Hooks => ({
  operations: on(operation, (world, request, run) => {
    const params = change(world, request);
    return params && run({ ...request, params } as unknown as OperationRequest);
  }),
});
