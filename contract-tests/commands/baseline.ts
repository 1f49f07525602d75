import { UsageError } from '../errors.ts';
import { checkBySchema } from '../files/schema-check.ts';
import { readYamlFile } from '../files/yaml-file.ts';
import { memberOf } from '../values/json.ts';

/** The check of an entry: of a finding, what is before its first slash. */
export const checkOf = (entry: string): string => entry.split('/')[0] ?? '';

/** What a team accepts for now, by finding or check and by requirement, and why. Throws UsageError with file, line and reason. */
export function loadBaseline(
  file: string | undefined,
  checks: readonly { id: string }[],
  requirements: readonly { id: string }[],
) {
  const expired: string[] = [];
  const none = new Map<string, string>();
  if (file === undefined) return { findings: none, waivers: none, expired };
  const { map, where } = readYamlFile(file, 'the baseline');
  const given = checkBySchema<{ [list: string]: Record<string, string>[] }>('baseline', map, where);
  const today = new Date().toISOString().slice(0, 10);
  const listed = (list: string, key: 'check' | 'requirement', known: readonly { id: string }[]) => {
    const found = new Map<string, string>();
    for (const [at, entry] of (memberOf(given, list) ?? []).entries()) {
      const { finding = '', [key]: id = finding, reason = '', until = today } = entry;
      if (!known.some((each) => each.id === checkOf(id)))
        throw new UsageError(`${where([list, at])}: unknown ${key} ${id}; 'platform-mock verify --plan' lists them.`);
      if (until < today) expired.push(`${id} was accepted until ${until} (${reason}).`);
      else found.set(id, reason);
    }
    return found;
  };
  const findings = listed('findings', 'check', checks);
  return { findings, waivers: listed('waivers', 'requirement', requirements), expired };
}
