import type { OperationRequest } from '../operations/operation.ts';
import type { OperationId } from '../spec/document.ts';
import type { Recording } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { sentOf } from './bodies.ts';
import type { Body, Hooks, OperationHook } from './hooks.ts';

let memories = 0;

/** What a fault remembers of earlier requests, separate for each world: plain data, maps and sets. */
export function perWorld<T>(create: () => T): (world: World) => T {
  // Modules load in one order: every process of this version names it alike.
  memories += 1;
  const name = String(memories);
  return (world) => world.remembered(name, create);
}

/** Hooks whose change knows how many times it was called in the world: 1, 2, 3, … */
export function counting<Context extends { readonly world: World }, Value, To>(
  hooksOf: (change: (value: Value, context: Context) => To) => Hooks,
  change: (value: Value, count: number) => To,
): Hooks {
  const counts = perWorld(() => ({ calls: 0 }));
  return hooksOf((value, { world }) => {
    counts(world).calls += 1;
    return change(value, counts(world).calls);
  });
}

/** One hook for several operations. */
export const on = (ids: OperationId | readonly OperationId[], hook: OperationHook): Hooks => ({
  operations: Object.fromEntries([ids].flat().map((id) => [id, hook])),
});

/** Hooks that change requests before an operation gets them; a change of undefined is none. */
export const asking = (
  operation: OperationId,
  change: (request: OperationRequest, world: World) => object | undefined,
): Hooks =>
  on(operation, (world, request, run) => {
    const changes = change(request, world);
    return changes && run(changes);
  });

/** The stored recording that an update addresses. */
export const recordingOf = (world: World, request: Pick<OperationRequest, 'params'>): Recording | undefined =>
  world.store.recordings.get((request.params as unknown as { recordingId: string }).recordingId);

/** What an update did: the recording before and after it, and its body. */
export interface Update {
  readonly before: Recording;
  readonly after: Recording;
  readonly sent: Body;
  readonly world: World;
}

export const updating = (
  change: (update: Update) => { stored?: Partial<Recording>; shown?: Partial<Recording> } | undefined,
): Hooks =>
  on('updateRecording', (world, request, run) => {
    const before = recordingOf(world, request);
    const response = run();
    const after = recordingOf(world, request);
    const changed = before && after && change({ before, after, sent: sentOf(request), world });
    if (!changed) return undefined;
    const { stored, shown = {} } = changed;
    if (stored) world.store.recordings.put({ ...after, ...stored });
    const body = sentOf(response);
    return { body: { ...body, ...Object.fromEntries(Object.entries(shown).filter(([name]) => name in body)) } };
  });

/** Hooks that change what an update stored; its response shows it. */
export const storing = (change: (update: Update) => Partial<Recording> | undefined): Hooks =>
  updating((update) => {
    const stored = change(update);
    return stored && { stored, shown: stored };
  });
