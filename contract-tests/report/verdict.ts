import { type CheckResult, OUTCOMES, type Requirement, type RequirementResult, type Verdict } from '../model.ts';

/** Exit codes of `verify`; 2 is a usage error, which never gets as far as a verdict. */
export const EXIT_CODES: Record<Verdict, number> = { conforms: 0, violates: 1, unreachable: 3, inconclusive: 4 };

/** The outcome of each requirement: the worst of its checks. One whose checks were not selected is untested. */
export function judgeRequirements(
  requirements: readonly Requirement[],
  checks: readonly CheckResult[],
): RequirementResult[] {
  const missing = checks.length === 0 ? 'no check ran' : 'no check of it was selected';
  return requirements.map(({ id, section, statement, excluded }) => {
    const own = checks.filter((check) => check.requirements.includes(id));
    const outcome = OUTCOMES.find((each) => own.some((check) => check.outcome === each)) ?? 'untested';
    // What is excluded is reported nevertheless where the target let it be seen, or a field of the target file would.
    if (excluded !== undefined && (own.length === 0 || !['pass', 'violation', 'untested'].includes(outcome)))
      return { id, section, statement, outcome: 'excluded', reason: excluded };
    const messages = own.filter((check) => check.outcome === outcome).map(({ message }) => message);
    const reason = messages.find((message) => message !== '') ?? messages[0] ?? missing;
    // What passed has a message only where its pass does not show everything.
    const said = outcome === 'pass' && reason === '' ? {} : { reason };
    const optional = excluded !== undefined && outcome === 'untested' ? { gates: false as const } : {};
    return { id, section, statement, outcome, ...said, ...optional };
  });
}

/** The verdict of the checks: a violation decides, unless the baseline knows it; what could not be tested is never green, unless it was waived. */
export function judge(
  checks: readonly CheckResult[],
  requirements: readonly RequirementResult[],
  waived: ReadonlySet<string>,
): Verdict {
  if (checks.some(({ outcome, known }) => outcome === 'violation' && known === undefined)) return 'violates';
  const outcomes = new Set(checks.map(({ outcome }) => outcome));
  const isSomethingVerified = requirements.some(({ outcome }) => outcome === 'pass');
  if (isSomethingVerified && openRequirements(requirements, waived).length === 0) return 'conforms';
  if (outcomes.has('pass')) return 'inconclusive';
  return outcomes.has('error') || outcomes.has('blocked') ? 'unreachable' : 'inconclusive';
}

/** What could not be tested and was not waived, by its id or by `all`. */
export function openRequirements(requirements: readonly RequirementResult[], waived: ReadonlySet<string>) {
  const isUntested = ({ id, outcome, gates }: RequirementResult): boolean =>
    outcome === 'untested' && gates === undefined && !waived.has('all') && !waived.has(id);
  return requirements.filter((each) => ['blocked', 'error'].includes(each.outcome) || isUntested(each));
}
