import type { Request, Response } from 'express';
import { logError } from '../../log.ts';
import type { Answer, AnswerContext, Delivery } from '../../core/operations/behaviour.ts';
import { deliver } from './deliver.ts';
import { errorMediaType, renderError } from './error-body.ts';
import { type Exchange, exchangeOf, queryOf } from './exchange.ts';
import { pathOf } from './plain.ts';

/** Answers a success in the documented media type. */
export function answerSuccess(request: Request, response: Response, body: unknown): void {
  const exchange = exchangeOf(request);
  if (!exchange.plan) throw new Error('A success without an operation.');
  send(exchange, request, response, { status: exchange.plan.success, headers: {}, body }, 'application/json');
}

/** Answers an error whose body was rendered in the profile's shape. */
export function answerError(request: Request, response: Response, answer: Answer): void {
  const exchange = exchangeOf(request);
  send(exchange, request, response, answer, errorMediaType(exchange.world.answers));
}

/**
 * The one way out: every answer of the API is held against the resolved spec. A breach is a bug of ours: it is counted
 * and logged, and the client gets a 500 in the error shape.
 */
function send(exchange: Exchange, request: Request, response: Response, answer: Answer, mediaType: string): void {
  const { world, api, plan, behaviour } = exchange;
  const context = contextOf(exchange, request);
  const violation = api.rules.violation({ ...answer, mediaType }, plan?.id, exchange.forced);
  if (violation === undefined) {
    write(exchange, response, behaviour.present(answer, context), mediaType, context);
    return;
  }
  world.ownViolations += 1;
  logError(`BUG: our answer ${answer.status} to ${request.method} ${pathOf(request)} breaks the spec: ${violation}`);
  write(exchange, response, internalError(exchange), errorMediaType(world.answers), context);
}

/** A 500 in the profile's shape that tells nothing about our insides. */
export function internalError({ world }: Exchange): Answer {
  const content = { status: 500, code: 'internal_error', title: 'Internal error', details: [] };
  const message = 'The mock failed; its log says why.';
  return { status: 500, headers: {}, body: renderError({ ...content, message }, world.answers) };
}

function write(
  exchange: Exchange,
  response: Response,
  answer: Answer,
  mediaType: string,
  context: AnswerContext,
): void {
  const delivery: Delivery = {
    status: answer.status,
    headers: { ...answer.headers, 'X-Mock-Basis': exchange.basis, 'Content-Type': `${mediaType}; charset=utf-8` },
    text: JSON.stringify(answer.body) ?? '',
  };
  const delivered = exchange.behaviour.deliver(delivery, context);
  exchange.noteHits();
  deliver(response, exchange, delivered);
}

function contextOf({ world, arrival, plan, params, caller }: Exchange, sent: Request): AnswerContext {
  const request = { params, query: queryOf(sent), caller, body: sent.body as unknown } as AnswerContext['request'];
  return { world, arrival, operation: plan?.id, request };
}
