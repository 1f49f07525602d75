import type { Exchange, Report } from '../model.ts';
import { sameAnswer } from '../session/gap-answers.ts';
import { loadGaps } from '../spec-data.ts';
import { kindOf, type Shape, shapeDifferences, shapeOf, signatureOf } from './shape.ts';

export interface Difference {
  kind: 'check' | 'gap' | 'exchange';
  /** The check, the gap, or the request. */
  id: string;
  /** What differs, without what it differs in. */
  what: string;
  /** One statement that says it all. */
  text: string;
  /** Checks in which it showed. */
  checks: string[];
}

/**
 * The differences in behaviour between two reports: outcomes of checks, observed answers to gaps, and what the same
 * requests were answered with. Ids, times, tokens and order do not count; nor does what only one of the two reports saw.
 */
export function compareReports(left: Report, right: Report): Difference[] {
  return [...checkDifferences(left, right), ...gapDifferences(left, right), ...exchangeDifferences(left, right)];
}

function checkDifferences(left: Report, right: Report): Difference[] {
  return left.checks.flatMap((a) => {
    const b = right.checks.find(({ id }) => id === a.id);
    // What one of them did not judge, for want of a field or a larger budget, is no difference.
    if (!b || a.outcome === b.outcome || [a, b].some(({ outcome }) => outcome === 'untested')) return [];
    const because = a.outcome === 'pass' ? `at B: ${b.message}` : `at A: ${a.message}`;
    const what = `${a.outcome} at A, ${b.outcome} at B`;
    return [{ kind: 'check', id: a.id, what, text: `check ${a.id}: ${what} (${because})`, checks: [a.id] }];
  });
}

function gapDifferences(left: Report, right: Report): Difference[] {
  return loadGaps().flatMap((gap) => {
    const [a, b] = [left, right].map(({ gaps }) => gaps.find(({ id }) => id === gap.id)?.observed);
    if (a === undefined || b === undefined || sameAnswer(gap, a, b)) return [];
    const what = `${JSON.stringify(a)} at A, ${JSON.stringify(b)} at B`;
    return [{ kind: 'gap', id: gap.id, what, text: `gap ${gap.id}: ${what}`, checks: [] }];
  });
}

function exchangeDifferences(left: Report, right: Report): Difference[] {
  const found = new Map<string, Difference>();
  // A smaller budget asks as fewer callers.
  const isOneSize = left.model?.asked === right.model?.asked;
  for (const check of left.checks) {
    const other = right.checks.find(({ id }) => id === check.id);
    if (!other) continue;
    const [here, there] = [behaviour(check.exchanges, left), behaviour(other.exchanges, right)];
    for (const [signature, answers] of here) {
      const others = there.get(signature);
      for (const what of others ? answerDifferences(answers, others, isOneSize) : []) {
        const text = `${signature}: ${what}`;
        const known = found.get(text) ?? { kind: 'exchange', id: signature, what, text, checks: [] };
        known.checks.push(check.id);
        found.set(text, known);
      }
    }
  }
  return [...found.values()];
}

/** Status and media type of the answers to one kind of request, with the fields of their bodies. */
type Answers = Map<string, { shape: Shape; whole: boolean; count: number }>;

function behaviour(exchanges: readonly Exchange[], report: Report): Map<string, Answers> {
  const bySignature = new Map<string, Answers>();
  const names = pathNames(report);
  for (const exchange of exchanges) {
    const { response } = exchange;
    // Limits are met by chance, and waited for.
    if (!response || response.status === 429) continue;
    const signature = signatureOf(exchange, report.target.baseUrl, names);
    const answers = bySignature.get(signature) ?? new Map();
    bySignature.set(signature, answers);
    const kind = kindOf(response);
    const known = answers.get(kind) ?? { shape: new Map(), whole: true, count: 0 };
    answers.set(kind, known);
    known.count += 1;
    const shape = shapeOf(response.body);
    if (!shape && response.body !== '') known.whole = false;
    for (const [path, types] of shape ?? [])
      known.shape.set(path, new Set([...(known.shape.get(path) ?? []), ...types]));
  }
  return bySignature;
}

/** Paths that the document leaves open have the same name at both targets, wherever they are. */
function pathNames({ gaps }: Report): Map<string, string> {
  const paths = gaps.filter(({ id, observed }) => id.endsWith('-path') && typeof observed === 'string');
  return new Map(paths.map(({ id, observed }) => [String(observed), `{${id}}`]));
}

function answerDifferences(left: Answers, right: Answers, isOneSize: boolean): string[] {
  const [here, there] = [left, right].map((answers) => [...answers.keys()].toSorted().join(' and '));
  const kinds =
    here === there || isMoreOfTheSame(left, right, isOneSize) ? [] : [`answered ${here} at A, ${there} at B`];
  const fields = [...left].flatMap(([kind, a]) => {
    const b = right.get(kind);
    if (!b?.whole || !a.whole) return [];
    return shapeDifferences(a.shape, b.shape).map((what) => `in ${kind}, ${what}`);
  });
  return [...kinds, ...fields];
}

/** Whether one side merely saw more requests of this kind: what a check sends depends on the answers. */
function isMoreOfTheSame(left: Answers, right: Answers, isOneSize: boolean): boolean {
  const sent = (answers: Answers): number => [...answers.values()].reduce((sum, { count }) => sum + count, 0);
  const [fewer, more] = sent(left) < sent(right) ? [left, right] : [right, left];
  const isSubset = (a: Answers, b: Answers): boolean => [...a.keys()].every((kind) => b.has(kind));
  if (!isOneSize) return isSubset(left, right) || isSubset(right, left);
  return sent(left) !== sent(right) && isSubset(fewer, more);
}
