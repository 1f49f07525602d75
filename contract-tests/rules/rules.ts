import { OPERATION_IDS, OPERATIONS } from '../api/operations.ts';
import type { TargetField } from '../api/target-fields.ts';
import type { Log } from '../log/entry.ts';
import { accessRules, isRefusedBetween } from './access.ts';
import { allAnswerRules } from './answers.ts';
import { neverSucceeded, pathRules } from './established.ts';
import { keyRules } from './keys.ts';
import { overlapRules } from './overlaps.ts';
import { recordingRules } from './recordings.ts';
import type { DocumentRule, Rule } from './rule.ts';
import { scopeRules } from './scopes.ts';
import { signInRules } from './sign-ins.ts';
import { titlesIn } from './titles.ts';

/** A rule that reports that an operation never succeeds says so first of all. */
function reporting(rule: DocumentRule): DocumentRule {
  const operation = OPERATION_IDS.find((id) => OPERATIONS[id].reportedBy === rule.id);
  if (!operation) return rule;
  const judge = (log: Log) => {
    const problem = neverSucceeded(log, operation);
    return problem ? [problem] : rule.judge(log);
  };
  return { ...rule, judge };
}

const ownRules: readonly DocumentRule[] = [
  ...signInRules,
  ...allAnswerRules,
  ...pathRules,
  ...recordingRules,
  ...keyRules,
  ...scopeRules,
  ...accessRules,
];

/** Every rule of the document, in the order of reports. */
export const allRules: readonly DocumentRule[] = [...ownRules, ...overlapRules(ownRules)].map(reporting);

const byId: ReadonlyMap<string, DocumentRule> = new Map(allRules.map((rule) => [rule.id, rule]));

/** What ties a rule to a run; undefined of one that is not ours, which may judge any exchange. */
export const tiesOf = ({ id }: Pick<Rule, 'id'>): DocumentRule | undefined => byId.get(id);

/** What the target file must give for a rule to be judged in a run. */
export const needsOf = (rule: Pick<Rule, 'id'>): readonly TargetField[] => tiesOf(rule)?.needs ?? [];

/** Whether only requests that write show a rule. @param admin of the target file, which may give a PAT */
export function isShownByWrites(rule: Pick<Rule, 'id'>, admin: { pat?: unknown } = {}): boolean {
  const ties = tiesOf(rule);
  if (!ties) return false;
  const { of, isOfPat = false, makesUsers = false, needs } = ties;
  const makesPats = of === 'pat' || (isOfPat && admin.pat === undefined);
  return makesPats || makesUsers || needs.includes('resources.recordingId');
}

/** What findings add where several instances without a common store would explain them. */
export const SEVERAL_INSTANCES =
  'Answers alternate between two states: several instances that share no store answer so; if the target has several, look there first.';

/** Whether the answers to the same question alternate, although nothing in between changes what they tell. */
export const alternates = (log: Log): boolean => titlesIn(log).isStale || isRefusedBetween(log);
