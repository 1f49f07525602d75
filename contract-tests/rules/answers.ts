import { OPERATION_IDS, OPERATIONS, type OperationId } from '../api/operations.ts';
import { FIELD_NAMES, fieldsOf, isRecording, type RecordName } from '../api/records.ts';
import { listsScopes } from '../api/scopes-answer.ts';
import { secretsIn } from '../api/secret-members.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { type Entry, isMaskIn, jsonIn, type Log, objectIn, overlap, sentObject } from '../log/entry.ts';
import { isJsonMediaType, isObject, type JsonObject, memberOf, show } from '../values/json.ts';
import { decodeJwt, isJwt } from '../values/jwt.ts';
import { describeSent, distinct, isDocumented, isList, listedKeys, recordOf } from './documented.ts';
import { expectedOf, holds, isPredictable, isUuid, sameId } from './fields.ts';
import { answerOf, each, type Judged, type Judgement, of, open, type Rule, rulesOf, shown, violated } from './rule.ts';
import { titlesOfOtherRuns } from './titles.ts';

/** Rules of single answers (parts 2 and 4); they depend neither on the caller nor on earlier answers. */

/** What is wrong with an answer; nothing where it shows neither that nor the contrary. */
type Found = [message: string, expected: unknown, actual: unknown] | 'nothing' | undefined;
type Find = (entry: Entry) => Found;

/** Rules without which another one cannot be judged; none of the fields of a user can without the user. */
const BUILDS_ON: Record<string, readonly string[]> = {
  'sso-access-token-jwt': ['sso-access-token'],
  'sso-expires-in-seconds': ['sso-access-token', 'sso-expires-in', 'sso-access-token-jwt'],
  'recording-addressed': ['recording-id'],
  'keys-provider-lower-case': ['keys-provider'],
  'keys-unique': ['keys-id'],
};

/** A rule for each heading; it applies to every documented success, for all callers. Where `kind` is broken, nothing else shows. */
function answerRules(operation: OperationId, finds: Readonly<Record<string, Find>>, kind = ''): Rule[] {
  const byId = new Map(Object.entries(finds).map(([heading, find]) => [heading.split(' ')[0], find]));
  const judges = [...byId].map(([id = '', find], at) => {
    const needed = [kind, ...(memberOf(BUILDS_ON, id) ?? (id.startsWith('sso-user-') ? ['sso-user'] : []))];
    const judge = each(operation, (entry): Judged => {
      if (!isDocumented(entry)) return [];
      const found = find(entry);
      if (Array.isArray(found)) return violated(...found, entry);
      for (const because of find === findJson ? [] : needed) {
        const reason = byId.get(because)?.(entry);
        if (Array.isArray(reason)) return open(reason[0], { because });
      }
      return found === 'nothing' ? [] : shown(entry);
    });
    return [Object.keys(finds)[at], judge];
  });
  return rulesOf(Object.fromEntries(judges), operation);
}

type Records = readonly (readonly [subject: string, record: JsonObject])[];

/** Each field of the records of an answer: `sso-user-id SSO-10: the user of the SSO answer has id: a string`. */
const fieldsIn = (type: RecordName, prefix: string, holder: string, recordsIn: (entry: Entry) => Records) =>
  Object.fromEntries(
    Object.entries(fieldsOf(type)).map(([field, description]) => {
      const expected = `${field}: ${expectedOf(description)}`;
      const find: Find = (entry) => {
        const records = recordsIn(entry);
        if (records.every(([, record]) => isMaskIn(entry, memberOf(record, field)))) return 'nothing';
        const isCopy = (record: JsonObject): boolean =>
          field === 'refresh_token' && field in record && record[field] === record.access_token;
        const isWrong = (record: JsonObject): boolean => !holds(description, memberOf(record, field)) || isCopy(record);
        const [subject, record] = records.find(([, each]) => isWrong(each)) ?? [];
        if (!record) return undefined;
        const what = Object.hasOwn(record, field) ? `has ${field} ${show(memberOf(record, field))}` : `has no ${field}`;
        return [`${subject} ${what}${isCopy(record) ? ', its access_token' : ''}.`, expected, memberOf(record, field)];
      };
      return [`${prefix}-${field.replaceAll('_', '-')} ${description.requirement}: ${holder} has ${expected}`, find];
    }),
  );

