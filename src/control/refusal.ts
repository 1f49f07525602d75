import type { components } from '../core/spec/control-types.ts';
import { maxDetails } from '../core/validation/refusal.ts';

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
  unavailable: 503,
};

/** The statuses with which any operation may be refused; not 405, since its method is allowed. */
export const refusedStatuses = [...new Set(Object.values(statuses))].filter((status) => status < 500 && status !== 405);

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

  /** The response body. Details are limited and shortened: sent values of any length may appear in each of them. */
  get body(): components['schemas']['Error'] {
    const details = this.details.slice(0, maxDetails).map(shortened);
    return { error: { code: this.code, message: cut(this.message, 2000), ...(details.length > 0 && { details }) } };
  }
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length)}…` : text);

function shortened({ field, message, allowed, example }: RefusalDetail): RefusalDetail {
  const isShort = example !== undefined && JSON.stringify(example).length <= 1000;
  return {
    field: cut(field, 100),
    message: cut(message, 300),
    ...(allowed !== undefined && { allowed: cut(allowed, 1000) }),
    ...(isShort && { example }),
  };
}

/** The refusal of invalid fields: its message names them all. */
export function invalid(details: readonly RefusalDetail[]): Refusal {
  const reasons = details.slice(0, maxDetails).map(({ field, message }) => `${cut(field, 100)}: ${cut(message, 300)}`);
  return new Refusal('invalid', `The request is not valid. ${reasons.join('; ')}.`, details);
}

export const invalidField = (field: string, message: string, hints: Partial<RefusalDetail> = {}): Refusal =>
  invalid([{ field, message, ...hints }]);

/** The refusal of an unknown path, id or name. */
export const notFound = (message: string): Refusal => new Refusal('not_found', message);
