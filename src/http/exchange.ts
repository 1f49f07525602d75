import type { Request } from 'express';
import type { ApiError } from '../operations/api-error.ts';
import type { Answer, Arrival, Behaviour } from '../operations/behaviour.ts';
import type { Caller } from '../operations/operation.ts';
import type { GapAnswers, GapId } from '../spec/gaps.ts';
import type { World } from '../world/world.ts';
import type { Api, OperationPlan } from './compiled-api.ts';

/** One request and its answer, on their way through the pipeline. */
export class Exchange {
  /** Set once the operation is found. */
  plan: OperationPlan | undefined;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>> = {};
  caller: Caller | undefined;
  bearer: string | undefined;
  /** Why authentication failed; the validator passes on only a status. */
  authError: ApiError | undefined;
  /** `Prefer: code=…` decided the status. */
  forced = false;
  answer: Answer | undefined;
  private readonly gaps = new Set<GapId>();

  constructor(
    readonly world: World,
    readonly api: Api,
    readonly behaviour: Behaviour,
    /** Path prefix of the sandbox, '' for the main world. */
    readonly prefix: string,
    /** What the client sent, without that prefix. */
    readonly arrival: Arrival,
  ) {}

  /** The answer in force to a gap; notes that it decided this response. */
  assume<Gap extends GapId>(gap: Gap): GapAnswers[Gap] {
    this.gaps.add(gap);
    return this.world.answers.get(gap);
  }

  /** Value of the header X-Mock-Basis. */
  get basis(): string {
    return this.gaps.size === 0 ? 'documented' : `assumed; gaps=${[...this.gaps].join(',')}`;
  }
}

const exchanges = new WeakMap<object, Exchange>();

export const beginExchange = (request: Request, exchange: Exchange): void => {
  exchanges.set(request, exchange);
};

/** The exchange that a request belongs to. */
export function exchangeOf(request: Request): Exchange {
  const exchange = exchanges.get(request);
  if (!exchange) throw new Error('This request went past the beginning of the pipeline.');
  return exchange;
}

/** As exchangeOf, for errors that came before the exchange began. */
export const exchangeOrNone = (request: Request): Exchange | undefined => exchanges.get(request);
