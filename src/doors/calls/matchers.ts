import { asText } from '../../../contract-tests/values/json.ts';
import { didYouMean } from '../../core/profiles/did-you-mean.ts';
import type { GapId } from '../../core/spec/gaps.ts';
import type { MockConnection } from '../connect.ts';
import type { CallPattern, CallsOptions, ExpectedCalls } from './index.ts';
import { CallsError, droppedLine } from './report.ts';

/** Argument of `expect`: a mock, a connection to one, or a sandbox. */
type Receiver = Pick<MockConnection, 'calls' | 'control' | 'gaps'>;

/** The matchers, as `expect` has them. */
export interface CallAssertions {
  /** Fails if another gap than these decided responses of the mock, or the sandbox: see `gaps`. */
  toRestOn(gaps: readonly GapId[]): Promise<void>;
  /** Waits until the mock, or the sandbox, has received these calls: see `calls`. `.not` looks at once. */
  toHaveReceived(expected: ExpectedCalls | readonly CallPattern[], options?: CallsOptions): Promise<void>;
}

/** Matchers for `expect.extend`, of Vitest or Jest. `toHaveReceived` waits as `world.calls` does; with `.not` it looks at once. */
export const callMatchers = {
  /** Passes if no other gap that is assumed decided the world's responses so far. */
  async toRestOn(world: Receiver, allowed: readonly string[]) {
    if (typeof world?.gaps !== 'function' || !Array.isArray(allowed))
      throw new TypeError(
        'expect(…).toRestOn takes a mock, a connection or a sandbox of platform-mock, and ids of gaps.',
      );
    const { gaps, isComplete } = (await world.control.GET('/profile')).data;
    const known = gaps.map(({ id }) => id);
    for (const id of allowed)
      if (!known.includes(id)) throw new TypeError(`toRestOn: there is no gap ${asText(id)}${didYouMean(id, known)}`);
    const others = gaps.filter(({ id, isAssumed, responses }) => isAssumed && responses > 0 && !allowed.includes(id));
    if (others.length === 0 && !isComplete) {
      const { total, kept } = (await world.control.GET('/journal', { params: { query: { limit: 1 } } })).data;
      throw new Error(`expect(…).toRestOn cannot tell. ${droppedLine(total - kept)}`);
    }
    const lines = others.map(
      ({ id, section, question, answer, operations }) =>
        `  ${id} (section ${section}): ${question} Assumed: ${JSON.stringify(answer)}; decided ${operations.join(', ') || 'no operation'}`,
    );
    const expected = `Expected responses to rest on ${allowed.map(asText).join(', ') || 'documented facts'} alone`;
    return {
      pass: others.length === 0,
      message: () =>
        others.length === 0
          ? `${expected} and others; they do not.`
          : [`${expected}, but they also rest on:`, ...lines].join('\n'),
    };
  },
  async toHaveReceived(
    this: { readonly isNot?: boolean },
    world: Receiver,
    expected: ExpectedCalls | readonly CallPattern[],
    options?: CallsOptions,
  ) {
    if (typeof world?.calls !== 'function')
      throw new TypeError('expect(…).toHaveReceived takes a mock, a connection or a sandbox of platform-mock.');
    try {
      const found = await world.calls(expected, { ...options, ...(this.isNot && { timeout: 0 }) });
      const lines = found.map(({ entry, id }) => `  #${id} ${entry.curl}`);
      return { pass: true, message: () => ['Expected no such calls, received:', ...lines].join('\n') };
    } catch (error) {
      // `.not` would pass.
      if (!(error instanceof CallsError) || (this.isNot && error.dropped > 0)) throw error;
      return { pass: false, message: () => error.message };
    }
  },
};
