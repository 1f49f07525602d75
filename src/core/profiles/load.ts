import { asText, memberOf } from '../../../contract-tests/values/json.ts';
import { profiles } from '../generated/data.js';
import { gapAnswers } from '../generated/validators.js';
import { clashes } from '../spec/clash.ts';
import { ConfigError } from '../spec/config-error.ts';
import { allowedAnswers, defaultAnswers, type GapAnswers, type GapId, gapLedger } from '../spec/gaps.ts';
import { isObject, jsonOrText } from '../spec/json.ts';
import { placeholdersOf, unknownPlaceholders } from '../spec/shape.ts';
import { Answers, type Learned } from './answers.ts';
import { didYouMean } from './did-you-mean.ts';

/** A profile as users specify it: a shipped name, a file's path (in Node), or an object with answers. */
export type ProfileSource = string | { readonly name?: string; readonly answers: Partial<GapAnswers> };

export const shippedProfiles = (): string[] => Object.keys(profiles);

/** Answers of a shipped profile or an object, else the default ones; throws ConfigError naming gap, reason and allowed answers. */
export function answersFrom(source: ProfileSource = 'default'): Answers {
  if (typeof source !== 'string') return fromObject(source);
  if (source === 'default') return assuming();
  const shipped = memberOf(profiles, source) as
    | { readonly name?: string; readonly answers: Partial<GapAnswers> }
    | undefined;
  if (!shipped) throw new ConfigError([`there is no shipped profile ${source}${shippedText(source)}`]);
  return assuming(shipped.answers, shipped.name ?? source);
}

/** `vary` tries answers in each mock that a command starts: JSON, from gap to answer. */
const variable = 'PLATFORM_MOCK_ANSWERS';

/** The given answers, for other gaps those of the environment or the default; throws ConfigError if those are no answers. */
export function assuming(given?: Partial<GapAnswers>, profile?: string, learned?: Learned): Answers {
  const text = globalThis.process?.env?.[variable];
  return Answers.of(given, profile, learned, text === undefined ? {} : answersIn(text));
}

function answersIn(text: string): Partial<GapAnswers> {
  const answers = jsonOrText(text);
  if (!isObject(answers)) throw new ConfigError([`${variable} must be a JSON object from gap to answer`]);
  const problems = checkAnswers(answers).map(({ text: problem }) => `${variable}: ${problem}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return answers as Partial<GapAnswers>;
}

/** Lists the shipped profiles, with a suggestion. */
export const shippedText = (source: string): string =>
  ` (${shippedProfiles().join(', ')})${didYouMean(source, shippedProfiles())}`;

/** Callers in JavaScript may pass any value. */
function fromObject(source: unknown): Answers {
  const expected = 'expected a shipped name, a file, or { answers: … }';
  if (!isObject(source)) throw new ConfigError([`profile: ${expected}, not ${JSON.stringify(source)}`]);
  const { name = 'inline', answers, ...others } = source;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ConfigError([`profile ${asText(name)}: ${unknownMember(unknown, ['name', 'answers'])}`]);
  if (!isObject(answers))
    throw new ConfigError([`profile ${asText(name)}: ${expected}, but answers is ${foundText(answers)}`]);
  const problems = checkAnswers(answers).map(({ gap, text }) => `profile ${asText(name)}: answers.${gap}: ${text}`);
  if (problems.length > 0) throw new ConfigError(problems);
  return assuming(answers as Partial<GapAnswers>, asText(name));
}

export const unknownMember = (key: string, allowed: readonly string[]): string =>
  `${key} is unknown; allowed: ${allowed.join(', ')}${didYouMean(key, allowed)}`;

/** A configured value, for messages. */
export const foundText = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, 100);

export interface AnswerProblem {
  readonly gap: string;
  readonly text: string;
}

/** Maximum number of reported problems: more are usually one repeated mistake, and each costs a search for its cause. */
const mostProblems = 20;

export function checkAnswers(answers: Readonly<Record<string, unknown>>): AnswerProblem[] {
  const problems: AnswerProblem[] = [];
  for (const id in answers) {
    if (problems.length === mostProblems) break;
    const text = problemWith(id, memberOf(answers, id));
    // An invented name may be of any length.
    if (text !== undefined) problems.push({ gap: id.slice(0, 100), text });
  }
  return problems.length > 0 ? problems : checkTogether(answers);
}

function problemWith(id: string, answer: unknown): string | undefined {
  const gap = gapLedger().gaps.find((candidate) => candidate.id === id);
  if (!gap) return noSuchGap(id);
  if (memberOf(gapAnswers, id)?.(answer)) return placeholderProblem(gap.id, answer);
  return `${foundText(answer)} is not an answer to ${id}; allowed: ${allowedAnswers(gap)}`;
}

/** The first placeholder that a shape must not contain. */
function placeholderProblem(gap: GapId, answer: unknown): string | undefined {
  const known = Object.keys(placeholdersOf(gap));
  const [name] = isObject(answer) && known.length > 0 ? unknownPlaceholders(gap, answer) : [];
  if (name === undefined) return undefined;
  return `\${${name}} is not known here; allowed: ${known.map((one) => `\${${one}}`).join(', ')}${didYouMean(name, known)}`;
}

/** Checks for answers that are allowed one by one but clash. */
function checkTogether(answers: Partial<GapAnswers>): AnswerProblem[] {
  return clashes({ ...defaultAnswers(), ...answers }).flatMap((clash) =>
    gapLedger()
      .gaps.filter((gap) => clash.gaps.includes(gap.id) && answers[gap.id] !== undefined)
      .map((gap) => ({
        gap: gap.id,
        text: `${JSON.stringify(answers[gap.id])} clashes: two operations on ${clash.text}; allowed for ${gap.id}: a path that no other operation has, ${allowedAnswers(gap)}`,
      })),
  );
}

export function noSuchGap(id: string): string {
  const ids = gapLedger().gaps.map((gap) => gap.id);
  return `there is no gap ${id.slice(0, 100)}; \`platform-mock gaps\` lists all ${ids.length}${didYouMean(id, ids)}`;
}
