import { isDeepStrictEqual } from 'node:util';
import {
  apiKeysPath,
  isMadeUp,
  LOGIN_PATH,
  type Method,
  madeUpId,
  recordingPath,
  SAMPLE_ID,
  SSO_PATH,
  UNKNOWN_PARAMETER,
} from '../api/operations.ts';
import { fieldsOf, WRITABLE_FIELDS } from '../api/records.ts';
import type { TargetField } from '../api/target-fields.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import { isExchanged } from '../api/tokens-in-answers.ts';
import { unknownIdentity } from '../api/unknown-identity.ts';
import { type Entry, isOk, isProtected, type Log, sentObject, sentOf, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { loadModel, type QuestionRow } from '../plan/model.ts';
import { jsonOf } from '../values/answer.ts';
import { isJsonMediaType, isObject, type JsonObject, parseJson } from '../values/json.ts';

/** A request as data: by it, its answers are found in a log. */
export interface Request {
  method: Method;
  path: string;
  /** Whose credentials it has: those of an actor, none, or a token that means nothing. */
  as: NonNullable<QuestionRow['as']>;
  query: Record<string, string>;
  json?: unknown;
  raw?: { text: string; contentType: string };
}

/** Every question, by its name (spec/coverage.yaml). */
export const questions = (): Readonly<Record<string, QuestionRow>> => loadModel().questions;
const rowOf = (question: string): QuestionRow => questions()[question] as QuestionRow;

const PLACES = {
  sso: { method: 'POST', says: SSO_PATH, as: 'nobody' },
  login: { method: 'POST', says: LOGIN_PATH, as: 'nobody' },
  scopes: { method: 'GET', says: 'of the token scopes', as: 'admin' },
  keys: { method: 'GET', says: 'of the API keys', as: 'admin' },
  recording: { method: 'PATCH', says: 'of the disposable recording', as: 'admin' },
  nothing: { method: 'GET', says: 'of an unknown path', as: 'admin' },
} as const;
const WHOSE = {
  admin: ' as admin',
  member: ' as member',
  nobody: ', without credentials',
  garbage: ', with a token that means nothing',
};
/** Bodies that the model names. */
const [CLAIMS, UNKNOWN, LOGIN] = ['claims of admin', 'claims of an unknown user', 'login of admin'];
const placeOf = ({ of = 'nothing', ...row }: QuestionRow) => ({ ...PLACES[of], ...row, of });

/** A question in one line. */
export function describeQuestion(question: string): string {
  const row = rowOf(question);
  if (row.says !== undefined) return row.says;
  const { method, of, as, query = {}, json, less, text, type, note } = placeOf(row);
  const parts = [
    ...Object.entries(query).map(([name, value]) => `${name}=${value}`),
    ...(json === undefined ? [] : [isObject(json) ? JSON.stringify(json) : json]),
    ...(text === undefined ? [] : [`${text} as ${type}`]),
    ...(less === undefined ? [] : [`without ${less}`]),
  ];
  const body = parts.length > 0 ? ` with ${parts.join(', ')}` : '';
  const whose = as === PLACES[of].as ? '' : WHOSE[as];
  return `${method} ${PLACES[of].says}${body}${whose}${note === undefined ? '' : `; ${note}`}`;
}

/** Whether a question may change something at the target. */
export const writes = (question: string): boolean =>
  rowOf(question).writes === true || rowOf(question).of === 'recording';

/** The fields of the target file that a question needs. */
export function needsOf(question: string): TargetField[] {
  const { of, as, id, json, text, needs = [] } = placeOf(rowOf(question));
  const given = [json, text];
  return [
    ...needs,
    ...(rowOf(question).of && (as === 'admin' || as === 'member') ? [`actors.${as}` as const] : []),
    ...(given.includes(CLAIMS) || given.includes(UNKNOWN) ? (['actors.admin.sso'] as const) : []),
    ...(given.includes(LOGIN) ? (['actors.admin.login'] as const) : []),
    ...(of === 'keys' ? (['resources.tenantId'] as const) : []),
    ...(id === 'other' ? (['resources.otherTenantId'] as const) : []),
    ...(of === 'recording' ? (['resources.recordingId'] as const) : []),
  ];
}

/** The claims of admin, as the target file gives them. */
export const claimsOf = ({ actors }: Log): Record<string, string> =>
  (actors.admin?.sso ?? {}) as Record<string, string>;

/** The request of a question; undefined where it is not known yet, or helpers of the session send it. */
export function requestOf(question: string, log: Log): Request | undefined {
  const row = rowOf(question);
  const { method, as, query = {}, text, type: contentType = '' } = placeOf(row);
  const path = row.of && pathOf(row, log);
  if (path === undefined) return undefined;
  const json = bodyOf(row, log);
  const raw = text === CLAIMS ? JSON.stringify(claimsOf(log)) : text;
  return { method, path, as, query, json, raw: raw === undefined ? undefined : { text: raw, contentType } };
}

function pathOf({ of, id }: QuestionRow, { entries, resources = {} }: Log): string | undefined {
  const known = (name: string) => (id === 'made-up' ? madeUpId() : (resources[name] as string | undefined));
  const tenantId = known(id === 'other' ? 'otherTenantId' : 'tenantId');
  const recordingId = known('recordingId');
  if (of === 'keys') return tenantId && apiKeysPath(tenantId);
  if (of === 'recording') return recordingId && recordingPath(recordingId);
  // Where they are is found out by asking for them.
  if (of === 'scopes') return entries.find(({ operation }) => operation === 'scopes')?.path;
  return { sso: SSO_PATH, login: LOGIN_PATH, nothing: `/v1/${SAMPLE_ID}` }[of ?? 'nothing'];
}

function bodyOf({ json, less }: QuestionRow, log: Log): unknown {
  if (json === UNKNOWN) return unknownIdentity(claimsOf(log));
  if (json === LOGIN) return log.actors.admin?.login;
  if (json !== CLAIMS) return json;
  return Object.fromEntries(Object.entries(claimsOf(log)).filter(([claim]) => claim !== less));
}

/** Whether a caller is an administrator: by the sign-in that gave the token, where that says it. */
function roleOf({ credential: { issued } }: Entry): Request['as'] | undefined {
  const grant = issued && jsonOf(issued.answer);
  const user = isObject(grant) && isObject(grant.user) ? grant.user : {};
  return typeof user.administrator === 'boolean' ? (user.administrator ? 'admin' : 'member') : undefined;
}

/** Whose credentials a request had; undefined where that is not known, and for a PAT that the run made. */
export function askerOf(entry: Entry, { isPartial }: Log): Request['as'] | undefined {
  const { kind, token, who, flaw, issued } = entry.credential;
  if (entry.answer.request.headers.Authorization === undefined) return entry.hasCookies ? undefined : 'nobody';
  if (kind === 'garbage') return isPartial || GARBAGE_TOKENS.some((one) => one === token) ? 'garbage' : undefined;
  if (flaw || issued?.way === 'pat') return undefined;
  return who === 'admin' || who === 'member' ? who : isPartial ? roleOf(entry) : undefined;
}

/** Whether an exchange is the one that a request asks for; of any recording. */
function isSame(entry: Entry, row: QuestionRow, { method, path, query, json, raw, as }: Request, log: Log): boolean {
  const { request } = entry.answer;
  if (request.method !== method || askerOf(entry, log) !== as || !entry.hasRequestBody) return false;
  if (row.id === 'made-up' ? !isMadeUp(entry.resource) : entry.path !== path) return false;
  if (!isDeepStrictEqual([...entry.query], Object.entries(query))) return false;
  if (raw) return request.body === raw.text && request.headers['Content-Type'] === raw.contentType;
  return json === undefined ? request.body === undefined : isJsonType(entry) && isEqual(sentOf(entry), json);
}

const isEqual = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b);
/** A recording may leave headers out: then the text tells. */
const isJsonType = (entry: Entry): boolean => {
  const type = entry.answer.request.headers['Content-Type'];
  return type === undefined ? sentOf(entry) !== undefined : isJsonMediaType(type);
};
const textOf = ({ answer }: Entry): string => answer.request.body ?? '';
const isRefusedText = (entry: Entry): boolean => statusOf(entry) === 415 && textOf(entry) !== '' && !isJsonType(entry);
const isRefused = (entry: Entry): boolean => statusOf(entry) >= 400 && statusOf(entry) < 500;

