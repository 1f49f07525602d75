import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { FIELD_NAMES, fieldsOf, isRecording, type RecordName } from '../api/records.ts';
import { listsScopes } from '../api/scope-listing.ts';
import { secretsIn } from '../api/secret-members.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { type Entry, isMaskIn, jsonIn, type Log, overlap, sentObject } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import { isJsonMediaType, isObject, type JsonObject, show } from '../values/json.ts';
import { decodeJwt, isJwt } from '../values/jwt.ts';
import { once } from '../values/once.ts';
import { describeSent, distinct, isDocumented, isList, listedKeys } from './documented.ts';
import { expectedOf, type Finding, fieldFindings, finding, isPredictable, sameId } from './fields.ts';
import { answerOf, type Judged, of, open, type Rule, shown, violated } from './rule.ts';
import { titlesOfOtherRuns } from './titles.ts';

/** Rules of single answers (parts 2 and 4); they depend neither on the caller nor on earlier answers. */

/** One requirement of every answer of an operation. */
interface Part {
  id: string;
  requirement: string;
  title: string;
  /** Requirements without which this one cannot be judged. */
  buildsOn?: readonly string[];
  /** The member of the answer that it is about: where a mask replaces that, nothing shows. */
  member?: string;
  /** Whether an answer can show it; default: every one. */
  applies?: (entry: Entry, log: Log) => boolean;
}

/** One rule for each part; it applies to every documented success of the operation, for all callers. */
function answerRules(operation: OperationId, parts: readonly Part[], find: (entry: Entry) => Finding[]): Rule[] {
  // The rules share the findings of an answer.
  const findingsOf = once((entry: Entry) => [...jsonFindings(entry), ...find(entry)]);
  return parts.map(({ id, requirement, title, buildsOn = [], member = '', applies = () => true }) => ({
    id,
    requirements: [requirement],
    title,
    judge: (log) =>
      of(log, operation).flatMap((entry): Judged => {
        const json = jsonIn(entry);
        if (!isDocumented(entry) || (isObject(json) && isMaskIn(entry, json[member])) || !applies(entry, log))
          return [];
        const findings = findingsOf(entry);
        const own = findings.filter((finding) => finding.requirement === requirement);
        if (own.length > 0)
          return own.map(({ message, expected, actual }) => ({
            ...violated(message, expected, actual, entry),
            requirement,
          }));
        const isBelow = (finding: Finding) => finding.isWhole && requirement !== 'GEN-01';
        const below = findings.find((each) => isBelow(each) || buildsOn.includes(each.requirement));
        if (!below) return shown(entry);
        return open(below.message, { because: parts.find((part) => part.requirement === below.requirement)?.id });
      }),
  }));
}

const part = (id: string, requirement: string, title: string, more: Partial<Part> = {}): Part => ({
  id,
  requirement,
  title,
  ...more,
});

/** A part for each field of a record: `sso-user-id`, "the user of the SSO answer has id: a string". */
const fieldParts = (type: RecordName, prefix: string, holder: string, more: Partial<Part> = {}): Part[] =>
  Object.entries(fieldsOf(type)).map(([field, description]) => ({
    id: `${prefix}-${field.replaceAll('_', '-')}`,
    requirement: description.requirement,
    title: `${holder} has ${field}: ${expectedOf(description)}`,
    ...more,
  }));

/** Successes are JSON and say so in their media type (preamble of the document). */
const jsonPart = (id: string, what: string): Part => part(id, 'GEN-01', `${what} JSON`);

function jsonFindings(entry: Entry): Finding[] {
  const subject = describeSent(entry);
  const type = entry.answer.response.headers['content-type'];
  if (jsonIn(entry) === undefined)
    return [finding('GEN-01', `${subject} answered a body that is not JSON.`, 'a JSON body', answerOf(entry))];
  if (isJsonMediaType(type)) return [];
  const message = `${subject} answered JSON under another media type.`;
  return [finding('GEN-01', message, 'Content-Type: application/json', type ?? 'no Content-Type')];
}

