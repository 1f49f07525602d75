import { lacking } from '../api/target-fields.ts';
import type { CheckResult } from '../model.ts';
import { needsOf } from '../rules/rules.ts';
import { loadRequirements } from '../spec-data.ts';

const inWords = ({ id, outcome, message }: CheckResult): string => `${id}: ${outcome}: ${message}`;

/** Checks that are blocked by one that passed, so that no check reports what blocked them, a line each. */
export function contradictionsIn(checks: readonly CheckResult[]): string[] {
  const passed = checks.filter(({ outcome }) => outcome === 'pass').map(({ id }) => ` (see ${id})`);
  return checks.filter(({ message }) => passed.some((cause) => message.includes(cause))).map(inWords);
}

/** What a run may not say about a conforming implementation, a line each. */
export const alarmsOf = (checks: readonly CheckResult[]): string[] => [
  ...checks.filter(({ outcome }) => outcome === 'violation' || outcome === 'error').map(inWords),
  ...contradictionsIn(checks),
];

/** How coverage differs from what is pinned, a line each; `notPassing`: ids of checks that cannot pass at this target. */
export const coverageChanges = (checks: readonly CheckResult[], notPassing?: RegExp): string[] =>
  checks
    .filter((check) => !isUnmet(check) && !isOptional(check))
    .filter(({ id, outcome }) => (outcome === 'pass') === (notPassing?.test(id) ?? false))
    .map((check) => `other coverage than pinned: ${inWords(check)}`);

/** Whether a check judges nothing but excluded requirements, so that it passes only where the target lets it be seen. */
export function isOptional({ requirements }: CheckResult): boolean {
  const excluded = loadRequirements().flatMap((each) => (each.excluded === undefined ? [] : [each.id]));
  return requirements.length > 0 && requirements.every((id) => excluded.includes(id));
}

/** Whether a check could not be run, since the target file lacks a field that the check declares to need. */
export const isUnmet = ({ id, outcome, message }: CheckResult): boolean =>
  outcome === 'untested' && needsOf({ id }).some((field) => message === lacking(field));
