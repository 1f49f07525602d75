import { OPERATIONS, type OperationId } from '../api/operations.ts';
import { FIELD_NAMES, type Field, fieldsOf, isRecording, type RecordName } from '../api/records.ts';
import { listsScopes } from '../api/scope-listing.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { type Entry, isMaskIn, isOk, jsonIn, overlap, sentObject, statusOf } from '../log/entry.ts';
import { isJsonMediaType, isObject, show } from '../values/json.ts';
import { once } from '../values/once.ts';
import { describeSent, isDocumented } from './documented.ts';
import { neverSucceeds, REPORTED_BY, unknownResource } from './established.ts';
import { expectedOf, fieldFindings, requirementsOf } from './field-rules.ts';
import { sameId } from './formats.ts';
import { grantFindings } from './grants.ts';
import { distinct, keyFindings, listedKeys, listFindings, MAX_PROVIDERS } from './listed-keys.ts';
import { isPredictable } from './predictable.ts';
import { answerOf, type Finding, type Judged, of, open, type Rule, refused, shown, violated } from './rule.ts';
import { titlesOfOtherRuns } from './title-history.ts';

/** One requirement of every answer of an operation. */
interface Part {
  id: string;
  requirement: string;
  title: string;
  /** Requirements without which this one cannot be judged. */
  buildsOn?: readonly string[];
  /** Whether an answer can show it; default: every one. */
  applies?: (entry: Entry) => boolean;
}

/** One rule for each part; it applies to every documented success of the operation, for all callers. */
function answerRules(operation: OperationId, parts: readonly Part[], find: (entry: Entry) => Finding[]): Rule[] {
  const ruleOf = (requirement: string): string | undefined =>
    parts.find((part) => part.requirement === requirement)?.id;
  // The rules share the findings of an answer.
  const findingsOf = once(find);
  return parts.map(({ id, requirement, title, buildsOn = [], applies = () => true }) => ({
    id,
    requirements: [requirement],
    title,
    judge(log) {
      return of(log, operation)
        .filter((entry) => isDocumented(entry) && applies(entry))
        .flatMap((entry): Judged => {
          const findings = findingsOf(entry);
          const own = findings.filter((finding) => finding.requirement === requirement);
          if (own.length > 0) return own.map((finding) => violated({ ...finding, by: [entry] }));
          const below = findings.find((finding) => finding.isWhole || buildsOn.includes(finding.requirement));
          return below ? open(below.message, ruleOf(below.requirement)) : shown(entry);
        });
    },
  }));
}

/** A part for each field of a record: `sso-user-id`, "the user of the SSO answer has id: a string". */
const fieldParts = (
  type: RecordName,
  prefix: string,
  holder: string,
  more: Pick<Part, 'buildsOn' | 'applies'> = {},
): Part[] =>
  Object.entries(fieldsOf(type)).map(([field, description]: [string, Field]) => ({
    id: `${prefix}-${field.replaceAll('_', '-')}`,
    requirement: description.requirement,
    title: `${holder} has ${field}: ${expectedOf(description)}`,
    ...more,
  }));

const GRANT = requirementsOf('TokenGrant');
const [ACCESS_TOKEN = '', , , EXPIRES_IN = '', USER = ''] = GRANT;

/** Whether an answer shows a member, and not what a sanitiser has put in its place. */
function unmasked(member: string): (entry: Entry) => boolean {
  return (entry) => {
    const json = jsonIn(entry);
    return !(isObject(json) && isMaskIn(entry, json[member]));
  };
}

const ssoRules = answerRules(
  'sso',
  [
    ...fieldParts('TokenGrant', 'sso', 'the SSO answer').map((part) =>
      part.id === 'sso-access-token' || part.id === 'sso-refresh-token'
        ? { ...part, applies: unmasked(part.id.slice('sso-'.length).replace('-', '_')) }
        : part,
    ),
    {
      id: 'sso-access-token-jwt',
      requirement: 'SSO-04',
      title: 'the access_token of the SSO answer is a JWT',
      applies: unmasked('access_token'),
      buildsOn: [ACCESS_TOKEN],
    },
    {
      id: 'sso-expires-in-seconds',
      requirement: 'SSO-08',
      title: 'expires_in is the lifetime of the access token in seconds',
      applies: unmasked('access_token'),
      buildsOn: [ACCESS_TOKEN, EXPIRES_IN, 'SSO-04'],
    },
    ...fieldParts('User', 'sso-user', 'the user of the SSO answer', { buildsOn: [USER] }),
  ],
  (entry) => grantFindings(`The answer of ${describeSent(entry)}`, entry),
);

