import { type CallAssertions, callMatchers } from './calls/matchers.ts';

/** Jest's global; with `injectGlobals: false`, call `expect.extend(callMatchers)` yourself. */
const { expect } = globalThis as { readonly expect?: { extend(matchers: object): void } };
expect?.extend(callMatchers);

export { callMatchers };

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: an interface is merged with that of Jest only with the same parameters
    interface Matchers<R, T = {}> extends CallAssertions {}
  }
}
