import { isGiven, lacking } from '../api/target-fields.ts';
import type { CheckResult, RequestCounts } from '../model.ts';
import { loadModel } from '../plan/model.ts';
import { type ProbeRun, probeTarget } from '../probe-target.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules, needsOf } from '../rules/rules.ts';
import type { SessionConfig } from '../session/connection.ts';
import { Session } from '../session/session.ts';
import type { NamedSecret } from '../wire/secrets.ts';
import { NEEDS_WRITES } from '../wire/write-guard.ts';
import type { Asker } from './asker.ts';
import { drive } from './drive.ts';
import { Verdicts } from './judge.ts';

/** What a run found. */
export interface RunResult {
  checks: CheckResult[];
  leftovers: string[];
  requests: RequestCounts;
  /** The credentials that the answers showed. */
  secrets: NamedSecret[];
  probed?: ProbeRun;
}

/** What a caller is told during a run. */
export interface RunHooks {
  /** A phase of the plan begins; `gaps` for all probes. */
  onBegin?: (name: string) => void;
  /** The gap that is observed next, by its id. */
  onGap?: (id: string) => void;
  /** The session, once there is one: an interruption undoes what it wrote. */
  onSession?: (session: Session) => void;
}

/**
 * Plans, sends and judges: asks the target what the rules need, and gives what they say of the log. Never throws for what
 * the target does.
 */
export async function run(
  config: SessionConfig,
  rules: readonly Rule[] = allRules,
  { onBegin, onGap, onSession }: RunHooks = {},
): Promise<RunResult> {
  const session = new Session(config);
  onSession?.(session);
  try {
    const { budget } = loadModel();
    const options = {
      budget: config.requests ?? (config.quick ? budget.quick : budget.default),
      seed: config.seed ?? 1,
    };
    const asker = await drive(session, rules, options, onBegin);
    await asker.attempt('recording', () => session.restoreTitles()).catch(() => undefined);
    const verdicts = new Verdicts(rules);
    verdicts.add(asker.log);
    const checks = verdicts.results((rule) => reasonOf(rule, asker));
    if (config.probing) onBegin?.('gaps');
    asker.purpose = { for: 'gaps', odd: ['gap'] };
    const probed = config.probing ? await probeTarget(session, undefined, ({ id }) => onGap?.(id)) : undefined;
    return { checks: withoutAnswers(checks, asker), ...(await session.finish()), ...(probed ? { probed } : {}) };
  } finally {
    session.close();
  }
}

/** Why a rule could not be judged, where the run knows more than the log. */
function reasonOf(rule: Rule, { session, problems }: Asker): string | undefined {
  const missing = needsOf(rule).find((field) => !isGiven(session.target, field));
  if (missing !== undefined) return lacking(missing);
  if (!session.config.allowWrites && needsOf(rule).includes('resources.recordingId')) return NEEDS_WRITES;
  const own = [...problems].find(([what]) => /pat/.test(rule.id) && /pat/.test(what));
  return own?.[1] ?? (/scopes/.test(rule.id) ? problems.get('scopes') : undefined);
}

/** Where nothing was answered, what is not judged could not be set up. */
function withoutAnswers(checks: CheckResult[], { log, problems }: Asker): CheckResult[] {
  const silence = problems.get('silence');
  if (silence === undefined) return checks;
  const isNothing = log.entries.length === 0;
  return checks.map((check) =>
    check.outcome === 'untested' && (isNothing || check.message === 'no exchange shows it')
      ? { ...check, outcome: 'error', message: `No response: ${silence}` }
      : check,
  );
}
