import { UsageError } from '../errors.ts';
import { checkBySchema } from '../files/schema-check.ts';
import { readYamlFile } from '../files/yaml-file.ts';

/** What a team accepts for now, and why: violations by the id of the check, and what may stay untested by that of the requirement. */
export interface Baseline extends Record<'findings' | 'waivers', ReadonlyMap<string, string>> {
  /** Entries that hold no longer, a sentence each. */
  expired: string[];
}

/** Reads a baseline; without a file it is empty. Throws UsageError with file, line and reason. */
export function loadBaseline(
  file: string | undefined,
  checks: readonly { id: string }[],
  requirements: readonly { id: string }[],
): Baseline {
  const expired: string[] = [];
  if (file === undefined) return { findings: new Map(), waivers: new Map(), expired };
  const { map, where } = readYamlFile(file, 'the baseline');
  const given = checkBySchema<{ [list: string]: Record<string, string>[] }>('baseline', map, where);
  const today = new Date().toISOString().slice(0, 10);
  const listed = (list: string, key: 'check' | 'requirement', known: readonly { id: string }[]) =>
    new Map(
      (given[list] ?? []).flatMap(({ [key]: id = '', reason = '', until = today }, at) => {
        if (!known.some((each) => each.id === id))
          throw new UsageError(`${where([list, at])}: unknown ${key} ${id}; 'platform-mock verify --plan' lists them.`);
        if (until >= today) return [[id, reason] as const];
        expired.push(`${id} was accepted until ${until} (${reason}).`);
        return [];
      }),
    );
  return {
    findings: listed('findings', 'check', checks),
    waivers: listed('waivers', 'requirement', requirements),
    expired,
  };
}