/** Successes are JSON and say so in their media type (preamble of the document). */
const findJson: Find = (entry) => {
  const subject = describeSent(entry);
  const type = entry.answer.response.headers['content-type'];
  if (jsonIn(entry) === undefined)
    return [`${subject} answered a body that is not JSON.`, 'a JSON body', answerOf(entry)];
  const { isMalformed, body } = entry.answer.response;
  // RFC 8259, section 8.1; who names another charset says at least what it is.
  if (isMalformed && !/charset=(?!"?utf-?8)/i.test(type ?? ''))
    return [`${subject} answered JSON that is not UTF-8.`, 'JSON in UTF-8', body];
  if (isJsonMediaType(type)) return undefined;
  const message = `${subject} answered JSON under another media type.`;
  return [message, 'Content-Type: application/json', type ?? 'no Content-Type'];
};

const subjectOf = (entry: Entry): string => `answer of ${describeSent(entry)}`;

const grants: Readonly<Record<string, Find>> = {
  ...fieldsIn('TokenGrant', 'sso', 'the SSO answer', (entry) => [[`The ${subjectOf(entry)}`, objectIn(entry)]]),
  'sso-access-token-jwt SSO-04: the access_token of the SSO answer is a JWT': (entry) => {
    const { access_token: token } = objectIn(entry);
    if (typeof token !== 'string' || token === '' || isMaskIn(entry, token)) return 'nothing';
    const form = 'a JWT in compact form, signed (three parts) or encrypted (five)';
    return isJwt(token) ? undefined : [`The access_token of the ${subjectOf(entry)} is not a JWT.`, form, token];
  },
  'sso-expires-in-seconds SSO-08: expires_in is the lifetime of the access token in seconds': (entry) => {
    const { access_token: token, expires_in: lifetime } = objectIn(entry);
    if (typeof lifetime !== 'number' || isMaskIn(entry, token)) return 'nothing';
    if (lifetime <= 0) return ['expires_in is not a lifetime.', 'a positive number of seconds', lifetime];
    const stated = statedLifetimes(token, entry);
    if (!stated[0] || stated.some(({ seconds, tolerance }) => Math.abs(seconds - lifetime) <= tolerance))
      return undefined;
    const message = `expires_in of the ${subjectOf(entry)} disagrees with the lifetime that the JWT states.`;
    return [message, `about ${Math.round(stated[0].seconds)} (seconds)`, lifetime];
  },
  ...fieldsIn('User', 'sso-user', 'the user of the SSO answer', (entry) => {
    const { user } = objectIn(entry);
    return isObject(user) ? [[`The user of the ${subjectOf(entry)}`, user]] : [];
  }),
  'sso-json GEN-01: the SSO answer is JSON': findJson,
};

/** The lifetimes in seconds that a JWT can be read to state: from `iat`, and from the time of the answer. */
function statedLifetimes(token: unknown, { answer }: Entry): { seconds: number; tolerance: number }[] {
  const { exp, iat } = decodeJwt(token)?.payload ?? {};
  if (typeof exp !== 'number') return [];
  const own = typeof iat === 'number' ? exp - iat : undefined;
  const theirDate = Date.parse(answer.response.headers.date ?? '');
  // By the target's own clock, one that is over already lasts no time at all.
  const isOver = exp * 1000 < theirDate - 60_000;
  const tolerance = Math.max(30, Math.min(60, (own ?? 0) * 0.1));
  const sinceIssue = own === undefined || isOver ? [] : [{ seconds: own, tolerance }];
  // Where the token is older than the answer (a sliding session), its remaining time is its lifetime.
  const left = { seconds: exp - theirDate / 1000, tolerance: 60 };
  return Number.isFinite(theirDate) ? [...sinceIssue, left] : sinceIssue;
}

/** Which spellings of an identifier are the same is not shown, except of UUIDs: in another case, cut, with more or something else at its end. */
function mayBeSpelling(sent: string, id: string): boolean {
  const [one, other] = [sent.toLowerCase(), id.toLowerCase()];
  return !(isUuid(sent) && isUuid(id)) && (other.startsWith(one.slice(0, -1)) || one.startsWith(other));
}

const updates: Readonly<Record<string, Find>> = {
  'recording-answered REC-07: the update answers with the recording': (entry) => {
    const expected = `an object with ${FIELD_NAMES.join(', ')}`;
    if (isRecording(jsonIn(entry))) return undefined;
    return [`${describeSent(entry)} did not answer a recording.`, expected, answerOf(entry)];
  },
  ...fieldsIn('Recording', 'recording', 'the recording', (entry) => {
    const record = recordOf(entry);
    return record ? [[`The recording answered to ${describeSent(entry)}`, record]] : [];
  }),
  'recording-addressed REC-21: the recording answered is the one addressed': (entry) => {
    const { id } = objectIn(entry);
    const { resource = '' } = entry;
    const isOdd = entry.asked?.odd.includes('recording');
    if (typeof id !== 'string' || (isOdd && mayBeSpelling(resource, id))) return 'nothing';
    if (sameId(id, resource)) return undefined;
    return [`${describeSent(entry)} answered another recording.`, resource, id];
  },
  'recording-json GEN-01: the update answers JSON': findJson,
};

/** Unless the fate of a title is unpredictable, or another one was written at the same time. */
const titleExact = each('recording', (entry, log): Judged => {
  const [record, { title: sent }] = [recordOf(entry), sentObject(entry)];
  if (!record || !isDocumented(entry) || typeof sent !== 'string' || !isPredictable(sent)) return [];
  if (record.title === sent) return shown(entry);
  const isRival = (other: Entry): boolean =>
    other.resource === entry.resource && sentObject(other).title === record.title && overlap(other, entry);
  if (titlesOfOtherRuns(log).has(entry.resource) || of(log, 'recording').some(isRival)) return [];
  return violated(`${describeSent(entry)} answered another title than was sent.`, sent, record.title, entry);
});

const keysIn = (entry: Entry): Records =>
  listedKeys(entry).map((key) => [`API key ${show(key.id)} of ${describeSent(entry)}`, key]);

const findKey =
  (find: (key: JsonObject, which: string) => Found): Find =>
  (entry) => {
    const found = keysIn(entry).map(([which, key]) => find(key, which));
    return found.length === 0 ? 'nothing' : found.find((each) => each !== undefined);
  };

const lists: Readonly<Record<string, Find>> = {
  'keys-array KEY-02: the list of API keys is a JSON array of objects': (entry) => {
    const message = `${describeSent(entry)} did not answer an array of API keys.`;
    return isList(entry) ? undefined : [message, 'a JSON array of objects', answerOf(entry)];
  },
  ...fieldsIn('TenantApiKey', 'keys', 'each API key', keysIn),
  'keys-no-secret KEY-08: no listed API key holds its secret': findKey((key, which) => {
    const [secret] = secretsIn(key);
    const path = secret?.path.join('.') ?? '';
    return secret && [`${which} shows a secret in ${path}.`, 'no secret', { [path]: secret.shown }];
  }),
  'keys-provider-lower-case KEY-09: each provider is a lower-case identifier': findKey(({ provider }, which) => {
    // A word that a filter value can be.
    if (typeof provider !== 'string' || /^[a-z0-9][a-z0-9._-]*$/.test(provider)) return undefined;
    return [`The provider of ${which} is not a lower-case identifier.`, 'lower-case letters, digits, - _ .', provider];
  }),
  'keys-unique KEY-18: no two API keys of a list share an id': (entry) => {
    const ids = listedKeys(entry).map(({ id }) => id);
    const twice = ids.find((id, at) => typeof id === 'string' && ids.indexOf(id) < at);
    if (twice === undefined) return ids.length > 0 ? undefined : 'nothing';
    return [`Two API keys of ${describeSent(entry)} share an id.`, 'each id once', { id: twice }];
  },
  'keys-json GEN-01: the list of API keys is JSON': findJson,
};

const MAX_PROVIDERS = 7;

function sevenProviders(log: Log): Judgement[] {
  const all = of(log, 'api-keys').filter((entry) => isDocumented(entry) && listedKeys(entry).length > 0);
  const providers = distinct(all.flatMap(listedKeys), 'provider');
  const eighth = providers[MAX_PROVIDERS];
  if (eighth === undefined) return all.slice(0, 1).map((list) => shown(list));
  const list = all.find((each) => listedKeys(each).some(({ provider }) => provider === eighth));
  return [violated('There are more than seven providers.', `at most ${MAX_PROVIDERS}`, providers, list)];
}

/** These have tables; of the other operations' answers it is known only that they are JSON. */
const OWN: readonly OperationId[] = ['sso', 'recording', 'api-keys', 'scopes', 'pat'];

const jsonOf = (id: OperationId): Record<string, Find> => ({
  [`${id}-json GEN-01: the answer of ${OPERATIONS[id].name} is JSON`]: findJson,
});

export const allAnswerRules = [
  ...answerRules('sso', grants),
  ...answerRules('recording', updates, 'recording-answered'),
  ...rulesOf({
    'recording-title-exact REC-22: the title written is the title answered, exactly': titleExact,
  }),
  ...answerRules('api-keys', lists, 'keys-array'),
  ...rulesOf({
    'keys-seven-providers KEY-10: there are at most seven different providers': sevenProviders,
  }),
  ...answerRules('scopes', {
    'scopes-available SCO-02: the scopes answer says which scopes are available': (entry) => {
      const json = jsonIn(entry);
      if (json === undefined || listsScopes(json)) return json === undefined ? 'nothing' : undefined;
      return ['The scopes answer lists no scopes.', 'a list of scopes, in any shape', show(json)];
    },
    'scopes-json GEN-01: the scopes answer is JSON': findJson,
  }),
  ...answerRules('pat', {
    'pat-form AUT-10: a PAT has the form <token_prefix>_<tokenId>.<secret>': (entry) => {
      if (jsonIn(entry) === undefined) return 'nothing';
      const message = `${OPERATIONS.pat.name} did not answer a PAT of the documented form.`;
      if (findPats(entry.answer).length > 0) return undefined;
      return [message, '<token_prefix>_<tokenId>.<secret>', show(entry.answer.response.body)];
    },
    ...jsonOf('pat'),
  }),
  ...OPERATION_IDS.filter((id) => !OWN.includes(id)).flatMap((id) => answerRules(id, jsonOf(id))),
];