/** Everything in which an SSO answer differs from 4.1. */
function ssoFindings(entry: Entry): Finding[] {
  const subject = `answer of ${describeSent(entry)}`;
  const grant = jsonIn(entry);
  if (!isObject(grant)) {
    const actual = show(entry.answer.response.body);
    const own = finding('SSO-03', `The ${subject} is not a JSON object.`, 'an object with access_token, …', actual);
    return [{ ...own, isWhole: true }];
  }
  const { access_token: access, refresh_token: refresh, expires_in: lifetime, user } = grant;
  const findings = fieldFindings(`The ${subject}`, 'TokenGrant', grant);
  const add = (...what: Parameters<typeof finding>): unknown => findings.push(finding(...what));
  if (typeof access === 'string' && access !== '' && !isJwt(access)) {
    const form = 'a JWT in compact form, signed (three parts) or encrypted (five)';
    add('SSO-04', `The access_token of the ${subject} is not a JWT.`, form, access);
  }
  if (typeof refresh === 'string' && refresh !== '' && refresh === access)
    add('SSO-05', `The refresh_token of the ${subject} is its access_token.`, 'another token than that', refresh);
  if (typeof lifetime === 'number' && lifetime <= 0)
    add('SSO-08', 'expires_in is not a lifetime.', 'a positive number of seconds', lifetime);
  const stated = typeof lifetime === 'number' && lifetime > 0 ? statedLifetimes(access, entry) : [];
  if (stated[0] && !stated.some(({ seconds, tolerance }) => Math.abs(seconds - Number(lifetime)) <= tolerance)) {
    const message = `expires_in of the ${subject} disagrees with the lifetime that the JWT states.`;
    add('SSO-08', message, `about ${Math.round(stated[0].seconds)} (seconds)`, lifetime);
  }
  return [...findings, ...(isObject(user) ? fieldFindings(`The user of the ${subject}`, 'User', user) : [])];
}

/** The lifetimes in seconds that a JWT can be read to state: from `iat`, and from the time of the answer. */
function statedLifetimes(token: unknown, { answer, date }: Entry): { seconds: number; tolerance: number }[] {
  const { exp, iat } = decodeJwt(token)?.payload ?? {};
  if (typeof exp !== 'number') return [];
  const own = typeof iat === 'number' ? exp - iat : undefined;
  const sinceIssue = own === undefined ? [] : [{ seconds: own, tolerance: Math.max(30, Math.min(60, own * 0.1)) }];
  const theirDate = Date.parse(answer.response.headers.date ?? '');
  // Where the token is older than the answer (a sliding session), its remaining time is its lifetime.
  if (Number.isFinite(theirDate)) return [...sinceIssue, { seconds: exp - theirDate / 1000, tolerance: 60 }];
  // Without the target's clock ours is the reference, which may differ from it.
  return own === undefined ? [{ seconds: exp - date / 1000, tolerance: 300 }] : sinceIssue;
}

/** Everything that the answer to an update says otherwise than 4.2 and part 2 do. */
function updateFindings(entry: Entry): Finding[] {
  const subject = describeSent(entry);
  const record = jsonIn(entry);
  if (!isRecording(record)) {
    const expected = `an object with ${FIELD_NAMES.join(', ')}`;
    return [
      { ...finding('REC-07', `${subject} did not answer a recording.`, expected, answerOf(entry)), isWhole: true },
    ];
  }
  const { title } = sentObject(entry);
  const findings = fieldFindings(`The recording answered to ${subject}`, 'Recording', record);
  if (typeof record.id === 'string' && !sameId(record.id, entry.resource ?? ''))
    findings.push(finding('REC-21', `${subject} answered another recording.`, entry.resource, record.id));
  if (typeof title === 'string' && record.title !== title)
    findings.push(finding('REC-22', `${subject} answered another title than was sent.`, title, record.title));
  return findings;
}

/** Whether the title of an answer is known: unless its fate is unpredictable, or another one was written at the same time. */
function isTitleKnown(entry: Entry, log: Log): boolean {
  const { title } = sentObject(entry);
  const record = jsonIn(entry);
  if (typeof title !== 'string' || !isPredictable(title)) return false;
  if (!isRecording(record) || record.title === title) return true;
  const rivals = of(log, 'recording').filter(
    (other) => other.resource === entry.resource && sentObject(other).title === record.title && overlap(other, entry),
  );
  return !titlesOfOtherRuns(log).has(entry.resource) && !rivals.some(isDocumented);
}

/** Everything that is wrong with a list of API keys (4.3, part 2). */
function listFindings(entry: Entry): Finding[] {
  const subject = describeSent(entry);
  const keys = listedKeys(entry);
  const findings = keys.flatMap((key) => keyFindings(`API key ${show(key.id)} of ${subject}`, key));
  if (!isList(entry)) {
    const message = `${subject} did not answer an array of API keys.`;
    const own = finding('KEY-02', message, 'a JSON array of objects', answerOf(entry));
    return [{ ...own, isWhole: true }, ...findings];
  }
  for (const [id, { length: times }] of groupBy(keys, (key) => key.id))
    if (typeof id === 'string' && times > 1)
      findings.push(finding('KEY-18', `Two API keys of ${subject} share an id.`, 'each id once', { id, times }));
  return findings;
}

function keyFindings(which: string, key: JsonObject): Finding[] {
  const findings = fieldFindings(which, 'TenantApiKey', key);
  const [secret] = secretsIn(key);
  if (secret) {
    const path = secret.path.join('.');
    findings.push(finding('KEY-08', `${which} holds a secret in ${path}.`, 'no secret', { [path]: secret.shown }));
  }
  // A word that a filter value can be.
  if (typeof key.provider === 'string' && !/^[a-z0-9][a-z0-9._-]*$/.test(key.provider)) {
    const message = `The provider of ${which} is not a lower-case identifier.`;
    findings.push(finding('KEY-09', message, 'lower-case letters, digits, - _ .', key.provider));
  }
  return findings;
}

