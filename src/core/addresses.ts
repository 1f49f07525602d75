import type { OperationPlan } from './api.ts';

/** The operation that a method and a URL address, with its validated parameters. */
export interface Address {
  readonly plan: OperationPlan;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Maximum number cached by method: URLs come from clients. */
const maxAddresses = 500;
const maxLength = 500;

/** Caches the matched operation and parameters per method and URL. */
export class Addresses {
  private readonly byMethod = new Map<string, Map<string, Address>>();

  get(method: string, url: string): Address | undefined {
    return this.byMethod.get(method)?.get(url);
  }

  /** Shared by all later requests to it, so its parameters must not change. */
  add(method: string, url: string, address: Address): void {
    if (url.length > maxLength) return;
    const known = this.byMethod.get(method) ?? new Map<string, Address>();
    if (known.size >= maxAddresses) known.clear();
    Object.freeze(address.params);
    Object.freeze(address.query);
    this.byMethod.set(method, known.set(url, address));
  }
}
