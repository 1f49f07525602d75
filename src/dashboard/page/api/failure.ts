import type { components } from '../../../control/control-types.ts';

type ErrorBody = components['schemas']['Error']['error'];

/** One thing that the server found wrong with a field. */
export type Detail = NonNullable<ErrorBody['details']>[number];

/** Why a call did not do what was asked, in the server's own words where it had any. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    message: string,
    readonly status = 0,
    readonly details: readonly Detail[] = [],
  ) {
    super(message);
  }

  /** What was found wrong with `field`, wherever in the request it stood (`body.title`, `title`, `/title`). */
  about(field: string): Detail | undefined {
    return this.details.find((detail) => detail.field.split(/[./]/).includes(field));
  }
}

/** A message as a sentence: the server's end with a full stop or not. */
export const sentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`);

/** The failure that an answer of the control plane tells of. */
export function failureOf(status: number, body: unknown): Failure {
  const error = (body as { error?: Partial<ErrorBody> } | undefined)?.error;
  return new Failure(error?.message ?? `The mock answered ${status}.`, status, error?.details ?? []);
}

/** Anything thrown, as a failure. */
export function asFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof TypeError) return new Failure('The mock does not answer. Is it still running?');
  return new Failure(thrown instanceof Error ? thrown.message : String(thrown));
}
