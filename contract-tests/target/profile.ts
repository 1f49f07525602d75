import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../errors.ts';
import { type Gap, loadGaps, packageRoot } from '../spec-data.ts';

/** Answers to gaps as somebody gave them; a gap that is not in it has the ledger's default. */
export interface GivenAnswers {
  name: string;
  answers: Record<string, unknown>;
}

export const NO_ANSWERS: GivenAnswers = { name: 'default', answers: {} };

const ajv = new Ajv2020({ allErrors: false, strict: false });

/** What an answer to a gap may be, in words. */
export function allowedAnswers(gap: Gap): string {
  if (gap.answers) return Object.keys(gap.answers).join(', ');
  return JSON.stringify(gap.schema);
}

/** Why `answer` is none of the gap's; undefined when it is one. */
export function problemWith(gap: Gap, answer: unknown): string | undefined {
  if (gap.answers) {
    return typeof answer === 'string' && Object.hasOwn(gap.answers, answer) ? undefined : 'is not one of the answers';
  }
  const validate = ajv.compile(gap.schema ?? {});
  return validate(answer) ? undefined : (validate.errors?.[0]?.message ?? 'is not allowed');
}

/** Throws UsageError unless each answer belongs to a gap and is allowed there. `where` says where a gap's answer stands. */
export function checkAnswers(answers: Record<string, unknown>, where: (gapId: string) => string): void {
  for (const [id, answer] of Object.entries(answers)) {
    const gap = loadGaps().find((candidate) => candidate.id === id);
    if (!gap) throw new UsageError(`${where(id)}: there is no gap ${id}; 'platform-mock gaps' lists them.`);
    const problem = problemWith(gap, answer);
    if (problem)
      throw new UsageError(
        `${where(id)}: ${id}: ${JSON.stringify(answer)} ${problem}; allowed: ${allowedAnswers(gap)}.`,
      );
  }
}

/** Loads a profile by file, or by the name of one that ships in spec/profiles. Throws UsageError with file, line, reason. */
export function loadGivenAnswers(fileOrName: string): GivenAnswers {
  const shipped = join(packageRoot, 'spec/profiles', `${fileOrName}.yaml`);
  const isName = /^[a-z0-9-]+$/.test(fileOrName) && existsSync(shipped);
  const file = isName ? shipped : isAbsolute(fileOrName) ? fileOrName : resolve(fileOrName);
  // The default profile is what is assumed anyway: naming it tells nothing about a target.
  if (isName && fileOrName === NO_ANSWERS.name) return NO_ANSWERS;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`${fileOrName}: there is no such profile, neither a file nor one that ships.`);
  }
  return parseGivenAnswers(text, fileOrName);
}

/** The profile in a YAML text; `fileOrName` is where it came from. Throws UsageError with file, line, reason. */
export function parseGivenAnswers(text: string, fileOrName: string): GivenAnswers {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const broken = document.errors[0];
  if (broken)
    throw new UsageError(
      `${fileOrName}:${lines.linePos(broken.pos[0]).line}: not YAML: ${broken.message.split('\n')[0]}`,
    );
  const profile = document.toJS() as { name?: unknown; answers?: unknown } | null;
  const answers = isMap(document.contents) ? profile?.answers : undefined;
  if (typeof answers !== 'object' || answers === null || Array.isArray(answers)) {
    throw new UsageError(`${fileOrName}: a profile is a map with answers, a map from gap to answer.`);
  }
  checkAnswers(answers as Record<string, unknown>, (gapId) => {
    const node = document.getIn(['answers', gapId], true) as { range?: [number, number, number] } | undefined;
    return node?.range ? `${fileOrName}:${lines.linePos(node.range[0]).line}` : fileOrName;
  });
  return {
    name: typeof profile?.name === 'string' ? profile.name : fileOrName,
    answers: answers as Record<string, unknown>,
  };
}
