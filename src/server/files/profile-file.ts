import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { clashes, clashText } from '../../core/spec/clash.ts';
import { ConfigError } from '../../core/spec/config-error.ts';
import { isObject } from '../../core/spec/document.ts';
import { allowedAnswers, answerSchema, defaultAnswers, type GapAnswers, gapLedger, type Json } from '../../core/spec/gaps.ts';
import { packageFile } from './package-root.ts';
import { profileMembers } from '../../core/spec/profile-members.ts';
import { errorText, newAjv } from '../../core/spec/schema-check.ts';
import { readYamlFile, type YamlFile } from './yaml-file.ts';
import { Answers, type Learned } from '../../core/profiles/answers.ts';
import { didYouMean } from '../../core/profiles/did-you-mean.ts';

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
  if (typeof source !== 'string') return fromObject(source);
  if (source === 'default') return Answers.of();
  const file = readYamlFile(profileFile(source));
  const { name, learned, answers } = checkShape(file);
  const problems = checkAnswers(answers).map(({ gap, text }) => file.reason(['answers', gap], text));
  if (problems.length > 0) throw new ConfigError(problems);
  return Answers.of(answers as Partial<GapAnswers>, name ?? basename(source).replace(/\.(ya?ml|json)$/, ''), learned);
}

/** JavaScript gets here with anything. */
function fromObject(source: unknown): Answers {
  const expected = 'expected a shipped name, a file, or { answers: … }';
  if (!isObject(source)) throw new ConfigError([`profile: ${expected}, not ${JSON.stringify(source)}`]);
  const { name = 'inline', answers, ...others } = source;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new ConfigError([`profile ${name}: ${unknownMember(unknown, ['name', 'answers'])}`]);
  if (!isObject(answers)) throw new ConfigError([`profile ${name}: ${expected}, but answers is ${found(answers)}`]);
  return fromAnswers(String(name), answers as Partial<GapAnswers>);
}

function fromAnswers(name: string, answers: Partial<GapAnswers>): Answers {
  const problems = checkAnswers(answers).map(({ gap, text }) => `profile ${name}: answers.${gap}: ${text}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return Answers.of(answers, name);
}

/**
 * The file that a profile's name or path means.
 * @throws ConfigError where there is neither
 */
export function profileFile(source: string): string {
  const shipped = packageFile('spec', 'profiles', `${source}.yaml`);
  const isName = /^[a-z0-9-]+$/.test(source);
  if (isName && existsSync(shipped)) return shipped;
  if (isName && !existsSync(source)) {
    const shippedOnes = shippedProfiles();
    throw new ConfigError([
      `no profile ${source}: neither a file nor a shipped one (${shippedOnes.join(', ')})${didYouMean(source, shippedOnes)}`,
    ]);
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
  // Where another member is not known, that one was probably meant to be the answers: one fault, told once.
  const isMisspelt = answers === undefined && problems.length > 0;
  if (!isObject(answers) && !isMisspelt)
    problems.push(file.reason(['answers'], `answers must be a map from gap to answer; it is ${found(answers)}`));
  if (problems.length > 0) throw new ConfigError(problems);
  const { name, learnedFrom: from, learnedAt: at } = members as Readonly<Record<string, string | undefined>>;
  const isLearned = from !== undefined || at !== undefined;
  const learned = isLearned ? { ...(from !== undefined && { from }), ...(at !== undefined && { at }) } : undefined;
  return { name, learned, answers: answers as Record<string, Json> };
}

function problemsWithMember(key: string, member: Json): string[] {
  const schema = profileMembers[key];
  if (!schema) return [unknownMember(key, [...Object.keys(profileMembers), 'answers'])];
  const validate = newAjv().compile(schema);
  if (validate(member)) return [];
  const [error] = validate.errors ?? [];
  return [`${key} ${error ? errorText(error) : 'is not allowed'}, which ${JSON.stringify(member)} is not`];
}

const unknownMember = (key: string, allowed: readonly string[]): string =>
  `${key} is not known here; allowed: ${allowed.join(', ')}${didYouMean(key, allowed)}`;

/** What somebody wrote, for people. */
const found = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 100));

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
    if (!gap) return [{ gap: id, text: noSuchGap(id) }];
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

/** Says that the ledger has no gap of that id, which one was probably meant, and what lists them all. */
export function noSuchGap(id: string): string {
  const ids = gapLedger().gaps.map((gap) => gap.id);
  return `there is no gap ${id}; \`platform-mock gaps\` lists all ${ids.length}${didYouMean(id, ids)}`;
}
