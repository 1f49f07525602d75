import { OPERATION_IDS, OPERATIONS, type OperationId, prefixOf } from '../api/operations.ts';
import { distinct, FIELD_NAMES, fieldsOf, isRecording, type RecordName, recordsReturnedBy } from '../api/records.ts';
import { listsScopes } from '../api/scopes-answer.ts';
import { secretsIn } from '../api/secret-members.ts';
import { findPats } from '../api/tokens-in-answers.ts';
import { type Entry, isMaskIn, jsonIn, type Log, objectIn, overlap, sentObject } from '../log/entry.ts';
import { acceptedBy } from '../values/accept.ts';
import {
  BYTE_ORDER_MARK,
  hasMember,
  isJsonMediaType,
  isObject,
  type JsonObject,
  memberOf,
  show,
  showSent,
} from '../values/json.ts';
import { decodeJwt, isJwt } from '../values/jwt.ts';
import { type Place, valuesAt } from '../values/places.ts';
import { describeSent, isDocumented, isList, listedKeys, recordOf } from './documented.ts';
import { expectedOf, holds, isPredictable, isUuid, sameId } from './fields.ts';
import {
  answerOf,
  type DocumentRule,
  each,
  type Judge,
  type Judged,
  type Judgement,
  of,
  open,
  type Rule,
  rulesOf,
  shown,
  violated,
} from './rule.ts';
import { titlesOfOtherRuns } from './titles.ts';

/** Rules of single answers (parts 2 and 4); they depend neither on the caller nor on earlier answers. */

/** What is wrong with an answer; nothing where it shows neither that nor the contrary. */
type Found = [message: string, expected: unknown, actual: unknown] | 'nothing' | undefined;
type Find = (entry: Entry) => Found;

/** A rule of every documented success, for all callers. */
interface AnswerRule extends Pick<Rule, 'id' | 'requirements' | 'title'> {
  find: Find;
  /** Rules without which it cannot be judged. */
  buildsOn?: readonly string[];
  /** Where it is broken, no other one shows anything but that the answer is JSON. */
  isWhole?: true;
}

function answerRules(of: OperationId, rows: readonly AnswerRule[]): DocumentRule[] {
  const whole = rows.filter(({ isWhole }) => isWhole);
  const all = [...rows, jsonRule(of)];
  const judgeOf = ({ find, buildsOn = [], isWhole }: AnswerRule): Judge => {
    const basis = [...whole, ...rows.filter(({ id }) => buildsOn.includes(id))];
    return each(of, (entry): Judged => {
      if (!isDocumented(entry)) return [];
      const found = find(entry);
      if (Array.isArray(found)) return violated(...found, entry);
      for (const { id, find: findBelow } of isWhole || find === findJson ? [] : basis) {
        const reason = findBelow(entry);
        if (Array.isArray(reason)) return open(reason[0], { because: id });
      }
      return found === 'nothing' ? [] : shown(entry);
    });
  };
  return rulesOf(
    of,
    all.map((row) => ({ id: row.id, requirements: row.requirements, title: row.title, judge: judgeOf(row) })),
  );
}

const subjectOf = (entry: Entry): string => `answer of ${describeSent(entry)}`;

/** What reports call a record. */
const NOUNS: Readonly<Record<RecordName, string>> = {
  TokenGrant: 'SSO answer',
  User: 'user',
  Recording: 'recording',
  RecordingUpdate: 'update',
  TenantApiKey: 'API key',
};

type Places = readonly Place<RecordName>[];

const isCopy = (field: string, record: JsonObject): boolean =>
  field === 'refresh_token' && hasMember(record, field) && record[field] === record.access_token;

