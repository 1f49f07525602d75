import type { Delivery } from '../message.ts';
import type { Answer, Arrival, RequestContext } from '../operations/behaviour.ts';
import type { Caller } from '../operations/caller.ts';
import type { OperationResponse } from '../operations/operation.ts';
import type { components } from '../spec/control-types.ts';
import type { Immutable } from '../spec/json.ts';

export type Body = Record<string, unknown>;

/** Parameters as they were given, valid by spec/control.yaml. */
export type Parameters = Immutable<components['schemas']['FaultTerms']>;

/** What each step of a request makes, in the order of processing. */
export interface Steps {
  /** A response instead of the service's, before any effect. */
  readonly intercept: Delivery | undefined;
  /** The request as the service receives it. */
  readonly receive: Arrival;
  readonly authenticate: Caller;
  readonly operate: OperationResponse;
  /** The response after it was validated. */
  readonly present: Answer;
  readonly deliver: Delivery;
  /** What happens to any response on its way, including those sent instead of the service's. */
  readonly transport: Delivery;
}

export interface HookContext<Made = unknown> extends RequestContext {
  /** The step without the fault; an operation takes changes of its request. Throws its refusal. */
  readonly run: (changes?: object) => Made;
  /** A hook with effects asks first whether it is the fault's turn. */
  readonly isDue: () => boolean;
  /** The fault's memory of earlier requests in this world: plain data, maps and sets. */
  readonly remember: <Memory>(create: () => Memory) => Memory;
  readonly parameters: Parameters;
}

/** A step with a fault. `undefined` changes nothing, so that effects can be counted; out of turn, the replacement is not used. */
export type Hook<Made> = (context: HookContext<Made>) => Made | undefined;

/** The changes of a fault, by step. */
export type Hooks = { readonly [Step in keyof Steps]?: Hook<Steps[Step]> } & {
  /** Names of its parameters, which are described in spec/control.yaml (FaultTerms); each has a default. */
  readonly parameters?: readonly string[];
  /** By number: which of the requests that it could hit it does hit, unless it is armed for some. Without it: all. */
  readonly cadence?: ((at: number) => boolean) | undefined;
  /** Browsers' preflights meet it, too. */
  readonly preflights?: boolean;
  /** It may close a connection without an answer. */
  readonly closes?: boolean;
  /** It learns from requests that it is not armed for, such as the tokens that it accepts later. */
  readonly observes?: boolean;
};

export type Fault = Hooks & {
  readonly id: string;
  /** `environment` and `variation` violate no requirement. */
  readonly family: string;
  readonly description: string;
  /** Ids of the violated requirements, the main one first. */
  readonly requirements: readonly string[];
  readonly parameters: readonly string[];
};

/** Faults as their files write them: `id REQUIREMENT …: Description.`, with the main requirement first, and the change. */
export type Rows<Change = Hooks> = Readonly<Record<string, Change>>;

/** Rows whose changes are all of one kind. */
export const each = <Change>(hooksOf: (change: Change) => Hooks, rows: Rows<Change>): Rows =>
  Object.fromEntries(Object.entries(rows).map(([heading, change]) => [heading, hooksOf(change)]));

export const family = (name: string, rows: Rows): readonly Fault[] =>
  Object.entries(rows).map(([heading, hooks]) => {
    const [, id = '', requirements = '', description = ''] = /^(\S+)((?: [A-Z]+-\d+)*): (.+)$/.exec(heading) ?? [];
    return { parameters: [], ...hooks, id, family: name, description, requirements: requirements.split(' ').slice(1) };
  });
