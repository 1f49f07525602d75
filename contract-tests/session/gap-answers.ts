import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../errors.ts';
import { checkBySchema, problemBySchema, type Where } from '../files/schema-check.ts';
import { parseYaml, readYamlFile, type YamlFile } from '../files/yaml-file.ts';
import type { Gap } from '../model.ts';
import { gapOf, packageRoot } from '../spec-data.ts';
import { asText, hasMember, isObject, memberOf } from '../values/json.ts';

/** Answers to gaps as somebody gave them; a gap that is not in it has the ledger's default. */
export type GivenAnswers = { name: string; answers: Record<string, unknown> };

export const NO_ANSWERS: GivenAnswers = { name: 'default', answers: {} };

/** Loads a profile by file, or by the name of one that ships in spec/profiles. Throws UsageError with file, line, reason. */
export function loadGivenAnswers(fileOrName: string): GivenAnswers {
  // The default profile is what is assumed anyway: naming it says nothing about a target.
  if (fileOrName === NO_ANSWERS.name) return NO_ANSWERS;
  const shipped = join(packageRoot, 'spec/profiles', `${fileOrName}.yaml`);
  const file = /^[a-z0-9-]+$/.test(fileOrName) && existsSync(shipped) ? shipped : fileOrName;
  if (!existsSync(file))
    throw new UsageError(`${fileOrName}: there is no such profile, neither a file nor one that ships.`);
  return givenIn(readYamlFile(file, 'the profile'), fileOrName);
}

export const parseGivenAnswers = (text: string, source: string) => givenIn(parseYaml(text, source), source);

function givenIn({ map, where }: YamlFile, source: string): GivenAnswers {
  const { name = source, answers } = map ?? {};
  if (!isObject(answers)) throw new UsageError(`${source}: a profile is a map with answers, a map from gap to answer.`);
  checkAnswers(answers, where);
  return { name: typeof name === 'string' ? name : source, answers };
}

/** Throws UsageError unless each answer belongs to a gap and is allowed there. `where` gives the place of `answers.GAP`. */
export const checkAnswers = (answers: Record<string, unknown>, where: Where): unknown =>
  checkBySchema('profile', { answers }, where);

export const problemWith = ({ id }: Gap, answer: unknown): string | undefined =>
  problemBySchema('profile', { answers: { [id]: answer } }, () => 'which is not allowed');

/** Whether two answers to a gap say the same: vocabularies are sets, so that their order does not count. */
export function sameAnswer(gap: Gap, left: unknown, right: unknown): boolean {
  const areSets = gap.schema?.uniqueItems === true && Array.isArray(left) && Array.isArray(right);
  return areSets ? isDeepStrictEqual(new Set(left), new Set(right)) : isDeepStrictEqual(left, right);
}

/** The answer in one fixed order: that of a known answer which says the same, else sorted. */
export function inKnownOrder(gap: Gap, answer: unknown, assumed: unknown): unknown {
  const known = [assumed, gap.default, ...(gap.examples ?? [])].find((other) => sameAnswer(gap, answer, other));
  if (known !== undefined) return known;
  return gap.schema?.uniqueItems === true && Array.isArray(answer) ? answer.map(asText).toSorted() : answer;
}

/** The answer in force for a gap: the given one, else the ledger's default. */
export const assumedIn = (answers: Record<string, unknown>, { id, default: assumed }: Gap): unknown =>
  hasMember(answers, id) ? memberOf(answers, id) : assumed;

/** Where an undocumented path may be: the profile's answer, else the ledger's default and examples. */
export function candidatePaths(gapId: string, answers: Record<string, unknown>): string[] {
  if (hasMember(answers, gapId)) return [asText(memberOf(answers, gapId))];
  const { default: usual, examples = [] } = gapOf(gapId);
  return [...new Set([usual, ...examples])].map(asText);
}
