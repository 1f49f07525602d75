import { refuseUnknown } from '../../core/options.ts';
import { clearTimeout, setTimeout } from '../../core/real-time.ts';
import type { ControlClient } from '../control-client.ts';
import { type Call, callOf } from './call.ts';
import { entriesAfter, journalEvents } from './events.ts';
import { boundsOf, type CallPattern, checkPattern, type ExpectedCalls, isMatch } from './match.ts';
import { CallsError } from './report.ts';

export type { Call } from './call.ts';
export type { CallCount, CallPattern, ExpectedCalls } from './match.ts';
export { CallsError } from './report.ts';

export interface CallsOptions {
  /** Milliseconds to wait, default 3,000: less than test runners allow a test. 0 for the requests received so far. */
  readonly timeout?: number;
  /** Ends the wait earlier. */
  readonly signal?: AbortSignal;
  /** Only calls with a higher id, such as that of the last known call. */
  readonly after?: number;
}

/**
 * Waits until a world has received the expected calls.
 *
 * With one pattern: until as many match as `count` says, by default one or more. A count that is exceeded fails at once,
 * one that is met does not wait for more. With several patterns: until calls match them in that order; others may come
 * between. A call counts once its response is sent or its connection closed, and at the end of the wait in any case.
 *
 * @returns the calls that match, in order of arrival
 * @throws CallsError that compares the nearest request field by field; ConfigError for a pattern that is not one;
 *   ControlRefusal for an operation that the API does not have
 */
export type WaitForCalls = (
  expected: ExpectedCalls | readonly CallPattern[],
  options?: CallsOptions,
) => Promise<readonly Call[]>;

export function callsOf(control: ControlClient, baseUrl: string): WaitForCalls {
  return async (expected, options = {}) => {
    refuseUnknown('calls', options, ['timeout', 'signal', 'after']);
    const patterns: readonly ExpectedCalls[] = Array.isArray(expected) ? expected : [expected as ExpectedCalls];
    for (const pattern of patterns) checkPattern(pattern, !Array.isArray(expected));
    const { timeout = 3000, signal, after = 0 } = options;
    const received = new Map<number, Call>();
    // Entries up to this one have ended: the events start after it.
    let ended = after;
    let dropped = 0;
    const read = async (isLast: boolean): Promise<void> => {
      const kept = await entriesAfter(control, after);
      const { entries } = kept;
      dropped = kept.dropped;
      for (const entry of entries) {
        ended = Math.max(ended, entry.id);
        if (isLast || entry.outcome !== 'pending') received.set(entry.id, callOf(entry));
      }
      for (const { id, outcome } of entries) if (outcome === 'pending') ended = Math.min(ended, id - 1);
    };
    const state = () => stateOf(patterns, inOrder(received));

    const operations = new Set(patterns.flatMap(({ operation }) => operation ?? []));
    // A misspelt name would never match; the control plane knows the operations.
    const check = (operation: string) => control.GET('/journal', { params: { query: { operation, limit: 1 } } });
    await Promise.all([read(timeout === 0), ...[...operations].map(check)]);
    let current = state();
    let waited = '';
    if (timeout > 0 && !current.isMet && !current.isExceeded) {
      const wait = startWait(timeout, signal);
      try {
        for await (const entry of journalEvents(control, ended, wait.over)) {
          received.set(entry.id, callOf(entry));
          current = state();
          if (current.isMet) break;
        }
      } finally {
        wait.stop();
      }
      // Not of a deleted world: that would create it again.
      if (!current.isMet && wait.isOver) await read(true);
      current = state();
      const end = signal?.aborted ? 'the signal was aborted' : 'the world was deleted or the mock stopped';
      waited = wait.isOver && !signal?.aborted ? ` in ${timeout / 1000} s` : ` until ${end}`;
    }
    // What the journal has dropped may have been too many.
    if (current.isMet && (dropped === 0 || !current.isBounded)) return current.matched;
    throw new CallsError({ patterns, matched: current.matched, received: inOrder(received), waited, baseUrl, dropped });
  };
}

function stateOf(patterns: readonly ExpectedCalls[], calls: readonly Call[]) {
  const [first, ...others] = patterns;
  if (first && others.length === 0) {
    const { min, max } = boundsOf(first.count);
    const matched = calls.filter((call) => isMatch(first, call));
    const { length } = matched;
    return {
      matched,
      isMet: length >= min && length <= max,
      isExceeded: length > max,
      isBounded: Number.isFinite(max),
    };
  }
  const matched: Call[] = [];
  for (const call of calls) {
    const next = patterns[matched.length];
    if (next && isMatch(next, call)) matched.push(call);
  }
  return { matched, isMet: matched.length === patterns.length, isExceeded: false, isBounded: false };
}

const inOrder = (calls: ReadonlyMap<number, Call>): Call[] => [...calls.values()].sort((a, b) => a.id - b.id);

/** `over` resolves when the time is over or the signal aborted. */
function startWait(milliseconds: number, signal: AbortSignal | undefined) {
  const wait = { over: Promise.resolve(), isOver: false, stop: () => {} };
  wait.over = new Promise((resolve) => {
    const end = (): void => {
      wait.isOver = true;
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener('abort', end);
    wait.stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    };
    if (signal?.aborted) end();
  });
  return wait;
}
