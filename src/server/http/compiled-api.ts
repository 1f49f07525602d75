import type { RequestHandler } from 'express';
import type { Answers } from '../../core/profiles/answers.ts';
import type { ApiDocument, OperationId } from '../../core/spec/document.ts';
import type { AnswerRules } from './answer-rules.ts';

/** One operation as the pipeline needs it. */
export interface OperationPlan {
  readonly id: OperationId;
  /** Undefined: the operation reads no body. */
  readonly body: { readonly required: boolean } | undefined;
  readonly queryNames: ReadonlySet<string>;
  /** It is for callers with credentials only. */
  readonly isProtected: boolean;
  /** The one success status that the resolved spec documents. */
  readonly success: number;
}

/** Everything compiled for one set of answers. */
export interface Api {
  readonly answers: Answers;
  readonly document: ApiDocument;
  readonly plans: ReadonlyMap<OperationId, OperationPlan>;
  readonly rules: AnswerRules;
  /** Finds the operation: sets req.openapi. */
  readonly match: RequestHandler;
  /** Runs the operation's security handlers. */
  readonly authenticate: RequestHandler;
  /** Reads the body, decompressed, up to the profile's limit, into req.body as a Buffer. */
  readonly readBytes: RequestHandler;
  /** Validates parameters and body. */
  readonly validate: RequestHandler;
}
