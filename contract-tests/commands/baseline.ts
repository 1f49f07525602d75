import { UsageError } from '../errors.ts';
import { checkBySchema } from '../files/schema-check.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import type { CheckResult } from '../model.ts';

/** Why something is accepted, and until which day, as `2027-01-31`; without end where that is absent. */
interface Accepted {
  reason: string;
  until?: string;
  isExpired: boolean;
}

/** What a team accepts for now: violations by the id of the check, and what may stay untested by the id of the requirement. */
export type Baseline = Record<'findings' | 'waivers', ReadonlyMap<string, Accepted>>;

/**
 * Reads a baseline, whose entries name these checks and requirements; without a file it is empty. Throws UsageError with
 * file, line and reason.
 */
export function loadBaseline(
  file: string | undefined,
  checks: readonly { id: string }[],
  requirements: readonly string[],
): Baseline {
  if (file === undefined) return { findings: new Map(), waivers: new Map() };
  const { map, where } = readYamlFile(file, 'the baseline');
  const given = checkBySchema<Partial<Record<keyof Baseline, Record<string, string>[]>>>('baseline', map, where);
  const today = new Date().toISOString().slice(0, 10);
  const listed = (list: keyof Baseline, key: 'check' | 'requirement', known: readonly string[]) =>
    new Map(
      (given[list] ?? []).map(({ [key]: id = '', reason = '', until }, at) => {
        if (known.includes(id)) return [id, { reason, until, isExpired: until !== undefined && until < today }];
        throw new UsageError(`${where([list, at])}: unknown ${key} ${id}; 'platform-mock verify --plan' lists them.`);
      }),
    );
  const ids = checks.map(({ id }) => id);
  return { findings: listed('findings', 'check', ids), waivers: listed('waivers', 'requirement', requirements) };
}

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
