import { type Behaviour, faithful } from '../operations/behaviour.ts';
import type { Operation } from '../operations/operation.ts';
import type { OperationId } from '../spec/document.ts';
import type { Hooks } from './hooks.ts';
import type { Turn } from './turn.ts';

/** The behaviour with the faults of a request; the first one is applied first. */
export const behaviourWith = (turns: readonly Turn[]): Behaviour =>
  turns.reduce((behaviour, turn) => withHooks(behaviour, turn.fault.hooks(turn.arm.parameters ?? {}), turn), faithful);

function withHooks(inner: Behaviour, hooks: Hooks, turn: Turn): Behaviour {
  /** A hook's replacement, if it has one and it is its turn; else the faithful result. */
  const replaced = <T>(changed: T | undefined, faithful: () => T): T => {
    if (changed === undefined || !turn.isDue()) return faithful();
    turn.hit();
    return changed;
  };
  const isDue = (): boolean => turn.isDue();
  return {
    receive: (arrival, world) => {
      const received = inner.receive(arrival, world);
      return replaced(hooks.receive?.(received, world, isDue), () => received);
    },
    intercept: (arrival, world) =>
      inner.intercept(arrival, world) ?? replaced(hooks.intercept?.(arrival, world), () => undefined),
    authenticate: (world, authorization) => {
      const faithful = once(() => inner.authenticate(world, authorization));
      const { hook, call } = rememberingThrown(faithful);
      const caller = effectOf(turn, call, () => hooks.authenticate?.(world, authorization, hook));
      return replaced(caller, faithful);
    },
    operations: operationsWith(inner, hooks, turn),
    present: (answer, context) => {
      const faithful = inner.present(answer, context);
      return replaced(hooks.present?.(faithful, { ...context, isDue }), () => faithful);
    },
    deliver: (delivery, context) => {
      const delivered = inner.deliver(delivery, context);
      return replaced(hooks.deliver?.(delivered, context), () => delivered);
    },
    transport: (delivery, context) => {
      const transported = inner.transport(delivery, context);
      return replaced(hooks.transport?.(transported, context), () => transported);
    },
  };
}

function operationsWith(inner: Behaviour, hooks: Hooks, turn: Turn): Behaviour['operations'] {
  if (!hooks.operations) return inner.operations;
  const wrapped = Object.entries(hooks.operations).map(([id, hook]) => {
    // The request belongs to this operation; TypeScript cannot relate the two.
    const operation = inner.operations[id as OperationId] as Operation;
    const withFault: Operation = (world, request) => {
      if (!turn.isDue()) return operation(world, request);
      const unchanged = once(() => operation(world, request));
      const { hook: run, call } = rememberingThrown((changes?: object) =>
        changes ? operation(world, { ...request, ...changes }) : unchanged(),
      );
      const response = effectOf(turn, call, () => hook(world, request, run));
      if (response === undefined) return unchanged();
      turn.hit();
      return response;
    };
    return [id, withFault];
  });
  return { ...inner.operations, ...Object.fromEntries(wrapped) };
}

/** The outcome of work that runs when it is first asked for: asked for twice by each of many faults, it would run 2 ** n times. */
function once<T>(work: () => T): () => T {
  let outcome: (() => T) | undefined;
  const run = (): (() => T) => {
    try {
      const value = work();
      return () => value;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  };
  return () => {
    outcome ??= run();
    return outcome();
  };
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

/** Runs a hook; an error that it throws is an effect, where it is the fault's turn, and is ignored where it is not. */
function effectOf<T>(turn: Turn, call: { thrown?: unknown }, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error === call.thrown) throw error;
    if (!turn.isDue()) return undefined;
    turn.hit();
    throw error;
  }
}