/** Whether credentials are refused, and whose these are. */
const isRefusedTo = (as: Request['as'], entry: Entry, log: Log): boolean =>
  [401, 403].includes(statusOf(entry)) && askerOf(entry, log) === as;

/** An update of the disposable recording by admin; of a recording, of any and by anybody. */
const updates =
  (is: (sent: JsonObject, entry: Entry) => boolean): Is =>
  (entry, log) =>
    entry.operation === 'recording' &&
    isObject(sentOf(entry)) &&
    isJsonType(entry) &&
    (log.isPartial || (entry.resource === log.resources?.recordingId && askerOf(entry, log) === 'admin')) &&
    is(sentObject(entry), entry);

const isOnly = (sent: JsonObject, field: string): boolean => field in sent && Object.keys(sent).length === 1;
const KNOWN_KEYS = ['key_topics', 'action_items'];
const analysisKeys = ({ analysis }: JsonObject, entry: Entry): string[] =>
  isOk(entry) && isObject(analysis) ? Object.keys(analysis) : [];

type Is = (entry: Entry, log: Log) => boolean;

/** Exchanges that answer a question as well as its own request does. */
const ALSO: Readonly<Record<string, Is>> = {
  sso: (entry, log) => entry.operation === 'sso' && isJsonType(entry) && isEqual(sentOf(entry), claimsOf(log)),
  refresh: ({ refresh, answer }) => refresh !== undefined && !refresh.exchanged && isExchanged(answer),
  'refresh-again': ({ refresh }) => refresh?.exchanged !== undefined,
  pat: (entry, log) => entry.operation === 'pat' && askerOf(entry, log) === 'admin',
  scopes: ({ operation, query, credential }) => operation === 'scopes' && query.length === 0 && !credential.flaw,
  // A page with the parameter that is answered says that it is ignored, on any page.
  'keys-unknown-parameter': (entry, log) =>
    entry.operation === 'api-keys' &&
    isOk(entry) &&
    askerOf(entry, log) === 'admin' &&
    entry.query.some(([name]) => name === UNKNOWN_PARAMETER),
  update: updates((_, entry) => isOk(entry)),
  'update-empty': updates((sent) => Object.keys(sent).length === 0),
  'update-unknown-field': updates(
    (sent, entry) =>
      isOk(entry) && Object.keys(sent).some((name) => !(name in fieldsOf('Recording') || name in WRITABLE_FIELDS)),
  ),
  'update-number': updates((sent) => isOnly(sent, 'title') && typeof sent.title === 'number'),
  'update-null': updates((sent) => isOnly(sent, 'summary') && sent.summary === null),
  'update-unknown-key': updates((sent, entry) => analysisKeys(sent, entry).some((key) => !KNOWN_KEYS.includes(key))),
  'update-known-keys': updates((sent, entry) => KNOWN_KEYS.every((key) => analysisKeys(sent, entry).includes(key))),
  'update-as-member': (entry, log) =>
    entry.operation === 'recording' &&
    entry.resource === log.resources?.recordingId &&
    askerOf(entry, log) === 'member' &&
    isObject(sentOf(entry)),
  // Identifiers like that of the recording, which none has.
  'update-unknown': (entry) => entry.asked?.odd.includes('recording') === true && 'title' in sentObject(entry),
  'keys-as-garbage': (entry, log) => isProtected(entry.operation) && isRefusedTo('garbage', entry, log),
  'update-text': updates(({ title: _, ...sent }) => isOnly(sent, 'analysis') && !isObject(sent.analysis)),
};

