import { expect } from 'vitest';
import type { GapId } from '../core/spec/gaps.ts';
import type { CallPattern, CallsOptions, ExpectedCalls } from './calls/index.ts';
import { callMatchers } from './calls/matchers.ts';

// Importing this file, or naming it among Vitest's `setupFiles`, adds the matchers.
expect.extend(callMatchers);

export { callMatchers };

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface is merged with Vitest's only with the same parameter
  interface Matchers<T = any> {
    /** Fails if another gap than these decided responses of the mock, or the sandbox: see `gaps`. */
    toRestOn(gaps: readonly GapId[]): Promise<void>;
    /** Waits until the mock, or the sandbox, has received these calls: see `calls`. `.not` looks at once. */
    toHaveReceived(expected: ExpectedCalls | readonly CallPattern[], options?: CallsOptions): Promise<void>;
  }
}
