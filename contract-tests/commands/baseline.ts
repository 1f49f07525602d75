import { UsageError } from '../errors.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import type { CheckResult } from '../model.ts';
import type { Rule } from '../rules/rule.ts';
import { allRules } from '../rules/rules.ts';
import { loadRequirements } from '../spec-data.ts';
import { isObject } from '../values/json.ts';

/** Why something is accepted, and for how long. */
interface Accepted {
  reason: string;
  /** The last day, as `2027-01-31`; absent where it has no end. */
  until?: string;
  isExpired: boolean;
}

/** What a team accepts for now. */
export interface Baseline {
  /** Violations, by the id of the check. */
  findings: ReadonlyMap<string, Accepted>;
  /** What may stay untested, by the id of the requirement. */
  waivers: ReadonlyMap<string, Accepted>;
}

export const NO_BASELINE: Baseline = { findings: new Map(), waivers: new Map() };

/**
 * Reads a baseline: YAML with `findings`, a list of `{ check, reason, until? }`, and `waivers`, a list of `{ requirement,
 * reason, until? }`. Throws UsageError with file, line and reason.
 */
export function loadBaseline(file: string, rules: readonly Pick<Rule, 'id' | 'requirements'>[] = allRules): Baseline {
  const { map, where } = readYamlFile(file, 'the baseline');
  const today = new Date().toISOString().slice(0, 10);
  if (!Array.isArray(map?.findings) && !Array.isArray(map?.waivers))
    throw new UsageError(`${file}: a baseline is a map with findings, a list of check and reason, or waivers.`);
  const listed = (list: 'findings' | 'waivers', key: 'check' | 'requirement', known: readonly string[]) => {
    const accepted = new Map<string, Accepted>();
    for (const [index, item] of [map?.[list] ?? []].flat().entries()) {
      const at = where([list, index]);
      const { [key]: id, reason, until } = isObject(item) ? item : {};
      if (typeof id !== 'string' || typeof reason !== 'string' || reason.trim() === '')
        throw new UsageError(
          `${at}: ${key === 'check' ? 'a finding' : 'a waiver'} of the baseline has ${key} (an id) and reason (some text).`,
        );
      if (!known.includes(id))
        throw new UsageError(`${at}: unknown ${key} ${id}; 'platform-mock verify --plan' lists them.`);
      if (accepted.has(id)) throw new UsageError(`${at}: the baseline lists the ${key} ${id} twice.`);
      if (until !== undefined && !isDay(until))
        throw new UsageError(`${at}: until is a day such as 2027-01-31, not ${JSON.stringify(until)}.`);
      accepted.set(id, { reason, until, isExpired: until !== undefined && until < today });
    }
    return accepted;
  };
  const requirements = [...loadRequirements().map(({ id }) => id), ...rules.flatMap((rule) => rule.requirements)];
  return {
    findings: listed(
      'findings',
      'check',
      rules.map(({ id }) => id),
    ),
    waivers: listed('waivers', 'requirement', requirements),
  };
}

/** Whether it is a day of the calendar: `Date.parse` takes 2027-02-31 for a day in March. */
const isDay = (value: unknown): value is string => {
  const time = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(String(value));
};

/** The results with the known violations marked; one that was accepted until a day in the past says so. */
export function markKnown(checks: readonly CheckResult[], { findings }: Baseline): CheckResult[] {
  return checks.map((check) => {
    const known = check.outcome === 'violation' ? findings.get(check.id) : undefined;
    if (!known) return check;
    const { reason, until, isExpired } = known;
    if (isExpired) return { ...check, message: `Accepted until ${until} (${reason}). ${check.message}` };
    return { ...check, known: reason, message: `Known (${reason}). ${check.message}` };
  });
}

/** The checks of the baseline that pass, of entries that still count: the known violation is fixed, and the entry must go before it hides a regression. */
export function stale(checks: readonly CheckResult[], { findings }: Baseline): string[] {
  return checks
    .filter(({ id, outcome }) => outcome === 'pass' && findings.get(id)?.isExpired === false)
    .map(({ id }) => id);
}
