import { allChecks } from './checks/catalogue.ts';
import type { Check } from './checks/check.ts';
import type { CheckResult } from './model.ts';
import { type ProbeRun, probeTarget } from './probe-target.ts';
import { runCheck } from './run-check.ts';
import type { SuiteResult } from './run-suite.ts';
import type { SessionConfig } from './session/connection.ts';
import { Session } from './session/session.ts';

/**
 * Runs checks without vitest around them: the same checks, for measuring the suite itself at many targets. Gives the
 * results in the order of the checks, and those of the probes where the session is for probing, too. The checks end early
 * after a result that is enough.
 */
export async function runInProcess(
  config: SessionConfig,
  checks: readonly Check[] = allChecks,
  isEnough: (result: CheckResult) => boolean = () => false,
): Promise<SuiteResult & { probed?: ProbeRun }> {
  const session = new Session(config);
  try {
    const results: CheckResult[] = [];
    for (const check of checks) {
      const result = await runCheck(check, session);
      results.push(result);
      if (isEnough(result)) break;
    }
    const probed = config.probing ? await probeTarget(session) : undefined;
    return { checks: results, ...(await session.finish()), ...(probed ? { probed } : {}) };
  } finally {
    session.close();
  }
}