/** The rules of a record where an operation answers one: each of its fields, and what else is known of such a record. */
function recordRules(of: OperationId, { record: type, at }: Place<RecordName>, places: Places): AnswerRule[] {
  const prefix = prefixOf(of);
  const inList = at.includes('[]');
  const holderAt = at.filter((step) => step !== '[]');
  const start = [prefix, ...holderAt].join('-');
  const around = places.find((place) => place.at.length < at.length);
  const holder = `${inList ? 'each' : 'the'} ${NOUNS[type]}${around ? ` of the ${NOUNS[around.record]}` : ''}`;
  const { whole, rest = [] } = OF_RECORDS[type]?.(start, OPERATIONS[of].name) ?? {};
  const recordsIn = (entry: Entry): JsonObject[] => {
    if (whole) return Array.isArray(whole.find(entry)) ? [] : valuesAt(jsonIn(entry), at).filter(isObject);
    return at.length === 0 ? [objectIn(entry)] : valuesAt(jsonIn(entry), at).filter(isObject);
  };
  const buildsOn = holderAt.length > 0 ? [[prefix, ...holderAt].join('-')] : [];
  const fields = Object.entries(fieldsOf(type)).map(([field, description]): AnswerRule => {
    const expected = `${field}: ${expectedOf(description)}`;
    const find: Find = (entry) => {
      const records = recordsIn(entry);
      if (records.every((record) => isMaskIn(entry, memberOf(record, field)))) return 'nothing';
      const wrong = records.find((each) => !holds(description, memberOf(each, field)) || isCopy(field, each));
      if (!wrong) return undefined;
      const which = inList
        ? `${NOUNS[type]} ${show(wrong.id)} of ${describeSent(entry)}`
        : `The ${[...holderAt, ''].join(' of the ')}${subjectOf(entry)}`;
      const what = hasMember(wrong, field) ? `has ${field} ${show(memberOf(wrong, field))}` : `has no ${field}`;
      return [`${which} ${what}${isCopy(field, wrong) ? ', its access_token' : ''}.`, expected, memberOf(wrong, field)];
    };
    const id = `${start}-${field.replaceAll('_', '-')}`;
    return { id, requirements: [description.requirement], title: `${holder} has ${expected}`, buildsOn, find };
  });
  return [...(whole ? [whole] : []), ...fields, ...rest];
}

/** The document names no header Accept; a recording may leave it out. */
const ACCEPTING = { json: '', any: ' with Accept: */*', none: ' without Accept' };

