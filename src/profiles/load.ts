import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { clashes, clashText } from '../spec/clash.ts';
import { ConfigError } from '../spec/config-error.ts';
import { isObject } from '../spec/document.ts';
import { allowedAnswers, answerSchema, defaultAnswers, type GapAnswers, gapLedger, type Json } from '../spec/gaps.ts';
import { packageFile } from '../spec/package-root.ts';
import { profileMembers } from '../spec/profile-members.ts';
import { errorText, newAjv } from '../spec/schema-check.ts';
import { readYamlFile, type YamlFile } from '../spec/yaml-file.ts';
import { Answers, type Learned } from './answers.ts';

/** A profile as users give it: a shipped name, a file's path, or answers at hand. */
export type ProfileSource = string | { readonly name?: string; readonly answers: Partial<GapAnswers> };

/** Names of the profiles that ship with the package. */
export const shippedProfiles = (): string[] =>
  readdirSync(packageFile('spec', 'profiles'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => basename(file, '.yaml'))
    .sort();

/**
 * Loads a profile. Gaps that it leaves out are answered by the default profile.
 * @throws ConfigError naming file, line, reason and the allowed answers
 */
export function loadProfile(source: ProfileSource = 'default'): Answers {
  if (typeof source !== 'string') return fromObject(source.name ?? 'inline', source.answers);
  if (source === 'default') return Answers.of();
  const file = readYamlFile(fileOf(source));
  const { name, learned, answers } = checkShape(file);
  const problems = checkAnswers(answers).map(({ gap, text }) => file.reason(['answers', gap], text));
  if (problems.length > 0) throw new ConfigError(problems);
  return Answers.of(answers as Partial<GapAnswers>, name ?? basename(source).replace(/\.(ya?ml|json)$/, ''), learned);
}

function fromObject(name: string, answers: Partial<GapAnswers>): Answers {
  const problems = checkAnswers(answers).map(({ gap, text }) => `profile ${name}: answers.${gap}: ${text}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return Answers.of(answers, name);
}

function fileOf(source: string): string {
  const shipped = packageFile('spec', 'profiles', `${source}.yaml`);
  const isName = /^[a-z0-9-]+$/.test(source);
  if (isName && existsSync(shipped)) return shipped;
  if (isName && !existsSync(source)) {
    throw new ConfigError([`no profile ${source}: neither a file nor a shipped one (${shippedProfiles().join(', ')})`]);
  }
  return source;
}

interface ProfileFile {
  readonly name: string | undefined;
  readonly learned: Learned | undefined;
  readonly answers: Readonly<Record<string, Json>>;
}

function checkShape(file: YamlFile): ProfileFile {
  const { value } = file;
  if (!isObject(value))
    throw new ConfigError([file.reason([], 'a profile is a map with name, description and answers')]);
  const { answers, ...members } = value;
  const problems = Object.entries(members).flatMap(([key, member]) =>
    problemsWithMember(key, member).map((text) => file.reason([key], text)),
  );
  if (!isObject(answers)) problems.push(file.reason(['answers'], 'answers must be a map from gap to answer'));
  if (problems.length > 0) throw new ConfigError(problems);
  const { name, learnedFrom: from, learnedAt: at } = members as Readonly<Record<string, string | undefined>>;
  const isLearned = from !== undefined || at !== undefined;
  const learned = isLearned ? { ...(from !== undefined && { from }), ...(at !== undefined && { at }) } : undefined;
  return { name, learned, answers: answers as Record<string, Json> };
}

function problemsWithMember(key: string, member: Json): string[] {
  const schema = profileMembers[key];
  if (!schema) return [`${key} is not known here; allowed: ${[...Object.keys(profileMembers), 'answers'].join(', ')}`];
  const validate = newAjv().compile(schema);
  if (validate(member)) return [];
  const [error] = validate.errors ?? [];
  return [`${key} ${error ? errorText(error) : 'is not allowed'}, which ${JSON.stringify(member)} is not`];
}

interface Problem {
  readonly gap: string;
  readonly text: string;
}

function checkAnswers(answers: Readonly<Record<string, unknown>>): Problem[] {
  const problems = checkEach(answers);
  return problems.length > 0 ? problems : checkTogether(answers as Partial<GapAnswers>);
}

function checkEach(answers: Readonly<Record<string, unknown>>): Problem[] {
  const ajv = newAjv();
  return Object.entries(answers).flatMap(([id, answer]) => {
    const gap = gapLedger().gaps.find((candidate) => candidate.id === id);
    if (!gap) return [{ gap: id, text: `there is no gap ${id}; \`platform-mock gaps\` lists them${closest(id)}` }];
    if (ajv.validate(answerSchema(gap), answer)) return [];
    return [{ gap: id, text: `${JSON.stringify(answer)} is no answer to ${id}; allowed: ${allowedAnswers(gap)}` }];
  });
}

/** Answers that are allowed one by one, and yet cannot be served side by side. */
function checkTogether(answers: Partial<GapAnswers>): Problem[] {
  return clashes({ ...defaultAnswers(), ...answers }).flatMap((clash) =>
    gapLedger()
      .gaps.filter((gap) => clash.gaps.includes(gap.id) && answers[gap.id] !== undefined)
      .map((gap) => ({
        gap: gap.id,
        text: `${JSON.stringify(answers[gap.id])} clashes: two operations on ${clashText(clash)}; allowed for ${gap.id}: a path that no other operation has, ${allowedAnswers(gap)}`,
      })),
  );
}

/** The gap that was probably meant. */
function closest(id: string): string {
  const words = id.split(/[-_]/);
  const shared = (other: string) => other.split('-').filter((word) => words.includes(word)).length;
  const best = gapLedger()
    .gaps.map((gap) => gap.id)
    .sort((a, b) => shared(b) - shared(a))[0];
  return best && shared(best) > 0 ? `; is it ${best}?` : '';
}
