import type { Check } from './checks/check.ts';
import { TransportError } from './errors.ts';
import { CheckFailure, untested } from './failure.ts';
import type { CheckResult, Exchange } from './model.ts';
import { requireFields } from './session/required-fields.ts';
import type { Session } from './session/session.ts';
import { NEEDS_WRITES, WriteNotAllowed } from './wire/write-guard.ts';

/**
 * Runs one check at the session's target and says how it went. A violation is repeated once, with fresh requests: one that
 * does not show again still counts, and says that it is unstable. So is what a check that passed should have shown. Never
 * throws: a fault of the suite itself is an `error`.
 */
export async function runCheck(check: Check, session: Session): Promise<CheckResult> {
  const result = await runRepeatedly(check, session);
  session.ledger.note(result);
  return result;
}

async function runRepeatedly(check: Check, session: Session): Promise<CheckResult> {
  const first = await runOnce(check, session);
  const isToRepeat = !check.isOfTheRun && (first.outcome === 'violation' || first.outcome === 'contradiction');
  if (!isToRepeat || session.config.repeatViolations === false || !session.mayRepeat()) return settled(first);
  session.startAfresh();
  const second = await runOnce(check, session);
  if (first.outcome === 'contradiction') return settled(second);
  if (second.outcome !== 'pass') return settled(first);
  return {
    ...settled(first),
    unstable: true,
    message: `Unstable: seen once, and not when it was repeated. ${first.message}`,
    exchanges: [...first.exchanges, ...second.exchanges],
  };
}

/** How one run of a check went; a contradiction is that no check reports what blocks it. */
type Attempt = Omit<CheckResult, 'outcome'> & { outcome: CheckResult['outcome'] | 'contradiction' };

/** What the answers contradict each other in was judged by no check: that is neither green nor the target's proven fault. */
function settled({ outcome, ...attempt }: Attempt): CheckResult {
  if (outcome !== 'contradiction') return { ...attempt, outcome };
  const message = `${attempt.message}. That check passed, so the target answered it otherwise, and what was answered here is judged by no check.`;
  return { ...attempt, outcome: 'error', message };
}

async function runOnce(check: Check, session: Session): Promise<Attempt> {
  const { result, exchanges } = await session.recorder.scope(async () => {
    requireFields(session, check.needs);
    if (check.writes && !session.config.allowWrites) {
      throw untested(NEEDS_WRITES);
    }
    await check.run(session);
    return check.remark?.(session);
  });
  const { id, requirements, title } = check;
  const base = { id, requirements, title };
  if (result.status === 'fulfilled') return { ...base, exchanges, outcome: 'pass', message: result.value ?? '' };
  const failure = toFailure(result.reason);
  const broken = failure.requirement === undefined ? {} : { requirements: [failure.requirement] };
  return {
    ...base,
    ...broken,
    exchanges: withDecisive(exchanges, failure),
    outcome: failure.by !== undefined && session.ledger.hasPassed(failure.by) ? 'contradiction' : failure.outcome,
    message: failure.message,
    ...failure.evidence,
  };
}

/** The exchanges of a check that did not pass, with the one marked that shows why. */
function withDecisive(exchanges: Exchange[], { outcome, shownBy }: CheckFailure): Exchange[] {
  if (!shownBy && outcome !== 'violation' && outcome !== 'error') return exchanges;
  // An answer of the run that another check requested is not among the check's own.
  const isOwn = exchanges.some(({ request }) => request === shownBy?.request);
  const all = shownBy && !isOwn ? [...exchanges, shownBy] : exchanges;
  const decisive = shownBy?.request ?? all.at(-1)?.request;
  return all.map((exchange) => (exchange.request === decisive ? { ...exchange, decisive: true } : exchange));
}

function toFailure(reason: unknown): CheckFailure {
  if (reason instanceof CheckFailure) return reason;
  if (reason instanceof WriteNotAllowed) return untested(reason.message);
  if (reason instanceof TransportError) return new CheckFailure('error', `No response: ${reason.message}`);
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  return new CheckFailure('error', `The suite itself failed, which says nothing about the target: ${text}`);
}
