import isDeepEqual from 'fast-deep-equal';
import type { Delivery } from '../message.ts';
import type { Answer, AnswerContext, Arrival, Behaviour } from '../operations/behaviour.ts';
import type { Caller, Operation, OperationRequest, OperationResponse } from '../operations/operation.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';

/** A body as faults handle it. */
export type Body = Record<string, unknown>;

/** An operation with a fault; `run` runs it without the fault, for this request or another. */
export type OperationHook = (
  world: World,
  request: OperationRequest,
  run: (request?: OperationRequest) => OperationResponse,
) => OperationResponse | undefined;

/**
 * The changes of a fault, by step of the behaviour. A hook returns a replacement, or `undefined` to change nothing, so that
 * the effects of a fault can be counted.
 */
export interface Hooks {
  readonly receive?: (arrival: Arrival, world: World) => Arrival | undefined;
  readonly intercept?: (arrival: Arrival, world: World) => Delivery | undefined;
  /** `faithful` returns the caller, or throws the refusal. */
  readonly authenticate?: (
    world: World,
    authorization: string | undefined,
    faithful: () => Caller,
  ) => Caller | undefined;
  readonly operations?: { readonly [Id in OperationId]?: OperationHook };
  /** Replaces bodies of successes, by operation. They are copies and may be modified. */
  readonly bodies?: { readonly [Id in OperationId]?: (body: Body, context: AnswerContext) => unknown };
  readonly present?: (answer: Answer, context: AnswerContext) => Answer | undefined;
  readonly deliver?: (delivery: Delivery, context: AnswerContext) => Delivery | undefined;
}

/** Returns a function that adds a fault's hooks to a behaviour. */
export function wrapWith(id: string, hooks: Hooks): (behaviour: Behaviour) => Behaviour {
  const hit = (world: World): void => {
    world.faultHits.set(id, (world.faultHits.get(id) ?? 0) + 1);
  };
  /** A hook's replacement, which is counted, or else the faithful result. */
  const replaced = <T>(world: World, changed: T | undefined, faithful: () => T): T => {
    if (changed === undefined) return faithful();
    hit(world);
    return changed;
  };
  return (inner) => ({
    receive: (arrival, world) => {
      const received = inner.receive(arrival, world);
      return replaced(world, hooks.receive?.(received, world), () => received);
    },
    intercept: (arrival, world) =>
      inner.intercept(arrival, world) ?? replaced(world, hooks.intercept?.(arrival, world), () => undefined),
    authenticate: (world, authorization) => {
      const faithful = () => inner.authenticate(world, authorization);
      const { hook, call } = rememberingThrown(faithful);
      const caller = counted(world, hit, call, () => hooks.authenticate?.(world, authorization, hook));
      return replaced(world, caller, faithful);
    },
    operations: operationsWith(inner, hooks, hit),
    present: (answer, context) => {
      const presented = presentBody(hooks, inner.present(answer, context), context, hit);
      return replaced(context.world, hooks.present?.(presented, context), () => presented);
    },
    deliver: (delivery, context) => {
      const delivered = inner.deliver(delivery, context);
      return replaced(context.world, hooks.deliver?.(delivered, context), () => delivered);
    },
  });
}

function operationsWith(inner: Behaviour, hooks: Hooks, hit: (world: World) => void): Behaviour['operations'] {
  const wrapped = Object.entries(hooks.operations ?? {}).map(([id, hook]) => {
    // The request belongs to this operation; TypeScript cannot relate the two.
    const operation = inner.operations[id as OperationId] as Operation;
    const withFault: Operation = (world, request) => {
      const { hook: run, call } = rememberingThrown((other: OperationRequest = request) => operation(world, other));
      const response = counted(world, hit, call, () => hook(world, request, run));
      if (response === undefined) return operation(world, request);
      hit(world);
      return response;
    };
    return [id, withFault];
  });
  return { ...inner.operations, ...Object.fromEntries(wrapped) };
}

/** Wraps `work` for a hook and remembers what it threw: a hook that rethrows it has had no effect. */
function rememberingThrown<Args extends unknown[], T>(work: (...args: Args) => T) {
  const call: { thrown?: unknown } = {};
  const hook = (...args: Args): T => {
    try {
      return work(...args);
    } catch (error) {
      call.thrown = error;
      throw error;
    }
  };
  return { hook, call };
}

/** Runs a hook; an error of its own counts as an effect. */
function counted<T>(world: World, hit: (world: World) => void, call: { thrown?: unknown }, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error !== call.thrown) hit(world);
    throw error;
  }
}

function presentBody(hooks: Hooks, answer: Answer, context: AnswerContext, hit: (world: World) => void): Answer {
  const change = context.operation && hooks.bodies?.[context.operation];
  if (!change || answer.status >= 300) return answer;
  const body = change(structuredClone(answer.body) as Body, context);
  if (body === undefined || isDeepEqual(body, answer.body)) return answer;
  hit(context.world);
  return { ...answer, body };
}
