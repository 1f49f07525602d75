import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../errors.ts';
import { parseYaml, readYamlFile, type YamlFile } from '../files/yaml-file.ts';
import { packageRoot } from '../spec-data.ts';
import { isObject } from '../values/json.ts';
import { checkAnswers } from './gap-answers.ts';

/** Answers to gaps as somebody gave them; a gap that is not in it has the ledger's default. */
export interface GivenAnswers {
  name: string;
  answers: Record<string, unknown>;
}

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

/** The profile in a YAML text; `source` is where it came from. Throws UsageError with file, line, reason. */
export const parseGivenAnswers = (text: string, source: string): GivenAnswers =>
  givenIn(parseYaml(text, source), source);

function givenIn({ map, where }: YamlFile, source: string): GivenAnswers {
  const { name = source, answers } = map ?? {};
  if (!isObject(answers)) throw new UsageError(`${source}: a profile is a map with answers, a map from gap to answer.`);
  checkAnswers(answers, (gapId) => where(['answers', gapId]));
  return { name: typeof name === 'string' ? name : source, answers };
}
