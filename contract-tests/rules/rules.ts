import { OPERATION_IDS, OPERATIONS } from '../api/operations.ts';
import type { TargetField } from '../api/target-fields.ts';
import type { Log } from '../log/entry.ts';
import { accessRules, isRefusedBetween } from './access.ts';
import { allAnswerRules } from './answers.ts';
import { neverSucceeded, pathRules } from './established.ts';
import { keyRules } from './keys.ts';
import { recordingRules } from './recordings.ts';
import type { Rule } from './rule.ts';
import { scopeRules } from './scopes.ts';
import { signInRules } from './sign-ins.ts';
import { titlesIn } from './titles.ts';

/** A rule that reports that an operation never succeeds says so first of all. */
function reporting(rule: Rule): Rule {
  const operation = OPERATION_IDS.find((id) => OPERATIONS[id].reportedBy === rule.id);
  if (!operation) return rule;
  const judge = (log: Log) => {
    const problem = neverSucceeded(log, operation);
    return problem ? [problem] : rule.judge(log);
  };
  return { ...rule, judge };
}

/** Every rule of the document, in the order of reports. */
export const allRules: readonly Rule[] = [
  ...signInRules,
  ...allAnswerRules,
  ...pathRules,
  ...recordingRules,
  ...keyRules,
  ...scopeRules,
  ...accessRules,
].map(reporting);

/** What the target file must give for a rule to be judged, beyond what its operation needs; in the place of `actors.admin` what gives it. */
const NEEDS: readonly (readonly [RegExp, readonly TargetField[]])[] = [
  [/^scopes-no-administrator$/, ['actors.admin', 'actors.member']],
  [/^sso-(identities-differ|overlapping)$/, ['actors.admin.sso', 'actors.member.sso']],
  [/^recording-carried$/, ['actors.admin', 'reads.recording']],
  [/^pat-update$/, ['actors.admin', 'resources.recordingId']],
  [/^auth-expired-jwt$/, ['actors.admin.expiredToken']],
  [/^login-/, ['actors.admin.login']],
  [/^(path-sso$|(sso|auth-refresh-token)-)/, ['actors.admin.sso']],
  [/./, ['actors.admin']],
];

/** What the target file must give for a rule to be judged in a run. */
export function needsOf({ id, from }: Pick<Rule, 'id' | 'from'>): readonly TargetField[] {
  const { of } = allRules.find((rule) => rule.id === id) ?? {};
  const own = NEEDS.find(([names]) => names.test(id))?.[1] ?? [];
  const resources = of ? OPERATIONS[of].needs.filter((field) => field.startsWith('resources.')) : [];
  return from === undefined ? [...new Set([...own, ...resources])] : [];
}

/** What findings add where several instances without a common store would explain them. */
export const SEVERAL_INSTANCES =
  'Answers alternate between two states: several instances that share no store answer so; if the target has several, look there first.';

/** Whether the answers to the same question alternate, although nothing in between changes what they tell. */
export const alternates = (log: Log): boolean => titlesIn(log).isStale || isRefusedBetween(log);
