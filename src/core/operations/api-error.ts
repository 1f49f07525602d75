import type { Answers } from '../profiles/answers.ts';
import { type ErrorKind, type ResolvedKind, resolveKind } from '../spec/error-kinds.ts';
import type { GapId } from '../spec/gaps.ts';

/** What is wrong with one field. */
export interface ErrorDetail {
  readonly field: string;
  readonly message: string;
}

/** A message, or one for each status, where the status must not be contradicted: 404 says that there is nothing. */
export type ErrorMessage = string | ((status: number) => string);

interface Extras {
  readonly details?: readonly ErrorDetail[];
  /** Gaps that decided the refusal, beside those of its kind. */
  readonly gaps?: readonly GapId[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that the client is told, in the profile's error shape. Anything else that is thrown is a bug of ours. */
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
    super(typeof message === 'string' ? message : message(kind.status));
    this.details = extras.details ?? [];
    this.gaps = [...kind.gaps, ...(extras.gaps ?? [])];
    this.headers = extras.headers ?? {};
  }
}

/** The refusal of this kind under the answers in force; `null` where they say that it is no error at all. */
export function refusal(answers: Answers, kind: ErrorKind, message: ErrorMessage, extras?: Extras): ApiError | null {
  const resolved = resolveKind(kind, answers.all);
  return resolved && new ApiError(resolved, message, extras);
}

/** As refusal(), for kinds that are an error under every answer. */
export function apiError(answers: Answers, kind: ErrorKind, message: ErrorMessage, extras?: Extras): ApiError {
  const error = refusal(answers, kind, message, extras);
  if (!error) throw new Error(`${kind} is no error under these answers`);
  return error;
}
