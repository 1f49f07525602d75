import type { Request, RequestHandler } from 'express';
import type { Operation, OperationRequest } from '../../core/operations/operation.ts';
import { answerSuccess } from './answer.ts';
import { type Exchange, exchangeOf, queryOf } from './exchange.ts';

/** Step: runs the operation on the world and answers with what it gives. */
export const runOperation: RequestHandler = (request, response) => {
  const exchange = exchangeOf(request);
  const { plan, world, behaviour } = exchange;
  if (!plan) throw new Error('No operation was found for this request.');
  // The spec says which operation takes which request; the type system cannot follow it here.
  const operation = behaviour.operations[plan.id] as Operation;
  const body = runNoted(exchange, () => operation(world, operationRequest(request, exchange)).body);
  if (!world.answers.isDefault('success-codes')) exchange.assume('success-codes');
  answerSuccess(request, response, body);
};

/** Runs `work`; the exchange takes note of what it changed in the store, and of faults that hit, also where it throws. */
function runNoted<T>(exchange: Exchange, work: () => T): T {
  try {
    return exchange.world.track(exchange.changes, work);
  } finally {
    exchange.noteHits();
  }
}

function operationRequest(request: Request, exchange: Exchange): OperationRequest {
  return {
    params: exchange.params,
    query: queryOf(request),
    body: request.body as unknown,
    caller: exchange.caller,
    bearer: exchange.bearer,
    assume: exchange.assume.bind(exchange),
  } as unknown as OperationRequest;
}