/** Everything that the answer to an update says otherwise than 4.2 and part 2 do. */
function updateFindings(entry: Entry): Finding[] {
  const { resource = '' } = entry;
  const subject = describeSent(entry);
  const record = jsonIn(entry);
  if (!isRecording(record))
    return [
      {
        requirement: 'REC-07',
        message: `${subject} did not answer a recording.`,
        expected: `an object with ${FIELD_NAMES.join(', ')}`,
        actual: answerOf(entry),
        isWhole: true,
      },
    ];
  const findings = fieldFindings(`The recording answered to ${subject}`, 'Recording', record);
  if (typeof record.id === 'string' && !sameId(record.id, resource))
    findings.push({
      requirement: 'REC-21',
      message: `${subject} answered another recording.`,
      expected: resource,
      actual: record.id,
    });
  return findings;
}

const recordingRules = answerRules(
  'recording',
  [
    { id: 'recording-answered', requirement: 'REC-07', title: 'the update answers with the recording' },
    ...fieldParts('Recording', 'recording', 'the recording', { buildsOn: ['REC-07'] }),
    {
      id: 'recording-addressed',
      requirement: 'REC-21',
      title: 'the recording answered is the one addressed',
      buildsOn: ['REC-07', 'REC-10'],
      // Which spellings of an identifier are the same is not shown.
      applies: ({ asked }) => !asked?.odd.includes('recording'),
    },
  ],
  updateFindings,
);

/** The title of an update is that of its answer, unless another title was written at the same time. */
const titleExact: Rule = {
  id: 'recording-title-exact',
  requirements: ['REC-22'],
  title: 'the title written is the title answered, exactly',
  judge(log) {
    const titled = of(log, 'recording').filter((entry) => isDocumented(entry) && 'title' in sentObject(entry));
    return titled.flatMap((entry): Judged => {
      const { title } = sentObject(entry);
      const record = jsonIn(entry);
      if (typeof title !== 'string' || !isRecording(record)) return [];
      if (!isPredictable(title)) return [];
      if (record.title === title) return shown(entry);
      if (titlesOfOtherRuns(log).has(entry.resource)) return [];
      const rivals = titled.filter((other) => other.resource === entry.resource && overlap(other, entry));
      if (rivals.some((rival) => sentObject(rival).title === record.title)) return [];
      return violated({
        message: `${describeSent(entry)} answered another title than was sent.`,
        expected: title,
        actual: record.title,
        by: [entry],
      });
    });
  },
};

const hasKeys = (entry: Entry): boolean => listedKeys(entry).length > 0;

const keyRules = answerRules(
  'api-keys',
  [
    { id: 'keys-array', requirement: 'KEY-02', title: 'the list of API keys is a JSON array of objects' },
    ...fieldParts('TenantApiKey', 'keys', 'each API key', { buildsOn: ['KEY-02'], applies: hasKeys }),
    { id: 'keys-no-secret', requirement: 'KEY-08', title: 'no listed API key holds its secret', applies: hasKeys },
    {
      id: 'keys-provider-lower-case',
      requirement: 'KEY-09',
      title: 'each provider is a lower-case identifier',
      buildsOn: ['KEY-04'],
      applies: hasKeys,
    },
    {
      id: 'keys-unique',
      requirement: 'KEY-18',
      title: 'no two API keys of a list share an id',
      buildsOn: ['KEY-03'],
      applies: hasKeys,
    },
  ],
  (entry) => [...listFindings(describeSent(entry), entry), ...keyFindings(describeSent(entry), entry)],
);

const sevenProviders: Rule = {
  id: 'keys-seven-providers',
  requirements: ['KEY-10'],
  title: 'there are at most seven different providers',
  judge(log) {
    const lists = of(log, 'api-keys').filter((entry) => isDocumented(entry) && hasKeys(entry));
    const seen = new Set<string>();
    for (const list of lists) {
      for (const provider of distinct(listedKeys(list), 'provider')) seen.add(provider);
      if (seen.size > MAX_PROVIDERS)
        return [
          violated({
            message: 'There are more than seven providers.',
            expected: `at most ${MAX_PROVIDERS}`,
            actual: [...seen],
            by: [list],
          }),
        ];
    }
    return lists.slice(0, 1).map((list) => shown(list));
  },
};

