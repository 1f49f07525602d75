import type { Request, Response } from 'express';
import { logError } from '../log.ts';
import type { Answer } from '../operations/behaviour.ts';
import { errorMediaType, renderError } from './error-body.ts';
import { type Exchange, exchangeOf } from './exchange.ts';

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
  const { world, api, plan } = exchange;
  const violation = api.rules.violation({ ...answer, mediaType }, plan?.id, exchange.forced);
  if (violation !== undefined) {
    world.ownViolations += 1;
    logError(`BUG: our answer ${answer.status} to ${request.method} ${request.path} breaks the spec: ${violation}`);
    write(exchange, response, internalError(exchange), errorMediaType(world.answers));
    return;
  }
  write(exchange, response, exchange.behaviour.present(answer, { world, operation: plan?.id }), mediaType);
}

/** A 500 in the profile's shape that tells nothing about our insides. */
export function internalError({ world }: Exchange): Answer {
  const content = { status: 500, code: 'internal_error', title: 'Internal error', details: [] };
  const message = 'The mock failed; its log says why.';
  return { status: 500, headers: {}, body: renderError({ ...content, message }, world.answers) };
}

function write(exchange: Exchange, response: Response, answer: Answer, mediaType: string): void {
  exchange.answer = answer;
  const text = JSON.stringify(answer.body);
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value);
  response.setHeader('X-Mock-Basis', exchange.basis);
  response.setHeader('Content-Type', `${mediaType}; charset=utf-8`);
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.end(text);
}
