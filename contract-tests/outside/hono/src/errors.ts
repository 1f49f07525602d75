import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

export type RefusalCode =
  | 'missing'
  | 'malformed'
  | 'signature'
  | 'expired'
  | 'unknown'
  | 'forbidden'
  | 'not_found'
  | 'invalid'
  | 'failure';

/** A refusal with a reason that hooks may look at; callers of the API only see status and message. */
export class Refusal extends HTTPException {
  readonly code: RefusalCode;

  constructor(status: ContentfulStatusCode, code: RefusalCode, message: string) {
    super(status, { message });
    this.code = code;
  }
}

export const unauthorized = (code: RefusalCode, message = 'Unauthorized'): Refusal => new Refusal(401, code, message);

export const hasCode = (error: unknown, ...codes: RefusalCode[]): boolean =>
  error instanceof Refusal && codes.includes(error.code);