const JSON_RULES: Record<OperationId, { id: string; title: string }> = {
  sso: { id: 'sso-json', title: 'the SSO answer is JSON' },
  recording: { id: 'recording-json', title: 'the update answers JSON' },
  'api-keys': { id: 'keys-json', title: 'the list of API keys is JSON' },
  scopes: { id: 'scopes-json', title: 'the scopes answer is JSON' },
  login: { id: 'login-json', title: `the answer of ${OPERATIONS.login.name} is JSON` },
  pat: { id: 'pat-json', title: `the answer of ${OPERATIONS.pat.name} is JSON` },
};

/** Successes are JSON and say so in their media type (preamble of the document). */
const jsonRules: Rule[] = Object.entries(JSON_RULES).map(([operation, { id, title }]) => ({
  id,
  requirements: ['GEN-01'],
  title,
  judge: (log) =>
    of(log, operation as OperationId)
      .filter(isDocumented)
      .map((entry) => {
        const type = entry.answer.response.headers['content-type'];
        if (jsonIn(entry) === undefined)
          return violated({
            message: `${describeSent(entry)} answered a body that is not JSON.`,
            expected: 'a JSON body',
            actual: answerOf(entry),
            by: [entry],
          });
        if (isJsonMediaType(type)) return shown(entry);
        return violated({
          message: `${describeSent(entry)} answered JSON under another media type.`,
          expected: 'Content-Type: application/json',
          actual: type ?? 'no Content-Type',
          by: [entry],
        });
      }),
}));

/** The documented paths are below the base URL (part 9). */
const pathRules: Rule[] = (['sso', 'recording', 'api-keys'] as const).map((operation) => ({
  id: `path-${operation}`,
  requirements: ['GEN-03'],
  title: `${OPERATIONS[operation].path} is there, relative to the base URL`,
  judge(log) {
    const success = of(log, operation).find((entry) => isOk(entry) && (!entry.credential.flaw || operation === 'sso'));
    if (!neverSucceeds(log, operation)) return success ? [shown(success)] : [];
    const unknown = unknownResource(log, operation);
    if (unknown) return [unknown];
    const missing = of(log, operation).find((entry) => [404, 405, 501].includes(statusOf(entry)));
    if (!missing) return [open(`${OPERATIONS[operation].path} never succeeded`, REPORTED_BY[operation].rule)];
    const message = `${OPERATIONS[operation].path} is not there: it answered ${statusOf(missing)}. Check baseUrl and resources.`;
    return [refused(message, [missing])];
  },
}));

const scopesAvailable: Rule = {
  id: 'scopes-available',
  requirements: ['SCO-02'],
  title: 'the scopes answer says which scopes are available',
  judge: (log) =>
    of(log, 'scopes')
      .filter((entry) => isDocumented(entry) && jsonIn(entry) !== undefined)
      .map((entry) =>
        listsScopes(jsonIn(entry))
          ? shown(entry)
          : violated({
              message: 'The scopes answer lists no scopes.',
              expected: 'a list of scopes, in any shape',
              actual: show(jsonIn(entry)),
              by: [entry],
            }),
      ),
};

const patForm: Rule = {
  id: 'pat-form',
  requirements: ['AUT-10'],
  title: 'a PAT has the form <token_prefix>_<tokenId>.<secret>',
  judge: (log) =>
    of(log, 'pat')
      .filter((entry) => isDocumented(entry) && jsonIn(entry) !== undefined)
      .map((entry) =>
        findPats(entry.answer).length > 0
          ? shown(entry)
          : violated({
              message: `${OPERATIONS.pat.name} did not answer a PAT of the documented form.`,
              expected: '<token_prefix>_<tokenId>.<secret>',
              actual: show(entry.answer.response.body),
              by: [entry],
            }),
      ),
};

/** Rules of single answers; they depend neither on the caller nor on earlier answers. */
export const answerRulesAll: readonly Rule[] = [
  ...ssoRules,
  ...recordingRules,
  titleExact,
  ...keyRules,
  sevenProviders,
  scopesAvailable,
  patForm,
  ...jsonRules,
  ...pathRules,
];
