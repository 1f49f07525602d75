import { setImmediate as immediate } from 'node:timers/promises';
import { allChecks } from './checks/catalogue.ts';
import type { Check } from './checks/check.ts';
import { interruptible } from './interruption.ts';
import type { CheckResult, RequestCounts } from './model.ts';
import { type ProbeRun, probeTarget } from './probe-target.ts';
import { runCheck } from './run-check.ts';
import type { SessionConfig } from './session/connection.ts';
import { Session } from './session/session.ts';
import type { NamedSecret } from './wire/secrets.ts';

export interface SuiteResult {
  /** In the order of the checks. */
  checks: CheckResult[];
  leftovers: string[];
  requests: RequestCounts;
  /** The credentials that the answers showed. */
  secrets: NamedSecret[];
  probed?: ProbeRun;
}

/** What a caller is told during a run, and what it decides. */
export interface SuiteHooks {
  /** What begins: a check by its id, `gaps` for all probes, `clean-up`. */
  onBegin?: (name: string) => void;
  /** A check has ended. */
  onCheck?: (result: CheckResult) => void;
  /** The gap that is observed next, by its id. */
  onGap?: (id: string) => void;
  /** Whether a result is enough to end the checks. */
  isEnough?: (result: CheckResult) => boolean;
  /** Whether SIGINT and SIGTERM end this process, once the titles are put back. */
  isCommand?: boolean;
}

/**
 * Runs checks at a target, one after the other, then the probes where the session is for probing, since no check may judge what
 * a probe has touched.
 */
export async function runSuite(
  config: SessionConfig,
  checks: readonly Check[] = allChecks,
  hooks: SuiteHooks = {},
): Promise<SuiteResult> {
  const session = new Session(config);
  try {
    const run = () => runAt(session, checks, hooks);
    return await (hooks.isCommand ? interruptible(session, run) : run());
  } finally {
    session.close();
  }
}

async function runAt(
  session: Session,
  checks: readonly Check[],
  { onBegin, onCheck, onGap, isEnough }: SuiteHooks,
): Promise<SuiteResult> {
  const results: CheckResult[] = [];
  for (const check of checks) {
    // Many checks send nothing: signals and timers get their turn between them.
    await immediate();
    onBegin?.(check.id);
    const result = await runCheck(check, session);
    results.push(result);
    onCheck?.(result);
    if (isEnough?.(result)) break;
  }
  onBegin?.('gaps');
  const probed = session.config.probing ? await probeTarget(session, undefined, ({ id }) => onGap?.(id)) : undefined;
  onBegin?.('clean-up');
  return { checks: results, ...(await session.finish()), ...(probed ? { probed } : {}) };
}
