import { readFileSync } from 'node:fs';
import type { GapId } from '../../core/spec/gaps.ts';
import { profileFile } from './profile-file.ts';
import { parseYaml } from './yaml-file.ts';

/** The comments at a profile file's answer, where `learn` writes its evidence; throws ConfigError for an invalid file. */
export function evidenceIn(source: string, gap: GapId): string[] {
  const file = profileFile(source);
  const text = readFileSync(file, 'utf8');
  const { value, lineOf } = parseYaml(text, file);
  const { answers } = (value ?? {}) as { answers?: Readonly<Record<string, unknown>> };
  if (answers?.[gap] === undefined) return [];
  const lines = text.split(/\r?\n/);
  const at = lineOf(['answers', gap]) - 1;
  let first = at;
  while (commentOf(lines[first - 1]) !== undefined) first -= 1;
  const [, ...behind] = (lines[at] ?? '').split(' #');
  const above = lines.slice(first, at).map((line) => commentOf(line) ?? '');
  return [...above, behind.join(' #')].map((line) => line.trim()).filter(Boolean);
}

const commentOf = (line: string | undefined): string | undefined => /^\s*#(.*)$/.exec(line ?? '')?.[1];
