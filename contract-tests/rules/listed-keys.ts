import { secretIn } from '../api/secret-members.ts';
import { type Entry, jsonIn } from '../log/entry.ts';
import { isObject, type JsonObject, show } from '../values/json.ts';
import { fieldFindings } from './field-rules.ts';
import { isLowerCaseIdentifier } from './formats.ts';
import { answerOf, type Finding } from './rule.ts';

/** The seven providers of part 2. */
export const MAX_PROVIDERS = 7;

/** What is wrong with the form of a list of API keys (4.3). */
export function listFindings(subject: string, entry: Entry): Finding[] {
  const json = jsonIn(entry);
  if (Array.isArray(json) && json.every(isObject)) return [];
  return [
    {
      requirement: 'KEY-02',
      message: `${subject} did not answer an array of API keys.`,
      expected: 'a JSON array of objects',
      actual: answerOf(entry),
      isWhole: true,
    },
  ];
}

/** The API keys of a list, as far as it holds any. */
export function listedKeys(entry: Entry): JsonObject[] {
  const json = jsonIn(entry);
  return Array.isArray(json) ? json.filter(isObject) : [];
}

/** The values that the API keys have in a field, each once. */
export function distinct(keys: JsonObject[], field: string): string[] {
  return [...new Set(keys.map((key) => key[field]).filter((value) => typeof value === 'string'))];
}

/** How often a list has each id: lists are compared in any order. */
export function countIds(keys: JsonObject[]): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const { id } of keys) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The ids that `a` lists more often than `b`. */
export function missingFrom(a: JsonObject[], b: JsonObject[]): unknown[] {
  const other = countIds(b);
  return [...countIds(a)].filter(([id, count]) => count > (other.get(id) ?? 0)).map(([id]) => id);
}

/** Everything that is wrong with the API keys of a list (part 2). */
export function keyFindings(subject: string, entry: Entry): Finding[] {
  const keys = listedKeys(entry);
  const each = keys.flatMap((key): Finding[] => {
    const which = `API key ${show(key.id)} of ${subject}`;
    const findings = fieldFindings(which, 'TenantApiKey', key);
    const secret = secretIn(key);
    if (secret) {
      const path = secret.path.join('.');
      const actual = { [path]: secret.shown };
      const message = `${which} holds a secret in ${path}.`;
      findings.push({ requirement: 'KEY-08', message, expected: 'no secret', actual });
    }
    if (typeof key.provider === 'string' && !isLowerCaseIdentifier(key.provider)) {
      const message = `The provider of ${which} is not a lower-case identifier.`;
      const expected = 'lower-case letters, digits, - _ .';
      findings.push({ requirement: 'KEY-09', message, expected, actual: key.provider });
    }
    return findings;
  });
  const twice = [...countIds(keys)].filter(([id, count]) => typeof id === 'string' && count > 1);
  return [
    ...each,
    ...twice.map(([id, times]) => ({
      requirement: 'KEY-18',
      message: `Two API keys of ${subject} share an id.`,
      expected: 'each id once',
      actual: { id, times },
    })),
  ];
}
