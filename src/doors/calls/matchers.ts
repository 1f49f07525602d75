import type { CallPattern, CallsOptions, ExpectedCalls, WaitForCalls } from './index.ts';
import { CallsError } from './report.ts';

/** Argument of `expect`: a mock, a connection to one, or a sandbox. */
interface Receiver {
  readonly calls: WaitForCalls;
}

/** Result of a matcher for Vitest or Jest. */
interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/**
 * Matchers for `expect.extend`, of Vitest or Jest. `await expect(world).toHaveReceived(expected, options)` waits as
 * `world.calls` does; `.not` checks the requests received so far.
 */
export const callMatchers = {
  async toHaveReceived(
    this: { readonly isNot?: boolean },
    world: Receiver,
    expected: ExpectedCalls | readonly CallPattern[],
    options?: CallsOptions,
  ): Promise<MatcherResult> {
    if (typeof world?.calls !== 'function')
      throw new TypeError('expect(…).toHaveReceived takes a mock, a connection or a sandbox of platform-mock.');
    try {
      const found = await world.calls(expected, { ...options, ...(this.isNot && { timeout: 0 }) });
      const lines = found.map(({ entry, id }) => `  #${id} ${entry.curl}`);
      return { pass: true, message: () => ['Expected no such calls, received:', ...lines].join('\n') };
    } catch (error) {
      if (!(error instanceof CallsError)) throw error;
      return { pass: false, message: () => error.message };
    }
  },
};
