import type { Answers } from '../profiles/answers.ts';
import { type ErrorKind, type ResolvedKind, resolveKind } from '../spec/error-kinds.ts';
import type { GapId } from '../spec/gaps.ts';

export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/** A message, or one by status: a 404 must not confirm that the resource exists. */
export type ErrorMessage = string | ((status: number) => string);

interface Extras {
  readonly details?: readonly ErrorDetail[];
  /** Gaps that decided the refusal, in addition to those of its kind. */
  readonly gaps?: readonly GapId[];
  readonly headers?: Readonly<Record<string, string>>;
  /** For statuses that differ by operation. */
  readonly operation?: string | undefined;
}

/** An error response, in the profile's error shape. Anything else that is thrown is a bug of the mock. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly details: readonly ErrorDetail[];
  readonly gaps: readonly GapId[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly kind: ResolvedKind,
    message: ErrorMessage,
    extras: Extras = {},
  ) {
    // A response needs no stack, which takes longer than all else of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(typeof message === 'string' ? message : message(kind.status));
    Error.stackTraceLimit = stackTraceLimit;
    this.details = extras.details ?? [];
    this.gaps = [...kind.gaps, ...(extras.gaps ?? [])];
    this.headers = extras.headers ?? {};
  }
}

/** The error of this kind under the answers in force; `null` if they do not make it an error. */
export function refusal(answers: Answers, kind: ErrorKind, message: ErrorMessage, extras?: Extras): ApiError | null {
  const resolved = resolveKind(kind, answers.all, extras?.operation);
  return resolved && new ApiError(resolved, message, extras);
}

/** As refusal(), for kinds that are an error under every answer. */
export function apiError(answers: Answers, kind: ErrorKind, message: ErrorMessage, extras?: Extras): ApiError {
  const error = refusal(answers, kind, message, extras);
  if (!error) throw new Error(`${kind} is not an error under these answers`);
  return error;
}
