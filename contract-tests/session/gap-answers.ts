import { isDeepStrictEqual } from 'node:util';
import type { Ajv } from 'ajv';
import { UsageError } from '../errors.ts';
import { ajvLibrary } from '../files/schema-check.ts';
import type { Gap } from '../model.ts';
import { loadGaps } from '../spec-data.ts';

/** Whether two answers to a gap say the same: vocabularies are sets, so that their order does not count. */
export function sameAnswer(gap: Gap, left: unknown, right: unknown): boolean {
  const areSets = gap.schema?.uniqueItems === true && Array.isArray(left) && Array.isArray(right);
  return areSets ? isDeepStrictEqual(new Set(left), new Set(right)) : isDeepStrictEqual(left, right);
}

/** The answer in one fixed order: that of a known answer which says the same, else sorted. */
export function inKnownOrder(gap: Gap, answer: unknown, assumed: unknown): unknown {
  const known = [assumed, gap.default, ...(gap.examples ?? [])].find((other) => sameAnswer(gap, answer, other));
  if (known !== undefined) return known;
  return gap.schema?.uniqueItems === true && Array.isArray(answer) ? answer.toSorted() : answer;
}

// The schemas are our own: compiling the one that would judge them takes longer than they do.
let ajv: Ajv | undefined;

/** What an answer to a gap may be, in words. */
export function allowedAnswers(gap: Gap): string {
  if (gap.answers) {
    const named = Object.keys(gap.answers).join(', ');
    return gap.schema ? `${named}, or ${JSON.stringify(gap.schema)}` : named;
  }
  return JSON.stringify(gap.schema);
}

/** Why `answer` is none of the gap's; undefined when it is one. */
export function problemWith(gap: Gap, answer: unknown): string | undefined {
  if (gap.answers && typeof answer === 'string' && Object.hasOwn(gap.answers, answer)) return undefined;
  if (gap.answers && !gap.schema) return 'is not one of the answers';
  ajv ??= new (ajvLibrary().Ajv)({ allErrors: false, strict: false, validateSchema: false, meta: false });
  const validate = ajv.compile(gap.schema ?? {});
  return validate(answer) ? undefined : (validate.errors?.[0]?.message ?? 'is not allowed');
}

/** Throws UsageError unless each answer belongs to a gap and is allowed there. `where` gives the place of a gap's answer. */
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

/** The answer in force for a gap: the given one, else the ledger's default. */
export const assumedIn = (answers: Record<string, unknown>, { id, default: assumed }: Gap): unknown =>
  id in answers ? answers[id] : assumed;

/** Where an undocumented path may be: the profile's answer, else the ledger's default and examples. */
export function candidatePaths(gapId: string, answers: Record<string, unknown>): string[] {
  if (gapId in answers) return [String(answers[gapId])];
  const gap = loadGaps().find(({ id }) => id === gapId);
  return [...new Set([gap?.default, ...(gap?.examples ?? [])])].map(String);
}
