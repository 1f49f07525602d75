import type { Delivery } from '../message.ts';
import type { Answer, AnswerContext, Arrival } from '../operations/behaviour.ts';
import type { Caller } from '../operations/caller.ts';
import type { OperationRequest, OperationResponse } from '../operations/operation.ts';
import type { OperationId } from '../spec/document.ts';
import type { World } from '../world/world.ts';

export type Body = Record<string, unknown>;

/** An operation with a fault; `run` runs it without the fault, with these changes of the request. */
export type OperationHook = (
  world: World,
  request: OperationRequest,
  run: (changes?: object) => OperationResponse,
) => OperationResponse | undefined;

/** What a hook with effects asks first: whether it is the fault's turn. */
interface HookContext extends AnswerContext {
  readonly isDue: () => boolean;
}

export interface Traits {
  /** By number: which of the requests that it could hit it does hit, unless it is armed for some. Without it: all. */
  readonly cadence?: ((at: number) => boolean) | undefined;
  /** Browsers' preflights meet it, too. */
  readonly preflights?: boolean | undefined;
  /** It learns from requests that it is not armed for, such as the tokens that it accepts later. */
  readonly observes?: boolean | undefined;
  /** What an administrator sends to see it (`GET /v1/…`), where the tests' usual requests do not show it. */
  readonly shownBy?: { readonly line: string; readonly json?: object } | undefined;
}

/**
 * The changes of a fault, by step of the behaviour. A hook returns a replacement, or `undefined` to change nothing, so that
 * the effects of a fault can be counted. Where it is not the fault's turn, the replacement is not used.
 */
export interface Hooks extends Traits {
  /** A hook with effects asks first whether it is the fault's turn. */
  readonly receive?: (arrival: Arrival, world: World, isDue: () => boolean) => Arrival | undefined;
  readonly intercept?: (arrival: Arrival, world: World) => Delivery | undefined;
  /** `faithful` returns the caller, or throws the refusal. */
  readonly authenticate?: (
    world: World,
    authorization: string | undefined,
    faithful: () => Caller,
  ) => Caller | undefined;
  /** Called only where it is the fault's turn. */
  readonly operations?: { readonly [Id in OperationId]?: OperationHook };
  readonly present?: (answer: Answer, context: HookContext) => Answer | undefined;
  readonly deliver?: (delivery: Delivery, context: AnswerContext) => Delivery | undefined;
  readonly transport?: (delivery: Delivery, context: AnswerContext) => Delivery | undefined;
}
