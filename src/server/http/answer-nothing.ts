import type { Response } from 'express';
import type { Exchange } from './exchange.ts';

/** Answers 204: what OPTIONS gets. */
export function answerNothing(exchange: Exchange, response: Response): void {
  response.statusCode = 204;
  response.setHeader('X-Mock-Basis', exchange.basis);
  response.setHeader('Content-Length', '0');
  exchange.noteAnswer(response.statusCode, response.getHeaders());
  response.end();
}
