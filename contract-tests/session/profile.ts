import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isMap, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../errors.ts';
import { packageRoot } from '../spec-data.ts';
import { checkAnswers } from './gap-answers.ts';

/** Answers to gaps as somebody gave them; a gap that is not in it has the ledger's default. */
export interface GivenAnswers {
  name: string;
  answers: Record<string, unknown>;
}

export const NO_ANSWERS: GivenAnswers = { name: 'default', answers: {} };

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