const hasKeys = (entry: Entry): boolean => listedKeys(entry).length > 0;

function scopesFindings(entry: Entry): Finding[] {
  const json = jsonIn(entry);
  if (json === undefined || listsScopes(json)) return [];
  return [finding('SCO-02', 'The scopes answer lists no scopes.', 'a list of scopes, in any shape', show(json))];
}

function patFindings(entry: Entry): Finding[] {
  if (jsonIn(entry) === undefined || findPats(entry.answer).length > 0) return [];
  const message = `${OPERATIONS.pat.name} did not answer a PAT of the documented form.`;
  return [finding('AUT-10', message, '<token_prefix>_<tokenId>.<secret>', show(entry.answer.response.body))];
}

/** The seven providers of part 2. */
const MAX_PROVIDERS = 7;

const sevenProviders: Rule = {
  id: 'keys-seven-providers',
  requirements: ['KEY-10'],
  title: 'there are at most seven different providers',
  judge(log) {
    const lists = of(log, 'api-keys').filter((entry) => isDocumented(entry) && hasKeys(entry));
    const providers = distinct(lists.flatMap(listedKeys), 'provider');
    const eighth = providers[MAX_PROVIDERS];
    if (eighth === undefined) return lists.slice(0, 1).map((list) => shown(list));
    const list = lists.filter((each) => listedKeys(each).some(({ provider }) => provider === eighth)).slice(0, 1);
    return [violated('There are more than seven providers.', `at most ${MAX_PROVIDERS}`, providers, ...list)];
  },
};

export const answerRulesAll: readonly Rule[] = [
  ...answerRules(
    'sso',
    [
      ...fieldParts('TokenGrant', 'sso', 'the SSO answer').map((part) => ({
        ...part,
        member: part.id.slice('sso-'.length).replaceAll('-', '_'),
      })),
      part('sso-access-token-jwt', 'SSO-04', 'the access_token of the SSO answer is a JWT', {
        member: 'access_token',
        buildsOn: ['SSO-03'],
      }),
      part('sso-expires-in-seconds', 'SSO-08', 'expires_in is the lifetime of the access token in seconds', {
        member: 'access_token',
        buildsOn: ['SSO-03', 'SSO-07', 'SSO-04'],
      }),
      ...fieldParts('User', 'sso-user', 'the user of the SSO answer', { buildsOn: ['SSO-09'] }),
      jsonPart('sso-json', 'the SSO answer is'),
    ],
    ssoFindings,
  ),
  ...answerRules(
    'recording',
    [
      part('recording-answered', 'REC-07', 'the update answers with the recording'),
      ...fieldParts('Recording', 'recording', 'the recording'),
      part('recording-addressed', 'REC-21', 'the recording answered is the one addressed', {
        buildsOn: ['REC-10'],
        // Which spellings of an identifier are the same is not shown.
        applies: ({ asked }) => !asked?.odd.includes('recording'),
      }),
      part('recording-title-exact', 'REC-22', 'the title written is the title answered, exactly', {
        applies: isTitleKnown,
      }),
      jsonPart('recording-json', 'the update answers'),
    ],
    updateFindings,
  ),
  ...answerRules(
    'api-keys',
    [
      part('keys-array', 'KEY-02', 'the list of API keys is a JSON array of objects'),
      ...fieldParts('TenantApiKey', 'keys', 'each API key', { applies: hasKeys }),
      part('keys-no-secret', 'KEY-08', 'no listed API key holds its secret', { applies: hasKeys }),
      part('keys-provider-lower-case', 'KEY-09', 'each provider is a lower-case identifier', {
        buildsOn: ['KEY-04'],
        applies: hasKeys,
      }),
      part('keys-unique', 'KEY-18', 'no two API keys of a list share an id', {
        buildsOn: ['KEY-03'],
        applies: hasKeys,
      }),
      jsonPart('keys-json', 'the list of API keys is'),
    ],
    listFindings,
  ),
  sevenProviders,
  ...answerRules(
    'scopes',
    [
      part('scopes-available', 'SCO-02', 'the scopes answer says which scopes are available', {
        applies: (entry) => jsonIn(entry) !== undefined,
      }),
      jsonPart('scopes-json', 'the scopes answer is'),
    ],
    scopesFindings,
  ),
  ...answerRules(
    'pat',
    [
      part('pat-form', 'AUT-10', 'a PAT has the form <token_prefix>_<tokenId>.<secret>', {
        applies: (entry) => jsonIn(entry) !== undefined,
      }),
      jsonPart('pat-json', `the answer of ${OPERATIONS.pat.name} is`),
    ],
    patFindings,
  ),
  ...answerRules('login', [jsonPart('login-json', `the answer of ${OPERATIONS.login.name} is`)], () => []),
];
