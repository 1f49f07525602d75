import { expect } from 'vitest';
import { type CallAssertions, callMatchers } from './calls/matchers.ts';

// Importing this file, or naming it among Vitest's `setupFiles`, adds the matchers.
expect.extend(callMatchers);

export { callMatchers };

declare global {
  namespace Chai {
    /** Vitest's assertions have these members, too. The type parameters of its own interfaces differ between its versions. */
    interface Assertion extends CallAssertions {}
  }
}
