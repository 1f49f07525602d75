import type { components } from '../../../control/control-types.ts';

type ErrorBody = components['schemas']['Error']['error'];

/** What the server found wrong with one field. */
export type Detail = NonNullable<ErrorBody['details']>[number];

/** Why a call failed, in the server's own words where it gave any. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    message: string,
    readonly status = 0,
    readonly details: readonly Detail[] = [],
  ) {
    super(message);
  }

  /** The detail about `field`, wherever in the request it was (`body.title`, `title`, `/title`). */
  detailOf(field: string): Detail | undefined {
    return this.details.find((detail) => detail.field.split(/[./]/).includes(field));
  }
}

export function responseFailure(status: number, body: unknown): Failure {
  const error = (body as { error?: Partial<ErrorBody> } | undefined)?.error;
  return new Failure(error?.message ?? `The mock responded with status ${status}.`, status, error?.details);
}

export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof TypeError) return new Failure('The mock does not respond. Is it still running?');
  return new Failure(thrown instanceof Error ? thrown.message : String(thrown));
}
