import { TransportError } from '../errors.ts';
import { blocked, CheckFailure, untested } from '../failure.ts';
import { adminClaim } from '../session/admin-claim.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import type { Check } from './check.ts';
import { requirementsOf } from './field-rules.ts';
import { assertNone, type Finding } from './findings.ts';
import { grantFindings } from './grants.ts';
import { identityChanges, recordingChanges } from './kept-values.ts';
import { keyDisagreements } from './key-agreement.ts';
import { keyFindings, listedKeys, listFindings, providerFindings } from './listed-keys.ts';
import { CHECKED_OPERATIONS, type CheckedOperation } from './operations.ts';
import { answersOf, describeRequest } from './run-answers.ts';
import { updateFindings } from './updates.ts';

const { sso, recording, 'api-keys': apiKeys } = CHECKED_OPERATIONS;

/**
 * A check of every answer of an operation in the run, whatever the caller and the request. Sends what a run that is limited
 * to it would lack; its evidence is only what it found.
 */
function wholeRunCheck(
  asked: CheckedOperation,
  check: Pick<Check, 'id' | 'requirements' | 'title'>,
  judge: (answers: Answer[], session: Session) => Finding[] | Promise<Finding[]>,
): Check {
  return {
    ...check,
    isOfTheRun: true,
    needs: asked.needs,
    ...(asked.writes ? { writes: asked.writes } : {}),
    async run(session) {
      const { result } = await session.recorder.scope(async () => judge(await answersOf(asked, session), session));
      if (result.status === 'rejected') throw result.reason;
      assertNone(result.value, session);
    },
    remark: async (session) => (check.id === 'sso-identity-kept' ? session.lag : undefined),
  };
}

/** The same of each answer by itself. */
const eachAnswer =
  (asked: CheckedOperation, judge: (subject: string, answer: Answer, session: Session) => Finding[]) =>
  (answers: Answer[], session: Session): Finding[] =>
    answers.flatMap((answer) => judge(describeRequest(asked, answer, session), answer, session));

/** Whether the token of admin's last sign-in says other things of its holder than admin's own does. */
async function foreignToken(answers: Answer[], session: Session): Promise<Finding[]> {
  const body = JSON.stringify(session.credentials('admin').sso);
  const last = answers.findLast(({ request }) => request.body === body);
  const grant = last && jsonOf(last);
  if (!last || !isObject(grant) || typeof grant.access_token !== 'string') return [];
  const scopes = async (headers?: Record<string, string>) => {
    // Where they are not found, or not answered, nothing can be compared.
    const asked = async (): Promise<Answer> => {
      const path = await session.scopes.path();
      const known = session.successes.findLast(
        ({ request }) =>
          new URL(request.url).pathname.endsWith(path) && request.headers.Authorization === headers?.Authorization,
      );
      return known ?? session.scopes.of('admin', headers);
    };
    const answer = await asked().catch((error: unknown) => {
      if (error instanceof CheckFailure || error instanceof TransportError) return undefined;
      throw error;
    });
    return answer && isSuccess(answer) ? { answer, claim: adminClaim(jsonOf(answer)) } : undefined;
  };
  const theirs = await scopes({ Authorization: `Bearer ${grant.access_token}` });
  const own = theirs?.claim && (await scopes());
  if (!own?.claim || !theirs?.claim || own.claim.isAdmin === theirs.claim.isAdmin) return [];
  return [
    {
      requirement: 'SSO-17',
      message: 'The same identity signed in again and got the token of somebody else: the scopes answers differ.',
      expected: { [own.claim.path.join('.')]: own.claim.value },
      actual: { [theirs.claim.path.join('.')]: theirs.claim.value },
      answers: [last, own.answer, theirs.answer],
    },
  ];
}

/** Throws where the lists hold nothing to judge. */
function assertKeys(lists: readonly Answer[]): void {
  if (lists.some((list) => listedKeys(list).length > 0)) return;
  throw untested('no list of the run holds an API key; name a tenant that has some in resources.tenantId');
}

/** Throws where one of a kind is all that the run has, so that there is nothing to compare it with. */
function assertSeveral(answers: readonly Answer[], what: string): void {
  if (answers.length < 2) throw untested(`the run has but one ${what}; run all checks`);
}

/** What is judged when everything else has been asked: each answer, and what they say together. */
export const wholeRunChecks: Check[] = [
  wholeRunCheck(
    sso,
    {
      id: 'sso-every-answer',
      requirements: [...requirementsOf('TokenGrant'), 'SSO-04', 'SSO-08', ...requirementsOf('User')].toSorted(),
      title: 'every SSO answer of the run is as documented, whoever signed in and how often',
    },
    eachAnswer(sso, (subject, answer) => grantFindings(`The answer of ${subject}`, answer)),
  ),
  wholeRunCheck(
    sso,
    {
      id: 'sso-identity-kept',
      requirements: ['SSO-17'],
      title: 'an identity keeps its user id and created_at at every login of the run, and its token is its own',
    },
    async (answers, session) => {
      if (new Set(answers.map(({ request }) => request.body)).size === answers.length) {
        throw blocked('sso-identity-stable', 'No identity signed in twice');
      }
      return [...identityChanges(answers), ...(await foreignToken(answers, session))];
    },
  ),
  wholeRunCheck(
    recording,
    {
      id: 'recording-every-answer',
      requirements: ['REC-07', ...requirementsOf('Recording'), 'REC-21', 'REC-22'],
      title: 'every update of the run answers the recording as documented, whatever was sent and by whom',
    },
    eachAnswer(recording, updateFindings),
  ),
  wholeRunCheck(
    recording,
    {
      id: 'recording-kept',
      requirements: ['REC-24'],
      title: 'what no update sent is the same at every update of the run',
    },
    (answers, session) => {
      assertSeveral(answers, 'update');
      return recordingChanges(answers, (answer) => describeRequest(recording, answer, session));
    },
  ),
  wholeRunCheck(
    apiKeys,
    {
      id: 'keys-every-list',
      requirements: ['KEY-02'],
      title: 'every list of API keys of the run is a JSON array, whatever the filters and the caller',
    },
    eachAnswer(apiKeys, listFindings),
  ),
  wholeRunCheck(
    apiKeys,
    {
      id: 'keys-every-record',
      requirements: [...requirementsOf('TenantApiKey'), 'KEY-08', 'KEY-09', 'KEY-10', 'KEY-18'],
      title: 'every API key of every list of the run is as documented, and holds no secret',
    },
    (lists, session) => {
      assertKeys(lists);
      return [...eachAnswer(apiKeys, keyFindings)(lists, session), ...providerFindings(lists)];
    },
  ),
  wholeRunCheck(
    apiKeys,
    {
      id: 'keys-one-record',
      requirements: ['KEY-04', 'KEY-05', 'KEY-06', 'KEY-07'],
      title: 'an API key is the same in every list of the run',
    },
    (lists, session) => {
      assertKeys(lists);
      assertSeveral(lists, 'list of API keys');
      return keyDisagreements(lists, session);
    },
  ),
];
