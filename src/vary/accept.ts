import { UsageError } from '../../contract-tests/errors.ts';
import { readYamlFile } from '../../contract-tests/files/yaml-file.ts';
import { noSuchGap } from '../core/profiles/load.ts';
import { isObject } from '../core/spec/document.ts';
import { gapLedger, type Json } from '../core/spec/gaps.ts';
import type { RestedGap, TriedAnswer } from './model.ts';

/** A dependence that a team knows and accepts. */
export interface Accepted {
  readonly gap: string;
  /** One answer; all of the gap if it is absent. */
  readonly answer?: Json;
  /** A test's name or id; all tests if it is absent. */
  readonly test?: string;
  readonly reason: string;
}

const members = ['gap', 'answer', 'test', 'reason'];

/** Reads accepted dependences, `accept: [{ gap, answer?, test?, reason }]`; throws UsageError with file, line and reason. */
export function loadAccepted(file: string): Accepted[] {
  const { map, where } = readYamlFile(file, 'the file of accepted answers');
  if (!Array.isArray(map?.accept))
    throw new UsageError(`${file}: expected a map with accept, a list of gap, answer, test and reason.`);
  return map.accept.map((item: unknown, index): Accepted => {
    const at = where(['accept', index]);
    const entry = isObject(item) ? item : {};
    const { gap, test, reason } = entry;
    if (typeof gap !== 'string' || typeof reason !== 'string' || reason.trim() === '')
      throw new UsageError(`${at}: an entry has gap (an id) and reason (some text), and may have answer and test.`);
    if (!gapLedger().gaps.some(({ id }) => id === gap)) throw new UsageError(`${at}: ${noSuchGap(gap)}`);
    const unknown = Object.keys(entry).find((name) => !members.includes(name));
    if (unknown !== undefined) throw new UsageError(`${at}: ${unknown} is unknown; allowed: ${members.join(', ')}.`);
    if (test !== undefined && typeof test !== 'string') throw new UsageError(`${at}: test is the name of a test.`);
    return entry as unknown as Accepted;
  });
}

/** Marks answers whose broken tests are all accepted; returns the gaps, and entries that accept nothing of a tried gap. */
export function withAccepted(
  gaps: readonly RestedGap[],
  accepted: readonly Accepted[],
  names: ReadonlyMap<string, string>,
): { gaps: RestedGap[]; stale: string[] } {
  const used = new Set<Accepted>();
  const reasonOf = (gap: string, { answer }: TriedAnswer, test: string): string | undefined => {
    const found = accepted.find(
      (entry) =>
        entry.gap === gap &&
        (entry.answer === undefined || JSON.stringify(entry.answer) === JSON.stringify(answer)) &&
        (entry.test === undefined || entry.test === test || entry.test === names.get(test)),
    );
    if (found) used.add(found);
    return found?.reason;
  };
  const marked = gaps.map((gap) => ({
    ...gap,
    answers: gap.answers.map((tried): TriedAnswer => {
      if (tried.outcome !== 'breaks') return tried;
      const reasons = tried.tests.map((test) => reasonOf(gap.id, tried, test));
      return reasons.every((reason) => reason !== undefined)
        ? { ...tried, accepted: [...new Set(reasons)].join('; ') }
        : tried;
    }),
  }));
  const isOpen = ({ outcome }: TriedAnswer): boolean => outcome === 'untried' || outcome === 'error';
  const isUntried = (id: string): boolean => gaps.some((gap) => gap.id === id && gap.answers.some(isOpen));
  const stale = accepted
    .filter((entry) => !used.has(entry) && !isUntried(entry.gap))
    .map(({ gap, answer, test }) =>
      [
        gap,
        answer === undefined ? '' : `: ${JSON.stringify(answer)}`,
        test === undefined ? '' : `, test "${test}"`,
      ].join(''),
    );
  return { gaps: marked, stale };
}
