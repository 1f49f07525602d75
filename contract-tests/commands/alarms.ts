import { lacking } from '../api/target-fields.ts';
import type { CheckResult } from '../model.ts';
import { needsOf } from '../rules/rules.ts';
import { loadRequirements } from '../spec-data.ts';

const inWords = ({ id, outcome, message }: CheckResult): string => `${id}: ${outcome}: ${message}`;

/**
 * What a run may not say about a conforming implementation, a line each: violations, checks that could not be judged, and
 * contradictions, which are checks blocked by one that passed.
 */
export const alarmsOf = (checks: readonly CheckResult[]): string[] =>
  checks
    .filter((check) => ['violation', 'error'].includes(check.outcome) || isContradiction(check, checks))
    .map(inWords);

/** Checks that are blocked by one that passed, so that no check reports what blocked them; a line each. */
export const contradictionsIn = (checks: readonly CheckResult[]): string[] =>
  checks.filter((check) => isContradiction(check, checks)).map(inWords);

function isContradiction({ message }: CheckResult, checks: readonly CheckResult[]): boolean {
  const blockedBy = / \(see ([\w-]+)\)/.exec(message)?.[1];
  return checks.some(({ id, outcome }) => id === blockedBy && outcome === 'pass');
}

/**
 * How the coverage of a whole run differs from what is pinned, a line each: without this, a suite that answers `untested`
 * everywhere would raise no alarm. `notPassing` tells which checks cannot pass at this target, by their number or by
 * their ids, in addition to those whose `needs` its target file does not meet, and those of excluded requirements, which pass only
 * where the target shows it.
 */
export function coverageChanges(checks: readonly CheckResult[], notPassing: number | RegExp): string[] {
  const met = checks.filter((check) => !isUnmet(check));
  const others = met.filter((check) => check.outcome !== 'pass' && !isOptional(check));
  const expected = typeof notPassing === 'number' ? undefined : met.filter(({ id }) => notPassing.test(id));
  const count = expected?.length ?? Number(notPassing);
  if (others.length === count && (expected ?? []).every((check) => others.includes(check))) return [];
  const passed = met.length - others.length;
  const pinned = met.length - count;
  const change =
    passed > pinned ? `coverage gained: ${passed - pinned} more` : `coverage lost: ${pinned - passed} fewer`;
  return [`${change} than the ${pinned} checks that are pinned to pass; these do not:`, ...others.map(inWords)];
}

/** Whether a check judges nothing but excluded requirements, so that it passes only where the target lets it be seen. */
export function isOptional({ requirements }: CheckResult): boolean {
  const excluded = loadRequirements().filter((requirement) => requirement.excluded !== undefined);
  return requirements.length > 0 && requirements.every((id) => excluded.some((requirement) => requirement.id === id));
}

/** Whether a check could not be run, since the target file lacks a field that the check declares to need. */
export const isUnmet = ({ id, outcome, message }: CheckResult): boolean =>
  outcome === 'untested' && needsOf({ id }).some((field) => message === lacking(field));
