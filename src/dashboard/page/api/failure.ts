import { asText } from '../../../../contract-tests/values/json.ts';
import type { components } from '../../../core/spec/control-types.ts';
import { ControlRefusal } from '../../../doors/control-client.ts';

type ErrorBody = components['schemas']['Error']['error'];

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

export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof ControlRefusal) {
    const { status, error } = thrown;
    return new Failure(error?.message ?? `The mock responded with status ${status}.`, status, error?.details);
  }
  const { cause, message } = thrown instanceof Error ? thrown : new Error(asText(thrown));
  return new Failure(cause instanceof TypeError ? 'The mock does not respond. Is it still running?' : message);
}