/** The same in a recording, which holds no requests that were made for it. */
const RECORDED: Readonly<Record<string, Is>> = {
  sso: (entry) => entry.operation === 'sso' && isOk(entry),
  'sso-wrong-claims': (entry) =>
    entry.operation === 'sso' &&
    isRefused(entry) &&
    Object.values(sentObject(entry)).some((claim) => typeof claim === 'number'),
  'sso-malformed': (entry) =>
    (entry.operation === 'sso' || entry.operation === 'login') &&
    isRefused(entry) &&
    isJsonType(entry) &&
    textOf(entry) !== '' &&
    parseJson(textOf(entry)) === undefined,
  'sso-as-text': (entry) => entry.operation !== undefined && entry.operation !== 'recording' && isRefusedText(entry),
  'update-as-text': (entry) => entry.operation === 'recording' && isRefusedText(entry),
  'sso-get': ({ path, answer: { request, response } }) =>
    request.method === 'GET' && [SSO_PATH, LOGIN_PATH].includes(path) && [404, 405].includes(response.status),
  login: (entry) => entry.operation === 'login' && isOk(entry),
  pat: ({ operation }) => operation === 'pat',
  keys: (entry) => entry.operation === 'api-keys' && isOk(entry) && !entry.credential.flaw,
  'keys-as-member': (entry, log) => entry.operation === 'api-keys' && isRefusedTo('member', entry, log),
  'keys-as-nobody': (entry, log) => isProtected(entry.operation) && isRefusedTo('nobody', entry, log),
  'update-unknown': (entry, log) =>
    entry.operation === 'recording' && statusOf(entry) === 404 && askerOf(entry, log) === 'admin',
};

/** Says of exchanges of a log whether they answer a question. */
export function answering(question: string, log: Log): (entry: Entry) => boolean {
  const asked = requestOf(question, log);
  const also = [ALSO[question], log.isPartial ? RECORDED[question] : undefined].filter((is) => is !== undefined);
  return (entry) =>
    (asked !== undefined && isSame(entry, rowOf(question), asked, log)) || also.some((is) => is(entry, log));
}

const known = new WeakMap<Log, Map<string, readonly Entry[]>>();

/** The exchanges of a log that answer a question. Failures of the service count only where there is nothing else. */
export function answersTo(log: Log, question: string): readonly Entry[] {
  const byQuestion = known.get(log) ?? new Map<string, readonly Entry[]>();
  known.set(log, byQuestion);
  const found = byQuestion.get(question) ?? log.entries.filter(answering(question, log));
  byQuestion.set(question, found);
  const answered = found.filter((entry) => statusOf(entry) < 500);
  return answered.length > 0 ? answered : found;
}
