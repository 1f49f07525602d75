import type { GapId } from '../core/spec/gaps.ts';
import type { CallPattern, CallsOptions, ExpectedCalls } from './calls/index.ts';
import { callMatchers } from './calls/matchers.ts';

/** Jest's global; with `injectGlobals: false`, call `expect.extend(callMatchers)` yourself. */
const { expect } = globalThis as { readonly expect?: { extend(matchers: object): void } };
expect?.extend(callMatchers);

export { callMatchers };

declare global {
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: an interface is merged with that of Jest only with the same parameters
    interface Matchers<R, T = {}> {
      /** Fails if another gap than these decided responses of the mock, or the sandbox: see `gaps`. */
      toRestOn(gaps: readonly GapId[]): Promise<void>;
      /** Waits until the mock, or the sandbox, has received these calls: see `calls`. `.not` looks at once. */
      toHaveReceived(expected: ExpectedCalls | readonly CallPattern[], options?: CallsOptions): Promise<void>;
    }
  }
}
