import { UsageError } from '../errors.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import type { CheckResult } from '../model.ts';
import { isObject } from '../values/json.ts';

/** Why something is accepted, and until which day, as `2027-01-31`; without end where that is absent. */
interface Accepted {
  reason: string;
  until?: string;
  isExpired: boolean;
}

/** What a team accepts for now: violations by the id of the check, and what may stay untested by the id of the requirement. */
export type Baseline = Record<'findings' | 'waivers', ReadonlyMap<string, Accepted>>;

export const NO_BASELINE: Baseline = { findings: new Map(), waivers: new Map() };

/**
 * Reads a baseline: YAML with `findings`, a list of `{ check, reason, until? }`, and `waivers`, a list of `{ requirement,
 * reason, until? }`. Throws UsageError with file, line and reason.
 */
export function loadBaseline(
  file: string,
  checks: readonly { id: string }[],
  requirements: readonly string[],
): Baseline {
  const { map, where } = readYamlFile(file, 'the baseline');
  const today = new Date().toISOString().slice(0, 10);
  if (!Array.isArray(map?.findings) && !Array.isArray(map?.waivers))
    throw new UsageError(`${file}: a baseline is a map with findings, a list of check and reason, or waivers.`);
  const listed = (list: keyof Baseline, key: 'check' | 'requirement', known: readonly string[]) => {
    const accepted = new Map<string, Accepted>();
    for (const [index, item] of [map?.[list] ?? []].flat().entries()) {
      const refuse = (why: string) => new UsageError(`${where([list, index])}: ${why}`);
      const { [key]: id, reason, until } = isObject(item) ? item : {};
      if (typeof id !== 'string' || typeof reason !== 'string' || reason.trim() === '')
        throw refuse(`an entry of ${list} in the baseline has ${key} (an id) and reason (some text).`);
      if (!known.includes(id)) throw refuse(`unknown ${key} ${id}; 'platform-mock verify --plan' lists them.`);
      if (accepted.has(id)) throw refuse(`the baseline lists the ${key} ${id} twice.`);
      if (until !== undefined && !isDay(until))
        throw refuse(`until is a day such as 2027-01-31, not ${JSON.stringify(until)}.`);
      accepted.set(id, { reason, until, isExpired: until !== undefined && until < today });
    }
    return accepted;
  };
  const ids = checks.map(({ id }) => id);
  return {
    findings: listed('findings', 'check', ids),
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
