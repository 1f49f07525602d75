import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { type Entry, isOk, type Log, statusOf } from '../log/entry.ts';
import { describe } from '../values/answer.ts';
import { show } from '../values/json.ts';
import { type Judgement, of, violated } from './rule.ts';

/** The rule that reports that an operation never succeeds, and what to look at then. */
export const REPORTED_BY: Record<OperationId, { rule: string; hint: string }> = {
  sso: {
    rule: 'sso-claims-accepted',
    hint: 'Check that actors.admin.sso names an identity that the target knows.',
  },
  recording: {
    rule: 'recording-update-summary',
    hint: 'Check that resources.recordingId is a recording that actors.admin may update.',
  },
  'api-keys': {
    rule: 'keys-list',
    hint: 'Check that resources.tenantId is a tenant whose API keys actors.admin may list.',
  },
  scopes: { rule: 'scopes-answered', hint: 'Check answers.scopes-path in the profile.' },
  login: {
    rule: 'login-jwt',
    hint: 'Its body is not documented: check that actors.admin.login has the fields that the target takes.',
  },
  pat: { rule: 'pat-created', hint: 'The path is documented.' },
};

/** The requests of admin that nothing in them makes a conforming target refuse. */
const mild = (log: Log, operation: OperationId): Entry[] =>
  of(log, operation).filter(
    (entry) =>
      entry.asked?.odd.length === 0 &&
      entry.credential.flaw === undefined &&
      (entry.credential.who === 'admin' || operation === 'sso' || operation === 'login'),
  );

/** Whether an operation was asked in a run, and never succeeded. */
export const neverSucceeds = (log: Log, operation: OperationId): boolean =>
  !log.isPartial &&
  mild(log, operation).length > 0 &&
  !of(log, operation).some((entry) => isOk(entry) && !entry.credential.flaw);

/** Whether the credential of a request was accepted elsewhere. */
const isProven = (log: Log, { credential }: Entry): boolean =>
  log.entries.some(
    (other) =>
      isOk(other) &&
      other.operation !== undefined &&
      other.operation !== 'sso' &&
      other.operation !== 'login' &&
      credential.token !== undefined &&
      other.credential.token === credential.token,
  );

/**
 * What it means that an operation never succeeds in a run: refused credentials may be the target file's fault, everything
 * else is the target's. Empty where it succeeds or was not asked.
 */
export function neverSucceeded(log: Log, operation: OperationId): Judgement[] {
  if (!neverSucceeds(log, operation)) return [];
  const own = mild(log, operation);
  const entry = own.find((each) => statusOf(each) !== 403 && statusOf(each) !== 401) ?? own[0];
  if (!entry) return [];
  const { hint } = REPORTED_BY[operation];
  const { name } = OPERATIONS[operation];
  const status = statusOf(entry);
  const setUp = (reason: string): Judgement[] => [{ state: 'open', reason, isSetUp: true }];
  if (status >= 300 && status < 400)
    return setUp(
      `${name} was redirected to ${entry.answer.response.headers.location ?? 'nowhere'}; redirects are not followed. Set baseUrl to where the API is.`,
    );
  if (status === 429) return setUp(`${name} was still limited after waiting; lower limits.requestsPerSecond.`);
  const proven = isProven(log, entry);
  if ((status === 401 && !proven) || status === 403) return setUp(`${name} was refused with ${status}. ${hint}`);
  // What was accepted elsewhere is not what is wrong.
  const advice = proven && status === 401 ? 'The same credentials are accepted elsewhere.' : hint;
  return [
    violated(
      {
        message: `${name} did not succeed: it answered ${status}. ${advice}`,
        expected: 'a success (2xx)',
        actual: `${describe(entry.answer)}: ${show(entry.answer.response.body)}`,
      },
      entry,
    ),
  ];
}
