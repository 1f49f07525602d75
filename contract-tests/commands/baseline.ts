import { UsageError } from '../errors.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import type { CheckResult } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { isObject } from '../values/json.ts';

/** Known findings: the id of a check, and why its violation is accepted. */
export type Baseline = ReadonlyMap<string, string>;

/**
 * Reads a baseline: YAML with `findings`, a list of `{ check, reason }`. Throws UsageError with file, line and reason.
 */
export function loadBaseline(file: string, rules: readonly Pick<Rule, 'id'>[] = allRules): Baseline {
  const { map, where } = readYamlFile(file, 'the baseline');
  const findings = map?.findings;
  if (!Array.isArray(findings))
    throw new UsageError(`${file}: a baseline is a map with findings, a list of check and reason.`);
  const baseline = new Map<string, string>();
  for (const [index, item] of findings.entries()) {
    const at = where(['findings', index]);
    const { check, reason } = isObject(item) ? item : {};
    if (typeof check !== 'string' || typeof reason !== 'string' || reason.trim() === '') {
      throw new UsageError(`${at}: a finding of the baseline has check (an id) and reason (some text).`);
    }
    if (!rules.some(({ id }) => id === check)) {
      throw new UsageError(`${at}: unknown check ${check}; 'platform-mock verify --plan' lists them.`);
    }
    if (baseline.has(check)) throw new UsageError(`${at}: the baseline lists the check ${check} twice.`);
    baseline.set(check, reason);
  }
  return baseline;
}

/** The results with the known violations marked. */
export function markKnown(checks: readonly CheckResult[], baseline: Baseline): CheckResult[] {
  return checks.map((check) => {
    const known = check.outcome === 'violation' ? baseline.get(check.id) : undefined;
    return known === undefined ? check : { ...check, known, message: `Known (${known}). ${check.message}` };
  });
}

/** The checks of the baseline that pass: what was known is fixed, and the entry must go before it hides a regression. */
export function stale(checks: readonly CheckResult[], baseline: Baseline): string[] {
  return checks.filter(({ id, outcome }) => outcome === 'pass' && baseline.has(id)).map(({ id }) => id);
}
