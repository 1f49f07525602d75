import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { memberOf } from '../../../contract-tests/values/json.ts';
import { files as validators } from '../../core/generated/file-validators.js';
import type { Answers, Learned } from '../../core/profiles/answers.ts';
import {
  answersFrom,
  assuming,
  checkAnswers,
  foundText,
  type ProfileSource,
  shippedProfiles,
  shippedText,
  unknownMember,
} from '../../core/profiles/load.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { isObject } from '../../core/spec/document.ts';
import type { GapAnswers, GapId, Json } from '../../core/spec/gaps.ts';
import { profileMembers } from '../../core/spec/profile-members.ts';
import { errorText } from '../../core/validation/refusal.ts';
import { packageFile } from './package-root.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';

/** The answers of a shipped profile, a file, or an object; throws ConfigError naming file, line, reason and allowed answers. */
export function loadProfile(source: ProfileSource = 'default'): Answers {
  if (typeof source !== 'string' || source === 'default' || shippedProfiles().includes(source))
    return answersFrom(source);
  const file = readYamlFile(profileFile(source));
  const { name, learned, answers } = checkShape(file);
  const problems = checkAnswers(answers).map(({ gap, text }) => file.reason(['answers', gap], text));
  if (problems.length > 0) throw new ConfigError(problems);
  return assuming(answers as Partial<GapAnswers>, name ?? basename(source).replace(/\.(ya?ml|json)$/, ''), learned);
}

/** The file of a profile's name or path; throws ConfigError if it is neither. */
export function profileFile(source: string): string {
  if (shippedProfiles().includes(source)) return packageFile('spec', 'profiles', `${source}.yaml`);
  if (/^[a-z0-9-]+$/.test(source) && !existsSync(source))
    throw new ConfigError([`no profile ${source}: neither a file nor a shipped one${shippedText(source)}`]);
  return source;
}

function checkShape(file: YamlFile) {
  const { value } = file;
  if (!isObject(value))
    throw new ConfigError([file.reason([], 'a profile is a map with name, description and answers')]);
  const { answers, ...members } = value;
  const problems = Object.entries(members).flatMap(([key, member]) =>
    problemsWithMember(key, member).map((text) => file.reason([key], text)),
  );
  // An unknown member is probably a misspelt `answers`: report one mistake once.
  const isMisspelt = answers === undefined && problems.length > 0;
  if (!isObject(answers) && !isMisspelt)
    problems.push(file.reason(['answers'], `answers must be a map from gap to answer; it is ${foundText(answers)}`));
  if (problems.length > 0) throw new ConfigError(problems);
  const { name, learnedFrom: from, learnedAt: at } = members as Readonly<Record<string, string | undefined>>;
  const isLearned = from !== undefined || at !== undefined;
  const learned: Learned | undefined = isLearned
    ? { ...(from !== undefined && { from }), ...(at !== undefined && { at }) }
    : undefined;
  return { name, learned, answers: answers as Record<string, Json> };
}

function problemsWithMember(key: string, member: Json): string[] {
  const validate = memberOf(validators, key);
  if (!validate || !Object.hasOwn(profileMembers, key))
    return [unknownMember(key, [...Object.keys(profileMembers), 'answers'])];
  if (validate(member)) return [];
  const [error] = validate.errors ?? [];
  return [`${key} ${error ? errorText(error) : 'is not allowed'}, which ${JSON.stringify(member)} is not`];
}

/** The comments at a profile file's answer, where `learn` writes its evidence; throws ConfigError for an invalid file. */
export function evidenceIn(source: string, gap: GapId): string[] {
  const file = profileFile(source);
  const { value, lineOf } = readYamlFile(file);
  const { answers } = (value ?? {}) as { answers?: Readonly<Record<string, unknown>> };
  if (answers?.[gap] === undefined) return [];
  const lines = readFileSync(file, 'utf8').split(/\r?\n/);
  const at = lineOf(['answers', gap]) - 1;
  let first = at;
  while (commentOf(lines[first - 1]) !== undefined) first -= 1;
  const [, ...behind] = (lines[at] ?? '').split(' #');
  const above = lines.slice(first, at).map((line) => commentOf(line) ?? '');
  return [...above, behind.join(' #')].map((line) => line.trim()).filter(Boolean);
}

const commentOf = (line: string | undefined): string | undefined => /^\s*#(.*)$/.exec(line ?? '')?.[1];
