import { loadBaseline } from './baseline.ts';
import { buildReport, type RunFacts, unreachableReport } from './build-report.ts';
import { allChecks } from './checks/catalogue.ts';
import type { Check } from './checks/check.ts';
import { TransportError, UsageError } from './errors.ts';
import { type Exploration, exploreChecks } from './explore/explore.ts';
import type { CheckResult, GapResult, Report } from './model.ts';
import { allProbes } from './probes/catalogue.ts';
import type { Probe } from './probes/probe.ts';
import type { Waiver } from './report/verdict.ts';
import { runInProcess } from './run-in-process.ts';
import { runSuite } from './run-suite.ts';
import { assertVersionNotInBase } from './session/base-url.ts';
import { givenAnswers, readTarget, type TargetChoice } from './session/choose.ts';
import type { SessionConfig } from './session/connection.ts';
import { discoverTarget, isLoopback } from './session/discover.ts';
import type { GivenAnswers } from './session/profile.ts';
import { secretsOf } from './session/redaction.ts';
import type { Target } from './session/target-file.ts';
import { loadGaps, loadRequirements } from './spec-data.ts';

/** What to verify, and how; the options of the command `verify`. */
export interface VerifyOptions extends TargetChoice {
  /** Check or requirement ids. */
  only?: string[];
  skip?: string[];
  allowWrites?: boolean;
  /** Requirement ids that may stay untested, or `all`. */
  allowUntested?: string[];
  /** A file of known findings, which do not gate. */
  baselineFile?: string;
  /** Whether a gap that differs from what is assumed makes the verdict `violates`. */
  strict?: boolean;
  /** Whether the gaps are observed as well. Default: yes, unless `only` limits the run and `strict` does not ask for it. */
  probe?: boolean;
  /** Generated requests beyond the checks. */
  exploration?: Exploration;
  /** Runs the checks in this process, without vitest around them: for runs by the hundred. */
  inProcess?: boolean;
  onStart?: (checks: readonly Check[], target: Target) => void;
  onCheck?: (result: CheckResult) => void;
}

/** What would be sent: the checks that are selected, and whether each may write. */
export interface Plan {
  target: Target;
  allowWrites: boolean;
  checks: readonly Check[];
  /** The probes that follow, none when the run does not observe gaps. */
  probes: readonly Probe[];
  given: GivenAnswers;
}

interface Prepared extends Plan {
  waiver: Waiver;
  scope?: ReadonlySet<string>;
}

/**
 * Runs the contract suite at a target and gives the report; the exit code is in it. Throws UsageError for input that
 * cannot be used. Never throws for what the target does.
 */
export async function verify(options: VerifyOptions): Promise<Report> {
  const startedAt = new Date();
  const started = performance.now();
  const selection = select(options);
  const waiver = waiverOf(options.allowUntested ?? []);
  const baseline = options.baselineFile === undefined ? undefined : loadBaseline(options.baselineFile);
  let target = readTarget(options);
  const facts = (): Omit<RunFacts, 'checks' | 'gaps' | 'leftovers'> => ({
    baseUrl: target.baseUrl,
    profile: options.profile ?? 'default',
    startedAt,
    durationMs: performance.now() - started,
    waiver,
    secrets: secretsOf(target),
    strict: options.strict ?? false,
    ...(baseline ? { baseline } : {}),
    ...(selection.scope ? { scope: selection.scope } : {}),
  });
  try {
    target = await discoverTarget(target, options.targetFile === undefined);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return unreachableReport(facts(), error.message);
  }
  await assertVersionNotInBase(target);
  const prepared = prepare(options, target, selection, waiver);
  options.onStart?.(prepared.checks, target);
  const session: SessionConfig = {
    target,
    answers: prepared.given.answers,
    allowWrites: prepared.allowWrites,
    probing: prepared.probes.length > 0,
    // Only where a profile says how a PAT is asked for is that put to the test; a PAT that may do little would cost checks.
    leanPat: 'pat-create-request' in prepared.given.answers,
  };
  const { checks, leftovers, probed } = options.inProcess
    ? await runInProcess(session, prepared.checks)
    : await runSuite(
        {
          session,
          checkIds: prepared.checks.map(({ id }) => id),
          ...(options.exploration ? { exploration: options.exploration } : {}),
        },
        options.onCheck,
      );
  const report = buildReport({
    ...facts(),
    profile: prepared.given.name,
    checks,
    leftovers,
    gaps: probed?.gaps ?? unprobedGaps(prepared.given),
    probeExchanges: probed?.exchanges ?? [],
  });
  if (options.targetFile !== undefined || target.actors !== undefined) return report;
  const hint = `${report.target.baseUrl} does not describe itself as a mock does: name actors and resources in a target file (--target).`;
  return { ...report, summary: { ...report.summary, text: `${report.summary.text} ${hint}` } };
}

/** What `verify` with these options would do, without sending any request but the one that finds the target. */
export async function plan(options: VerifyOptions): Promise<Plan> {
  const target = await discoverTarget(readTarget(options), options.targetFile === undefined);
  return prepare(options, target, select(options), waiverOf([]));
}

function prepare(options: VerifyOptions, target: Target, selection: Selection, waiver: Waiver): Prepared {
  const explored = options.exploration ? exploreChecks(options.exploration) : [];
  return {
    target,
    ...selection,
    checks: [...selection.checks, ...explored],
    waiver,
    probes: isProbing(options) ? allProbes : [],
    given: givenAnswers(options, target),
    allowWrites: options.allowWrites ?? isLoopback(target.baseUrl),
  };
}

function isProbing({ probe, only = [], strict = false }: VerifyOptions): boolean {
  return probe ?? (only.length === 0 || strict);
}

interface Selection {
  checks: readonly Check[];
  scope?: ReadonlySet<string>;
}

function select({ only = [], skip = [] }: VerifyOptions): Selection {
  for (const id of [...only, ...skip]) {
    if (!matching(id).length)
      throw new UsageError(
        `${id} is neither a check nor a requirement that has one; 'platform-mock verify --plan' lists the checks.`,
      );
  }
  const skipped = new Set(skip.flatMap(matching));
  const chosen = only.length > 0 ? new Set(only.flatMap(matching)) : undefined;
  const checks = allChecks.filter((check) => (chosen?.has(check) ?? true) && !skipped.has(check));
  if (checks.length === 0) throw new UsageError('No check is left: --only and --skip exclude each other.');
  // Limited to some checks, a run says nothing about the requirements of the others.
  const own = only.flatMap((id) => (isRequirement(id) ? [id] : matching(id).flatMap((check) => check.requirements)));
  return chosen ? { checks, scope: new Set(own) } : { checks };
}

function matching(id: string): Check[] {
  return allChecks.filter((check) => check.id === id || check.requirements.includes(id));
}

function isRequirement(id: string): boolean {
  return loadRequirements().some((requirement) => requirement.id === id);
}

function waiverOf(ids: readonly string[]): Waiver {
  for (const id of ids) {
    if (id !== 'all' && !isRequirement(id))
      throw new UsageError(`--allow-untested: there is no requirement ${id}; 'all' waives every one.`);
  }
  return { requirements: new Set(ids), all: ids.includes('all') };
}

function unprobedGaps({ answers }: GivenAnswers): GapResult[] {
  return loadGaps().map(({ id, section, question, default: assumed, observable, reason }) => ({
    id,
    section,
    question,
    assumed: id in answers ? answers[id] : assumed,
    outcome: 'undetermined',
    reason: observable === false && reason ? reason : 'not probed, since the run was limited to some checks',
  }));
}
