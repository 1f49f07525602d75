import { expect } from 'vitest';
import { type CallAssertions, callMatchers } from './calls/matchers.ts';

// Importing this file, or naming it among Vitest's `setupFiles`, adds the matchers.
expect.extend(callMatchers);

export { callMatchers };

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: an interface is merged with Vitest's only with the same parameter
  interface Matchers<T = any> extends CallAssertions {}
}
