import { assertJson } from '../checks/answers.ts';
import type { Finding, Judgement } from '../checks/findings.ts';
import { grantFindings } from '../checks/grants.ts';
import { KEY_JUDGEMENTS } from '../checks/keys.ts';
import { keyFindings, listedKeys, listFindings, providerFindings } from '../checks/listed-keys.ts';
import { CHECKED_OPERATIONS } from '../checks/operations.ts';
import { RECORDING_JUDGEMENTS } from '../checks/recordings.ts';
import { describeSent, isUpdate } from '../checks/run-answers.ts';
import { SSO_JUDGEMENTS } from '../checks/sso.ts';
import { updateFindings } from '../checks/updates.ts';
import { CheckFailure } from '../failure.ts';
import { adminClaim } from '../session/admin-claim.ts';
import { listsScopes } from '../session/scope-listing.ts';
import { findPats } from '../session/tokens-in-answers.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, parseJson, show } from '../wire/json.ts';
import type { Book } from './book.ts';
import { checkOf, type Judge } from './judge.ts';
import type { Seen } from './operations-in.ts';

const UPDATE_ALONE: Judgement[] = ['REC-21', 'REC-22'].map((requirement) => ({
  id: checkOf(requirement),
  requirement,
  title: '',
}));
const LIST: Judgement[] = [{ id: 'keys-array', requirement: 'KEY-02', title: '' }];
const JSON_CHECKS = Object.values(CHECKED_OPERATIONS).map(({ json }) => json.id);
const PATHS: Partial<Record<string, string>> = {
  sso: 'path-sso',
  recording: 'path-recording',
  'api-keys': 'path-api-keys',
};
/** How many more lists are kept than there may be providers: one for each provider that is new. */
const PROVIDER = 'KEY-10';

/** Writes which of the judgements an answer keeps and which it breaks; what builds on a broken one shows nothing. */
function enter(book: Book, judgements: readonly Judgement[], findings: readonly Finding[], answer: Answer): void {
  const isBroken = (requirement: string): boolean =>
    findings.some((finding) => finding.isWhole || finding.requirement === requirement);
  for (const { id, requirement, buildsOn = [] } of judgements) {
    const finding = findings.find((each) => each.requirement === requirement);
    if (finding) book.violate(id, finding);
    else if (![requirement, ...buildsOn].some(isBroken)) book.pass(id, answer);
  }
}

/** Whether a sign-in has what 4.1 shows: claims that are strings. */
export function isSsoRequest({ request }: Answer): boolean {
  const body = parseJson(request.body ?? '');
  if (!isObject(body)) return false;
  const claims = Object.entries(body).filter(([name]) => ['oid', 'tid', 'upn'].includes(name));
  return claims.length > 0 && claims.every(([, value]) => typeof value === 'string');
}

/** Judges each success by itself, by the judgements that the checks of a run have. */
export function answersJudge(book: Book): Judge {
  const listsOfProviders: Answer[] = [];

  const judge = ({ operation, answer, startedAt }: Seen): void => {
    if (operation === 'sso' && isSsoRequest(answer)) {
      const findings = grantFindings(
        `The answer of ${describeSent(CHECKED_OPERATIONS.sso, answer)}`,
        answer,
        startedAt,
      );
      enter(book, SSO_JUDGEMENTS, findings, answer);
    } else if (operation === 'recording' && isUpdate(answer.request)) {
      const findings = updateFindings(describeSent(CHECKED_OPERATIONS.recording, answer), answer);
      const sent = parseJson(answer.request.body ?? '');
      const hasTitle = isObject(sent) && 'title' in sent;
      enter(book, RECORDING_JUDGEMENTS, findings, answer);
      enter(
        book,
        UPDATE_ALONE.filter(({ requirement }) => requirement !== 'REC-22' || hasTitle),
        findings,
        answer,
      );
    } else if (operation === 'api-keys') judgeList(answer);
    else if (operation === 'scopes') judgeScopes(answer);
    else if (operation === 'pat') judgePat(answer);
  };

  const judgeList = (answer: Answer): void => {
    const subject = describeSent(CHECKED_OPERATIONS['api-keys'], answer);
    enter(book, LIST, listFindings(subject, answer), answer);
    const keys = listedKeys(answer);
    if (keys.length === 0) return;
    const known = new Set(listsOfProviders.flatMap(listedKeys).map(({ provider }) => provider));
    // One list of each provider is enough to count them.
    if (listsOfProviders.length < 8 && keys.some(({ provider }) => !known.has(provider))) listsOfProviders.push(answer);
    const findings = keyFindings(subject, answer);
    const providers = providerFindings(listsOfProviders).map((finding) => ({ ...finding, answers: [answer] }));
    const judged = KEY_JUDGEMENTS.filter(
      ({ requirement }) => requirement !== PROVIDER || !book.isViolated('keys-seven-providers'),
    );
    enter(book, judged, [...findings, ...providers], answer);
  };

  const judgeScopes = (answer: Answer): void => {
    const json = jsonOf(answer);
    if (json === undefined) return;
    if (listsScopes(json)) book.pass('scopes-available', answer);
    else
      book.violate('scopes-available', {
        requirement: 'SCO-02',
        message: 'The scopes answer lists no scopes.',
        expected: 'a list of scopes, in whatever shape',
        actual: show(json),
        answers: [answer],
      });
    if (!adminClaim(json)) {
      const reason = 'nothing in the scopes answer is named after administrators';
      book.open('scopes-administrator', reason);
      book.open('scopes-no-administrator', reason);
    }
  };

  const judgePat = (answer: Answer): void => {
    if (findPats(answer).length > 0) book.pass('pat-form', answer);
    else
      book.violate('pat-form', {
        requirement: 'AUT-10',
        message: `${CHECKED_OPERATIONS.pat.name} did not answer a PAT of the documented form.`,
        expected: '<token_prefix>_<tokenId>.<secret>',
        actual: show(answer.response.body),
        answers: [answer],
      });
  };

  return {
    checks: [
      ...[...SSO_JUDGEMENTS, ...RECORDING_JUDGEMENTS, ...UPDATE_ALONE, ...LIST, ...KEY_JUDGEMENTS].map(({ id }) => id),
      ...JSON_CHECKS,
      ...Object.values(PATHS).filter((id) => id !== undefined),
      'scopes-available',
      'pat-form',
    ],
    see(seen) {
      const { operation, answer } = seen;
      if (operation === undefined || !isSuccess(answer)) return;
      const path = PATHS[operation];
      if (path) book.pass(path, answer);
      if (!seen.hasBody) return;
      const asked = CHECKED_OPERATIONS[operation];
      const notJson = failureOf(() => assertJson(answer, describeSent(asked, answer)));
      if (notJson)
        book.violate(asked.json.id, {
          requirement: 'GEN-01',
          message: notJson.message,
          expected: notJson.evidence.expected,
          actual: notJson.evidence.actual,
          answers: [answer],
        });
      else book.pass(asked.json.id, answer);
      if (seen.hasRequestBody) judge(seen);
    },
  };
}

/** The failure that an assertion throws. */
function failureOf(assertion: () => void): CheckFailure | undefined {
  try {
    assertion();
    return undefined;
  } catch (error) {
    if (error instanceof CheckFailure) return error;
    throw error;
  }
}
