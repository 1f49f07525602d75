import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { type Entry, isOk, type Log, statusOf } from '../log/entry.ts';
import type { CheckResult, Finding } from '../model.ts';
import { count } from '../report/text.ts';
import { neverSucceeds } from '../rules/established.ts';
import { type Open, of, type Rule, type Violation } from '../rules/rule.ts';
import { groupBy } from '../values/group.ts';
import { fingerprintOf } from './fingerprint.ts';
import { dependsOn, inSequence } from './sequence.ts';

/** What a log shows of one rule: the first exchanges that show it, the findings by their place, and the doubt that explains most. */
export interface Verdict {
  shown?: readonly Entry[];
  violations: readonly Violation[];
  open?: Open;
}

/** Of each rule no more are kept: traffic may never end. */
const MOST_FINDINGS = 1_000;

function verdictOf(rule: Rule, log: Log, before?: Verdict): Verdict {
  const all = [...rule.judge(log)];
  const found = [...(before?.violations ?? []), ...all.filter((judgement) => judgement.state === 'violated')].map(
    (each) => [`${each.requirement} ${placeOf(each)} ${each.message}`, each] as const,
  );
  const doubts = all.filter((judgement) => judgement.state === 'open');
  return {
    shown: before?.shown ?? all.find((judgement) => judgement.state === 'shown')?.by,
    violations: [...new Map(found).values()].toSorted((a, b) => placeOf(a) - placeOf(b)).slice(0, MOST_FINDINGS),
    open: [...(before?.open ? [before.open] : []), ...doubts].toSorted((a, b) => rankOf(b) - rankOf(a))[0],
  };
}

/** What each of these rules says of a log. @param before what they said of the exchanges before it */
export const verdictsOf = (rules: readonly Rule[], log: Log, before: readonly Verdict[] = []): Verdict[] =>
  rules.map((rule, at) => verdictOf(rule, log, before[at]));

type ReasonOf = (rule: Rule) => string | undefined;

/**
 * What these rules say of a log, in their order; a rule that is optional, and of which nothing is shown, is left out.
 * @param reasonOf why a rule could not be judged, where more is known than the log
 */
export const judgeLog = (rules: readonly Rule[], log: Log, reasonOf?: ReasonOf): CheckResult[] =>
  resultsOf(rules, verdictsOf(rules, log), log, reasonOf);

export function resultsOf(
  rules: readonly Rule[],
  verdicts: readonly Verdict[],
  log: Log,
  reasonOf: ReasonOf = () => undefined,
): CheckResult[] {
  const resultOf = (rule: Rule, at: number): CheckResult | undefined => {
    const { id, title } = rule;
    const { shown, violations, open } = verdicts[at] ?? { violations: [] };
    const said = (outcome: CheckResult['outcome'], message: string, by: readonly Entry[] = []): CheckResult => ({
      ...{ id, requirements: [...rule.requirements], title, outcome, message },
      exchanges: by.map(({ answer }) => answer),
    });
    if (open?.kind === 'broken') return said('error', open.reason);
    const [main, ...also] = findingsOf(rule, violations, log);
    if (main) {
      const requirements = [...new Set(violations.flatMap(({ requirement }) => requirement ?? rule.requirements))];
      return { ...said('violation', ''), ...main, requirements, ...(also.length > 0 && { also }) };
    }
    if (open?.kind === 'doubt') return said('untested', open.reason);
    if (shown) return said('pass', '', shown.slice(-2));
    if (open?.kind === 'set-up') return said('error', open.reason);
    if (rule.isOptional) return undefined;
    if (open?.because) return said('blocked', `${open.reason} (see ${open.because})`);
    const operation = rule.of;
    const reporter = operation && neverSucceeds(log, operation) ? OPERATIONS[operation].reportedBy : id;
    if (operation && reporter !== id) return said('blocked', `${answersOf(log, operation)} (see ${reporter})`);
    return said('untested', reasonOf(rule) ?? open?.reason ?? NOT_SHOWN);
  };
  return rules.flatMap((rule, at) => resultOf(rule, at) ?? []);
}

/** The findings of a rule, each with the first violation that shows it. */
const findingsOf = (rule: Rule, violations: readonly Violation[], log: Log): Finding[] =>
  [...groupBy(violations, (each) => fingerprintOf(rule, each))].flatMap(([fingerprint, [first, ...others]]) => {
    if (!first) return [];
    const { message, by, expected, actual } = first;
    const like = others.length > 0 ? ` ${count(others.length, 'more exchange')} like it.` : '';
    const depends = dependsOn(by, log);
    const shown = depends.length > 0 ? inSequence(by, log) : by.map(({ answer }) => answer);
    const exchanges = shown.map((each, at) => (at === by.length - 1 ? { ...each, decisive: true as const } : each));
    const found = { fingerprint, message: `${message}${placesOf(by)}${like}`, expected, actual, exchanges };
    return [depends.length > 0 ? { ...found, dependsOn: depends } : found];
  });

/** What an operation that never succeeded answered. */
function answersOf(log: Log, operation: OperationId): string {
  const statuses = new Set(
    of(log, operation).flatMap((entry) => (entry.asked?.odd.length === 0 && !isOk(entry) ? statusOf(entry) : [])),
  );
  return `${OPERATIONS[operation].name} never succeeded: it answered ${[...statuses].join(', ')}`;
}

/** Which reason is reported: of two, the one that says more. */
const rankOf = ({ kind }: Open): number => [undefined, 'doubt', 'set-up', 'broken'].indexOf(kind);
export const NOT_SHOWN = 'no exchange shows it';
const placeOf = ({ by }: Violation): number => by.at(-1)?.n ?? 0;

/** ` Entry 17 (2026-03-01T10:00:00Z).`, for exchanges of a recording. */
function placesOf(by: readonly Entry[]): string {
  const places = [
    ...new Set(by.flatMap(({ answer: { entry } }) => (entry ? [`${entry.number} (${entry.startedAt})`] : []))),
  ];
  return places.length === 0 ? '' : ` ${places.length === 1 ? 'Entry' : 'Entries'} ${places.join(' and ')}.`;
}
