import type { components } from './control-types.ts';

type ErrorContent = components['schemas']['Error']['error'];
export type RefusalCode = ErrorContent['code'];

/** The error of one field, the allowed values and an example. */
export type RefusalDetail = NonNullable<ErrorContent['details']>[number];

const statuses: { readonly [Code in RefusalCode]: number } = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  limit: 409,
  unsupported_media_type: 415,
  internal_error: 500,
};

/** An error response of the control plane. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly details: readonly RefusalDetail[] = [],
  ) {
    super(message);
  }

  get status(): number {
    return statuses[this.code];
  }

  /** The response body. */
  get body(): components['schemas']['Error'] {
    const { code, message, details } = this;
    return { error: { code, message, ...(details.length > 0 && { details: [...details] }) } };
  }
}

/** The refusal of invalid fields: its message names them all. */
export function invalid(details: readonly RefusalDetail[]): Refusal {
  const reasons = details.map(({ field, message }) => `${field}: ${message}`);
  return new Refusal('invalid', `The request is not valid. ${reasons.join('; ')}.`, details);
}

/** The refusal of an unknown path, id or name. */
export const notFound = (message: string): Refusal => new Refusal('not_found', message);