/** Successes are JSON and say so in their media type (preamble of the document). */
const findJson: Find = (entry) => {
  const subject = describeSent(entry) + ACCEPTING[acceptedBy(entry.answer.request.headers.Accept)];
  const type = entry.answer.response.headers['content-type'];
  if (jsonIn(entry) === undefined)
    return [`${subject} answered a body that is not JSON.`, 'a JSON body', answerOf(entry)];
  const { isMalformed, body } = entry.answer.response;
  // Both by RFC 8259, section 8.1; a response that names another charset at least says what it is.
  if (body.startsWith(BYTE_ORDER_MARK))
    return [`${subject} answered JSON after a byte order mark.`, 'JSON without a byte order mark', body];
  if (isMalformed && !/charset=(?!"?utf-?8)/i.test(type ?? ''))
    return [`${subject} answered JSON that is not UTF-8.`, 'JSON in UTF-8', body];
  if (isJsonMediaType(type)) return undefined;
  const message = `${subject} answered JSON under another media type.`;
  return [message, 'Content-Type: application/json', type ?? 'no Content-Type'];
};

const ofGrants: OfRecord = (start) => ({
  rest: [
    {
      id: `${start}-access-token-jwt`,
      requirements: ['SSO-04'],
      title: 'the access_token of the SSO answer is a JWT',
      buildsOn: [`${start}-access-token`],
      find: (entry) => {
        const { access_token: token } = objectIn(entry);
        if (typeof token !== 'string' || token === '' || isMaskIn(entry, token)) return 'nothing';
        const form = 'a JWT in compact form, signed (three parts) or encrypted (five)';
        return isJwt(token) ? undefined : [`The access_token of the ${subjectOf(entry)} is not a JWT.`, form, token];
      },
    },
    {
      id: `${start}-expires-in-seconds`,
      requirements: ['SSO-08'],
      title: 'expires_in is the lifetime of the access token in seconds',
      buildsOn: [`${start}-access-token`, `${start}-expires-in`, `${start}-access-token-jwt`],
      find: findLifetime,
    },
  ],
});

function findLifetime(entry: Entry): Found {
  const { access_token: token, expires_in: lifetime } = objectIn(entry);
  if (typeof lifetime !== 'number' || isMaskIn(entry, token)) return 'nothing';
  if (lifetime <= 0) return ['expires_in is not a lifetime.', 'a positive number of seconds', lifetime];
  const stated = statedLifetimes(token, entry);
  if (!stated[0] || stated.some(({ seconds, tolerance }) => Math.abs(seconds - lifetime) <= tolerance))
    return undefined;
  const message = `expires_in of the ${subjectOf(entry)} disagrees with the lifetime that the JWT states.`;
  return [message, `about ${Math.round(stated[0].seconds)} (seconds)`, lifetime];
}

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

const ofRecordings: OfRecord = (start, name) => ({
  whole: {
    id: `${start}-answered`,
    requirements: ['REC-07'],
    title: `${name} answers with the recording`,
    isWhole: true,
    find: (entry) => {
      const expected = `an object with ${FIELD_NAMES.join(', ')}`;
      if (isRecording(jsonIn(entry))) return undefined;
      return [`${describeSent(entry)} did not answer a recording.`, expected, answerOf(entry)];
    },
  },
  rest: [
    {
      id: `${start}-addressed`,
      requirements: ['REC-21'],
      title: 'the recording answered is the one addressed',
      buildsOn: [`${start}-id`],
      find: (entry) => {
        const { id } = objectIn(entry);
        const { resource = '' } = entry;
        const isOdd = entry.asked?.odd.includes('recording');
        if (typeof id !== 'string' || (isOdd && mayBeSpelling(resource, id))) return 'nothing';
        if (sameId(id, resource)) return undefined;
        return [`${describeSent(entry)} answered another recording.`, resource, id];
      },
    },
  ],
});

const findKey =
  (find: (key: JsonObject, which: string) => Found): Find =>
  (entry) => {
    const found = listedKeys(entry).map((key) => find(key, `API key ${show(key.id)} of ${describeSent(entry)}`));
    return found.length === 0 ? 'nothing' : found.find((each) => each !== undefined);
  };

const ofKeys: OfRecord = (start) => ({
  whole: {
    id: `${start}-array`,
    requirements: ['KEY-02'],
    title: 'the list of API keys is a JSON array of objects',
    isWhole: true,
    find: (entry) => {
      const message = `${describeSent(entry)} did not answer an array of API keys.`;
      return isList(entry) ? undefined : [message, 'a JSON array of objects', answerOf(entry)];
    },
  },
  rest: [
    {
      id: `${start}-no-secret`,
      requirements: ['KEY-08'],
      title: 'no listed API key holds its secret',
      find: findKey((key, which) => {
        const [secret] = secretsIn(key);
        const path = secret?.path.join('.') ?? '';
        return secret && [`${which} shows a secret in ${path}.`, 'no secret', { [path]: secret.shown }];
      }),
    },
    {
      id: `${start}-provider-lower-case`,
      requirements: ['KEY-09'],
      title: 'each provider is a lower-case identifier',
      buildsOn: [`${start}-provider`],
      find: findKey(({ provider }, which) => {
        // A word that a filter value can be.
        if (typeof provider !== 'string' || /^[a-z0-9][a-z0-9._-]*$/.test(provider)) return undefined;
        const expected = 'lower-case letters, digits, - _ .';
        return [`The provider of ${which} is not a lower-case identifier.`, expected, provider];
      }),
    },
    {
      id: `${start}-unique`,
      requirements: ['KEY-18'],
      title: 'no two API keys of a list share an id',
      buildsOn: [`${start}-id`],
      find: (entry) => {
        const ids = listedKeys(entry).map(({ id }) => id);
        const twice = ids.find((id, at) => typeof id === 'string' && ids.indexOf(id) < at);
        if (twice === undefined) return ids.length > 0 ? undefined : 'nothing';
        return [`Two API keys of ${describeSent(entry)} share an id.`, 'each id once', { id: twice }];
      },
    },
  ],
});

/** What is known of a record beyond its fields; `start` begins the ids of its rules, `name` is that of the operation. */
type OfRecord = (start: string, name: string) => { whole?: AnswerRule; rest: readonly AnswerRule[] };

const OF_RECORDS: Readonly<Partial<Record<RecordName, OfRecord>>> = {
  TokenGrant: ofGrants,
  Recording: ofRecordings,
  TenantApiKey: ofKeys,
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

const MAX_PROVIDERS = 7;

function sevenProviders(log: Log): Judgement[] {
  const all = of(log, 'api-keys').filter((entry) => isDocumented(entry) && listedKeys(entry).length > 0);
  const providers = distinct(all.flatMap(listedKeys), 'provider');
  const eighth = providers[MAX_PROVIDERS];
  if (eighth === undefined) return all.slice(0, 1).map((list) => shown(list));
  const list = all.find((each) => listedKeys(each).some(({ provider }) => provider === eighth));
  return [violated('There are more than seven providers.', `at most ${MAX_PROVIDERS}`, providers, list)];
}

/** What is known of the answers of operations that hold no record. */
const WITHOUT_RECORDS: Readonly<Partial<Record<OperationId, AnswerRule>>> = {
  scopes: {
    id: 'scopes-available',
    requirements: ['SCO-02'],
    title: 'the scopes answer says which scopes are available',
    find: (entry) => {
      const json = jsonIn(entry);
      if (json === undefined || listsScopes(json)) return json === undefined ? 'nothing' : undefined;
      return ['The scopes answer lists no scopes.', 'a list of scopes, in any shape', show(json)];
    },
  },
  pat: {
    id: 'pat-form',
    requirements: ['AUT-10'],
    title: 'a PAT has the form <token_prefix>_<tokenId>.<secret>',
    find: (entry) => {
      if (jsonIn(entry) === undefined) return 'nothing';
      const message = `${OPERATIONS.pat.name} did not answer a PAT of the documented form.`;
      if (findPats(entry.answer).length > 0) return undefined;
      return [message, '<token_prefix>_<tokenId>.<secret>', showSent(entry.answer.response.body)];
    },
  },
};

const jsonRule = (of: OperationId): AnswerRule => ({
  id: `${prefixOf(of)}-json`,
  requirements: ['GEN-01'],
  title: `the answer of ${OPERATIONS[of].name} is JSON`,
  find: findJson,
});

export const allAnswerRules: readonly DocumentRule[] = [
  ...OPERATION_IDS.flatMap((of) => {
    const places = recordsReturnedBy(OPERATIONS[of].id);
    const ofRecords = places.flatMap((place) => recordRules(of, place, places));
    const own = WITHOUT_RECORDS[of];
    return answerRules(of, own ? [...ofRecords, own] : ofRecords);
  }),
  ...rulesOf('recording', [
    {
      id: 'recording-title-exact',
      requirements: ['REC-22'],
      title: 'the title written is the title answered, exactly',
      phases: ['updates', 'identifiers', 'overlaps'],
      judge: titleExact,
    },
  ]),
  ...rulesOf('api-keys', [
    {
      id: 'keys-seven-providers',
      requirements: ['KEY-10'],
      title: 'there are at most seven different providers',
      judge: sevenProviders,
    },
  ]),
];
