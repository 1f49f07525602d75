import { isDeepStrictEqual } from 'node:util';
import {
  apiKeysPath,
  isMadeUp,
  LOGIN_PATH,
  type Method,
  NO_PROVIDER,
  NO_TENANT,
  OPERATIONS,
  recordingPath,
  SAMPLE_ID,
  SSO_PATH,
  UNKNOWN_PARAMETER,
  UNUSED_STATUS,
} from '../api/operations.ts';
import { fieldsOf, WRITABLE_FIELDS } from '../api/records.ts';
import type { TargetField } from '../api/target-fields.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import { isExchanged } from '../api/tokens-in-answers.ts';
import { unknownIdentity } from '../api/unknown-identity.ts';
import { type Entry, isOk, type Log, sentObject, sentOf, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { jsonOf } from '../values/answer.ts';
import { isJsonMediaType, isObject, type JsonObject, parseJson } from '../values/json.ts';

/** Whose credentials a request has: those of an actor, none, or a token that means nothing. */
export type Asker = 'admin' | 'member' | 'nobody' | 'garbage';

/** A request as data: by it, its answers are found in a log. */
export interface Request {
  method: Method;
  path: string;
  as: Asker;
  query?: Record<string, string>;
  json?: unknown;
  raw?: { text: string; contentType: string };
}

/** What may be asked of a target, and which exchanges of a log answer it. */
export interface Question {
  /** The request, in one line. */
  says: string;
  needs?: readonly TargetField[];
  /** It may change something. */
  writes?: true;
  /** The request; undefined where it is not known yet. Without this, a helper of the session sends it. */
  request?(log: Log): Request | undefined;
  /** Exchanges that show as much as the answer to this request. */
  is?(entry: Entry, log: Log): boolean;
}

export const CLAIMS = ['oid', 'tid', 'upn'];
const SUMMARY = { summary: 'Summary by the contract suite.' };
const KNOWN_KEYS = ['key_topics', 'action_items'];
const isClientError = (entry: Entry): boolean => statusOf(entry) >= 400 && statusOf(entry) < 500;
const isUnknownField = (name: string): boolean => !(name in fieldsOf('Recording') || name in WRITABLE_FIELDS);
const isOpen = ({ operation }: Entry): boolean => operation === 'sso' || operation === 'login';
const bodyOf = ({ answer }: Entry): string => answer.request.body ?? '';
const isJsonType = ({ answer }: Entry): boolean => isJsonMediaType(answer.request.headers['Content-Type']);

/** The claims of admin, as the target file gives them. */
export const claimsOf = ({ actors }: Log): Record<string, string> =>
  (actors.admin?.sso ?? {}) as Record<string, string>;

/** An id that the target file names. */
export const resource = ({ resources = {} }: Log, name: string): string | undefined =>
  resources[name] as string | undefined;

/** Whether a caller of a recording is an administrator: by the sign-in that gave the token, where that says it. */
function roleOf({ credential: { issued } }: Entry): Asker | undefined {
  const grant = issued && jsonOf(issued.answer);
  const user = isObject(grant) && isObject(grant.user) ? grant.user : {};
  return typeof user.administrator === 'boolean' ? (user.administrator ? 'admin' : 'member') : undefined;
}

/** Whose credentials a request had; undefined where that is not known, and for a PAT that the run made. */
export function askerOf(entry: Entry, { isPartial }: Log): Asker | undefined {
  const { kind, token, who, flaw, issued } = entry.credential;
  if (entry.answer.request.headers.Authorization === undefined) return entry.hasCookies ? undefined : 'nobody';
  if (kind === 'garbage') return isPartial || GARBAGE_TOKENS.some((one) => one === token) ? 'garbage' : undefined;
  if (flaw || issued?.way === 'pat') return undefined;
  return who === 'admin' || who === 'member' ? who : isPartial ? roleOf(entry) : undefined;
}

const sso = (says: string, json: (claims: Record<string, string>) => unknown, more: Partial<Question> = {}) => ({
  says: `POST ${SSO_PATH} ${says}`,
  request: (log: Log): Request => ({ method: 'POST', path: SSO_PATH, json: json(claimsOf(log)), as: 'nobody' }),
  ...more,
});
const MAY_MAKE_USER = 'which may make a user where signing in does';
const ssoWithout = (claim: string) =>
  sso(`with the claims of admin, less ${claim}, ${MAY_MAKE_USER}`, ({ [claim]: _, ...others }) => others, {
    needs: ['actors.admin.sso'],
    writes: true,
  });

const ssoText = (says: string, raw: (claims: JsonObject) => Request['raw'], more: Partial<Question> = {}) => ({
  says: `POST ${SSO_PATH} ${says}`,
  request: (log: Log): Request => {
    const text = raw(claimsOf(log));
    return { method: 'POST', path: SSO_PATH, ...(text ? { raw: text } : {}), as: 'nobody' };
  },
  ...more,
});

/** A refusal of missing or meaningless credentials, as a recording shows it. */
const refusesIn = (as: Asker, ...operations: Entry['operation'][]) => ({
  is: (entry: Entry, log: Log): boolean =>
    log.isPartial &&
    operations.includes(entry.operation) &&
    askerOf(entry, log) === as &&
    [401, 403].includes(statusOf(entry)),
});

const scopes = (says: string, as: Asker, query: Record<string, string> = {}, more: Partial<Question> = {}) => ({
  says: `GET of the token scopes ${says}`,
  needs: as === 'member' ? (['actors.admin', 'actors.member'] as const) : (['actors.admin'] as const),
  // Where they are is found out by asking for them.
  request: ({ entries }: Log): Request | undefined => {
    const path = entries.find(({ operation }) => operation === 'scopes')?.path;
    return path === undefined ? undefined : { method: 'GET', path, query, as };
  },
  ...more,
});

interface OfKeys extends Partial<Question> {
  query?: Record<string, string>;
  tenantId?: (log: Log) => string | undefined;
}
const keys = (says: string, as: Asker, { query = {}, tenantId, ...more }: OfKeys = {}) => ({
  says: `GET of the API keys ${says}`,
  needs: [
    ...(as === 'admin' || as === 'member' ? (['actors.admin'] as const) : []),
    ...(as === 'member' ? (['actors.member'] as const) : []),
    'resources.tenantId' as const,
  ],
  request: (log: Log): Request | undefined => {
    const id = tenantId ? tenantId(log) : resource(log, 'tenantId');
    return id === undefined ? undefined : { method: 'GET', path: apiKeysPath(id), query, as };
  },
  ...more,
});

const TO_UPDATE = ['actors.admin', 'resources.recordingId'] as const;
const update = (
  says: string,
  json: JsonObject,
  is?: (sent: JsonObject, entry: Entry) => boolean,
  as: Asker = 'admin',
) => ({
  says: `PATCH of the disposable recording with ${says}`,
  needs: as === 'member' ? ([...TO_UPDATE, 'actors.member'] as const) : TO_UPDATE,
  writes: true as const,
  request: (log: Log): Request | undefined => {
    const id = resource(log, 'recordingId');
    return id === undefined ? undefined : { method: 'PATCH', path: recordingPath(id), json, as };
  },
  is: (entry: Entry, log: Log): boolean =>
    is !== undefined &&
    entry.operation === 'recording' &&
    isObject(sentOf(entry)) &&
    (log.isPartial || (entry.resource === resource(log, 'recordingId') && askerOf(entry, log) === as)) &&
    is(sentObject(entry), entry),
});
const updateUnknown = (as: Asker) => ({
  says: `PATCH of a recording with a made-up id as ${as}`,
  needs: as === 'member' ? ([...TO_UPDATE, 'actors.member'] as const) : TO_UPDATE,
  writes: true as const,
  is: (entry: Entry, log: Log): boolean =>
    entry.operation === 'recording' &&
    askerOf(entry, log) === as &&
    (log.isPartial ? statusOf(entry) === 404 : isMadeUp(entry.resource)),
});
const hasOnly = (sent: JsonObject, field: string): boolean => field in sent && Object.keys(sent).length === 1;
const analysisKeys = ({ analysis }: JsonObject, entry: Entry): string[] =>
  isOk(entry) && isObject(analysis) ? Object.keys(analysis) : [];

/** What readers ask about, by name. */
export const QUESTIONS = {
  sso: sso('with the claims of admin', (claims) => claims, {
    needs: ['actors.admin.sso'],
    is: (entry, log) =>
      entry.operation === 'sso' &&
      isJsonType(entry) &&
      (log.isPartial || canonical(sentOf(entry)) === canonical(claimsOf(log))),
  }),
  'sso-without-oid': ssoWithout('oid'),
  'sso-without-tid': ssoWithout('tid'),
  'sso-without-upn': ssoWithout('upn'),
  'sso-unknown': sso(
    'with the claims of an unknown user in the directory of admin: always the same ones, so that at most one user is ever made',
    unknownIdentity,
    { needs: ['actors.admin.sso'], writes: true },
  ),
  'sso-wrong-claims': sso(
    `with claims of the wrong type, ${MAY_MAKE_USER}`,
    () => Object.fromEntries(CLAIMS.map((claim) => [claim, 12345])),
    {
      writes: true,
      is: (entry, { isPartial }) =>
        isPartial &&
        entry.operation === 'sso' &&
        isClientError(entry) &&
        Object.values(sentObject(entry)).some((claim) => typeof claim === 'number'),
    },
  ),
  'sso-no-claims': sso('with no claims', () => ({})),
  'sso-malformed': ssoText(
    'with a body that breaks off',
    () => ({ text: '{"oid": "', contentType: 'application/json' }),
    {
      is: (entry, { isPartial }) =>
        isPartial &&
        isOpen(entry) &&
        isClientError(entry) &&
        isJsonType(entry) &&
        bodyOf(entry) !== '' &&
        parseJson(bodyOf(entry)) === undefined,
    },
  ),
  'sso-as-text': ssoText(
    'with the claims of admin as text/plain',
    (claims) => ({ text: JSON.stringify(claims), contentType: 'text/plain' }),
    {
      needs: ['actors.admin.sso'],
      is: (entry, { isPartial }) =>
        isPartial &&
        entry.operation !== undefined &&
        statusOf(entry) === 415 &&
        bodyOf(entry) !== '' &&
        !isJsonType(entry),
    },
  ),
  'sso-no-body': ssoText('without a body', () => undefined),
  'sso-get': {
    says: `GET ${SSO_PATH}`,
    request: () => ({ method: 'GET', path: SSO_PATH, as: 'nobody' }),
    is: (entry, { isPartial }) =>
      isPartial &&
      entry.answer.request.method === 'GET' &&
      [SSO_PATH, LOGIN_PATH].some((path) => path === entry.path) &&
      [404, 405].includes(statusOf(entry)),
  },
  'sso-options': { says: `OPTIONS ${SSO_PATH}`, request: () => ({ method: 'OPTIONS', path: SSO_PATH, as: 'nobody' }) },
  login: {
    says: `POST ${LOGIN_PATH} with the fields of actors.admin.login`,
    needs: ['actors.admin.login'],
    request: ({ actors }) => ({ method: 'POST', path: LOGIN_PATH, json: actors.admin?.login, as: 'nobody' }),
    is: (entry, { isPartial }) => isPartial && entry.operation === 'login' && isOk(entry),
  },
  refresh: {
    says: 'POST of a fresh refresh token to the likely paths, in each form, until one succeeds',
    needs: ['actors.admin.sso'],
    is: ({ refresh, answer }) => refresh !== undefined && !refresh.exchanged && isExchanged(answer),
  },
  'refresh-again': {
    says: 'POST of the refresh token that was exchanged already',
    needs: ['actors.admin.sso'],
    is: ({ refresh }) => refresh?.exchanged !== undefined,
  },
  pat: {
    says: `${OPERATIONS.pat.name}, once a run, unless the target file gives a PAT: with {}, {name}, {name, scopes} until one succeeds`,
    needs: ['actors.admin'],
    writes: true,
    is: (entry, log) => entry.operation === 'pat' && (log.isPartial || askerOf(entry, log) === 'admin'),
  },
  scopes: scopes(
    'as admin',
    'admin',
    {},
    {
      is: ({ operation, query, credential }) => operation === 'scopes' && query.length === 0 && !credential.flaw,
    },
  ),
  'scopes-as-member': scopes('as member', 'member'),
  'scopes-as-nobody': scopes('without credentials', 'nobody', {}, refusesIn('nobody', 'scopes')),
  'scopes-as-garbage': scopes('with a token that means nothing', 'garbage', {}, refusesIn('garbage', 'scopes')),
  'scopes-unknown-parameter': scopes('with an unknown parameter', 'admin', { [UNKNOWN_PARAMETER]: '1' }),
  keys: keys('as admin', 'admin', {
    is: (entry, { isPartial }) => isPartial && entry.operation === 'api-keys' && isOk(entry) && !entry.credential.flaw,
  }),
  'keys-as-member': keys('as member', 'member', refusesIn('member', 'api-keys')),
  'keys-as-nobody': keys('without credentials', 'nobody', refusesIn('nobody', 'api-keys', 'recording')),
  'keys-as-garbage': keys('with a token that means nothing', 'garbage', refusesIn('garbage', 'api-keys', 'recording')),
  'keys-no-provider': keys('with a made-up provider', 'admin', { query: { provider: NO_PROVIDER } }),
  'keys-no-provider-as-nobody': keys('with a made-up provider, without credentials', 'nobody', {
    query: { provider: NO_PROVIDER },
  }),
  'keys-no-status': keys('with a made-up status', 'admin', { query: { status: UNUSED_STATUS } }),
  'keys-unknown-parameter': keys('with an unknown parameter', 'admin', {
    query: { [UNKNOWN_PARAMETER]: '1' },
    // A page with the parameter that is answered says that it is ignored, whatever the page.
    is: (entry, log) =>
      entry.operation === 'api-keys' &&
      isOk(entry) &&
      askerOf(entry, log) === 'admin' &&
      entry.query.some(([name]) => name === UNKNOWN_PARAMETER),
  }),
  'keys-first-page': keys('with limit=1 and offset=0', 'admin', { query: { limit: '1', offset: '0' } }),
  'keys-later-page': keys('with limit=1 and offset=1', 'admin', { query: { limit: '1', offset: '1' } }),
  'keys-later-page-unknown': keys('with limit=1, offset=1 and an unknown parameter', 'admin', {
    query: { limit: '1', offset: '1', [UNKNOWN_PARAMETER]: '1' },
  }),
  'keys-unknown-tenant': keys('of a tenant with a made-up id', 'admin', { tenantId: () => NO_TENANT }),
  'keys-other-tenant': keys('of resources.otherTenantId', 'admin', {
    needs: ['actors.admin', 'resources.tenantId', 'resources.otherTenantId'],
    tenantId: (log) => resource(log, 'otherTenantId'),
  }),
  'unknown-path': {
    says: 'GET of an unknown path as admin',
    needs: ['actors.admin'],
    request: () => ({ method: 'GET', path: `/v1/${SAMPLE_ID}`, as: 'admin' }),
  },
  // What any update by admin shows that is accepted.
  update: update('summary', SUMMARY, (_, entry) => isOk(entry)),
  'update-empty': update(
    '{}, and where it shows no new time, once more a second later',
    {},
    (sent) => Object.keys(sent).length === 0,
  ),
  'update-unknown-field': update(
    'summary and an unknown field',
    { ...SUMMARY, no_such_field_probe: 'x' },
    (sent, entry) => isOk(entry) && Object.keys(sent).some(isUnknownField),
  ),
  'update-number': update(
    'a number as title; the title is put back',
    { title: 12345 },
    (sent) => hasOnly(sent, 'title') && typeof sent.title === 'number',
  ),
  'update-null': update(
    'null as summary',
    { summary: null },
    (sent) => hasOnly(sent, 'summary') && sent.summary === null,
  ),
  'update-unknown-key': update(
    'analysis holding made-up keys',
    { analysis: { no_such_key_probe: { nested: [1] } } },
    (sent, entry) => analysisKeys(sent, entry).some((key) => !KNOWN_KEYS.includes(key)),
  ),
  'update-known-keys': update(
    'analysis holding key_topics and action_items',
    { analysis: { key_topics: ['topic'], action_items: ['item'] } },
    (sent, entry) => KNOWN_KEYS.every((key) => analysisKeys(sent, entry).includes(key)),
  ),
  'update-text': update(
    'analysis as text',
    { analysis: 'not an object' },
    ({ title: _, ...sent }) => hasOnly(sent, 'analysis') && !isObject(sent.analysis),
  ),
  'update-text-as-nobody': update(
    'analysis as text, without credentials',
    { analysis: 'not an object' },
    undefined,
    'nobody',
  ),
  'update-as-member': update('summary as member', SUMMARY, undefined, 'member'),
  'update-unknown': updateUnknown('admin'),
  'update-unknown-as-member': updateUnknown('member'),
} satisfies Record<string, Question>;

export type QuestionId = keyof typeof QUESTIONS;

/** Whether an exchange is the one that a request asks for. */
function isSame(entry: Entry, { method, path, query = {}, json, raw, as }: Request, log: Log): boolean {
  const { request } = entry.answer;
  if (request.method !== method || entry.path !== path || askerOf(entry, log) !== as) return false;
  if (!entry.hasRequestBody || !isDeepStrictEqual([...entry.query], Object.entries(query))) return false;
  if (raw) return request.body === raw.text && request.headers['Content-Type'] === raw.contentType;
  if (json === undefined) return request.body === undefined;
  return isJsonType(entry) && canonical(sentOf(entry)) === canonical(json);
}

/** Says of exchanges of a log whether they answer a question. */
export function answering(question: QuestionId, log: Log): (entry: Entry) => boolean {
  const { request, is }: Question = QUESTIONS[question];
  const asked = request?.(log);
  return (entry) => (asked !== undefined && isSame(entry, asked, log)) || is?.(entry, log) === true;
}

const known = new WeakMap<Log, Map<QuestionId, readonly Entry[]>>();

/** The exchanges of a log that answer a question. Failures of the service count only where there is nothing else. */
export function answersTo(log: Log, question: QuestionId): readonly Entry[] {
  const byQuestion = known.get(log) ?? new Map<QuestionId, readonly Entry[]>();
  known.set(log, byQuestion);
  const found = byQuestion.get(question) ?? log.entries.filter(answering(question, log));
  byQuestion.set(question, found);
  const answered = found.filter((entry) => statusOf(entry) < 500);
  return answered.length > 0 ? answered : found;
}
