import { lacking } from '../api/target-fields.ts';
import type { CheckResult } from '../model.ts';
import { needsOf } from '../rules/rules.ts';
import { loadRequirements } from '../spec-data.ts';

const inWords = (checks: readonly CheckResult[]): string[] =>
  checks.map(({ id, outcome, message }) => `${id}: ${outcome}: ${message}`);

/** Whether a check is blocked by one that passed, so that no check reports what blocked it. */
const contradicts =
  (checks: readonly CheckResult[]) =>
  ({ message }: CheckResult): boolean => {
    const blockedBy = / \(see ([\w-]+)\)/.exec(message)?.[1];
    return checks.some(({ id, outcome }) => id === blockedBy && outcome === 'pass');
  };
export const contradictionsIn = (checks: readonly CheckResult[]): string[] =>
  inWords(checks.filter(contradicts(checks)));

/** What a run may not say about a conforming implementation, a line each: violations, errors and contradictions. */
export const alarmsOf = (checks: readonly CheckResult[]): string[] =>
  inWords(checks.filter((check) => ['violation', 'error'].includes(check.outcome) || contradicts(checks)(check)));

/**
 * How the coverage of a whole run differs from what is pinned, a line each: without this, a suite that answers `untested`
 * everywhere would raise no alarm. `notPassing` tells which checks cannot pass at this target, by their number or by
 * their ids, in addition to those that are unmet or optional.
 */
export function coverageChanges(checks: readonly CheckResult[], notPassing: number | RegExp): string[] {
  const met = checks.filter((check) => !isUnmet(check));
  const others = met.filter((check) => check.outcome !== 'pass' && !isOptional(check));
  const expected = typeof notPassing === 'number' ? [] : met.filter(({ id }) => notPassing.test(id));
  const pinned = met.length - (typeof notPassing === 'number' ? notPassing : expected.length);
  const lost = pinned - (met.length - others.length);
  if (lost === 0 && expected.every((check) => others.includes(check))) return [];
  const change = lost < 0 ? `coverage gained: ${-lost} more` : `coverage lost: ${lost} fewer`;
  return [`${change} than the ${pinned} checks that are pinned to pass; these do not:`, ...inWords(others)];
}

/** Whether a check judges nothing but excluded requirements, so that it passes only where the target lets it be seen. */
export function isOptional({ requirements }: CheckResult): boolean {
  const excluded = loadRequirements().flatMap((each) => (each.excluded === undefined ? [] : [each.id]));
  return requirements.length > 0 && requirements.every((id) => excluded.includes(id));
}

/** Whether a check could not be run, since the target file lacks a field that the check declares to need. */
export const isUnmet = ({ id, outcome, message }: CheckResult): boolean =>
  outcome === 'untested' && needsOf({ id }).some((field) => message === lacking(field));
