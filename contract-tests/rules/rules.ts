import type { OperationId } from '../api/operations.ts';
import type { TargetField } from '../api/target-fields.ts';
import type { Log } from '../log/entry.ts';
import { accessRules } from './access.ts';
import { answerRulesAll } from './answers.ts';
import { neverSucceeded, pathRules, REPORTED_BY } from './established.ts';
import { keyRules } from './keys.ts';
import { recordingRules } from './recordings.ts';
import type { Rule } from './rule.ts';
import { scopeRules } from './scopes.ts';
import { signInRules } from './sign-ins.ts';
import { titlesIn } from './titles.ts';
import { isRefusedBetween, lifetimeRules } from './tokens.ts';

/** A rule that reports that an operation never succeeds says so first of all. */
function reporting(rule: Rule): Rule {
  const operation = (Object.keys(REPORTED_BY) as OperationId[]).find((id) => REPORTED_BY[id].rule === rule.id);
  if (!operation) return rule;
  return {
    ...rule,
    judge(log) {
      const problems = neverSucceeded(log, operation);
      return problems.length > 0 ? problems : rule.judge(log);
    },
  };
}

/** Rules whose requirements others judge as well, in more usual conditions: reported where a log shows something of them. */
const OPTIONAL =
  /^(sso-strangers|sso-overlapping|sso-identity-kept|sso-lifetime-left|sso-refresh|keys-overlapping|keys-one-record|scopes-of-each-caller|scopes-later|login-user|pat-(administrator|api-keys|later-ones|update)|after-a-pause)$/;

/** Every rule of the document, in the order of reports. */
export const allRules: readonly Rule[] = [
  ...signInRules,
  ...answerRulesAll,
  ...pathRules,
  ...recordingRules,
  ...keyRules,
  ...scopeRules,
  ...accessRules,
  ...lifetimeRules,
].map((rule) => reporting(OPTIONAL.test(rule.id) ? { ...rule, isOptional: true } : rule));

/** What the target file must give for a rule to be judged in a run, by the names of rules. */
const NEEDS: readonly (readonly [RegExp, readonly TargetField[]])[] = [
  [/^scopes-no-administrator$/, ['actors.admin', 'actors.member']],
  [/^(sso-identities-differ|sso-overlapping)$/, ['actors.admin.sso', 'actors.member.sso']],
  [/^recording-carried$/, ['actors.admin', 'resources.recordingId', 'reads.recording']],
  [/^auth-expired-jwt$/, ['actors.admin.expiredToken']],
  [/^login-accepted-by-recording$/, ['actors.admin.login', 'resources.recordingId']],
  [/^login-accepted-by-api-keys$/, ['actors.admin.login', 'resources.tenantId']],
  [/^login-/, ['actors.admin.login']],
  [/^auth-refresh-token-recording$/, ['actors.admin.sso', 'resources.recordingId']],
  [/^auth-refresh-token-api-keys$/, ['actors.admin.sso', 'resources.tenantId']],
  [/^auth-refresh-token-/, ['actors.admin.sso']],
  [/^recording-|-recording$|^refused-update|^pat-update$/, ['actors.admin', 'resources.recordingId']],
  [/^keys-|-api-keys$/, ['actors.admin', 'resources.tenantId']],
  [/^(sso-|path-sso)/, ['actors.admin.sso']],
  [/./, ['actors.admin']],
];

/** What the target file must give for a rule to be judged in a run. */
export const needsOf = ({ id, from }: Pick<Rule, 'id' | 'from'>): readonly TargetField[] =>
  from === undefined ? (NEEDS.find(([names]) => names.test(id))?.[1] ?? []) : [];

/** The operation that a rule is about; undefined for those of several. */
export function operationOf({ id, from }: Pick<Rule, 'id' | 'from'>): OperationId | undefined {
  if (from !== undefined) return undefined;
  if (/^recording-|-recording$|^refused-update/.test(id)) return 'recording';
  if (/^keys-|-api-keys$/.test(id)) return 'api-keys';
  if (/^scopes-|-scopes$/.test(id)) return 'scopes';
  if (/^sso-(?!refresh|token-works)|^path-sso/.test(id)) return 'sso';
  if (/^pat-(form|created|later)/.test(id)) return 'pat';
  return /^login-/.test(id) ? 'login' : undefined;
}

/** What findings add where several instances without a common store would explain them. */
export const SEVERAL_INSTANCES =
  'Answers alternate between two states: several instances that share no store answer so; if the target has several, look there first.';

/** Whether the answers to the same question alternate, although nothing in between changes what they tell. */
export const alternates = (log: Log): boolean => titlesIn(log).isStale || isRefusedBetween(log);
