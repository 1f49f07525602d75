import { existsSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { ConfigError } from '../spec/config-error.ts';
import { isObject } from '../spec/document.ts';
import { allowedAnswers, answerSchema, type GapAnswers, gapLedger, type Json } from '../spec/gaps.ts';
import { packageFile } from '../spec/package-root.ts';
import { newAjv } from '../spec/schema-check.ts';
import { readYamlFile, type YamlFile } from '../spec/yaml-file.ts';
import { Answers } from './answers.ts';

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
  const { name, answers } = checkShape(file);
  const problems = checkAnswers(answers).map(({ gap, text }) => file.reason(['answers', gap], text));
  if (problems.length > 0) throw new ConfigError(problems);
  return Answers.of(answers as Partial<GapAnswers>, name ?? basename(source).replace(/\.(ya?ml|json)$/, ''));
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

function checkShape(file: YamlFile): { name: string | undefined; answers: Record<string, Json> } {
  const { value } = file;
  if (!isObject(value))
    throw new ConfigError([file.reason([], 'a profile is a map with name, description and answers')]);
  const known = ['name', 'description', 'answers'];
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  const { name, answers } = value;
  const problems = unknown.map((key) => file.reason([key], `${key} is not known here; allowed: ${known.join(', ')}`));
  if (name !== undefined && typeof name !== 'string') problems.push(file.reason(['name'], 'name must be a string'));
  if (!isObject(answers)) problems.push(file.reason(['answers'], 'answers must be a map from gap to answer'));
  if (problems.length > 0) throw new ConfigError(problems);
  return { name: name as string | undefined, answers: answers as Record<string, Json> };
}

function checkAnswers(answers: Readonly<Record<string, unknown>>): { gap: string; text: string }[] {
  const ajv = newAjv();
  return Object.entries(answers).flatMap(([id, answer]) => {
    const gap = gapLedger().gaps.find((candidate) => candidate.id === id);
    if (!gap) return [{ gap: id, text: `there is no gap ${id}; \`platform-mock gaps\` lists them${closest(id)}` }];
    if (ajv.validate(answerSchema(gap), answer)) return [];
    return [{ gap: id, text: `${JSON.stringify(answer)} is no answer to ${id}; allowed: ${allowedAnswers(gap)}` }];
  });
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
