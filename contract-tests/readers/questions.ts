import { isDeepStrictEqual } from 'node:util';
import { IDENTIFIERS } from '../api/identifiers.ts';
import {
  apiKeysPath,
  isMadeUp,
  LOGIN_PATH,
  type Method,
  OPERATIONS,
  type OperationId,
  recordingPath,
  SSO_PATH,
  UNKNOWN_PARAMETER,
} from '../api/operations.ts';
import { fieldsOf, WRITABLE_FIELDS } from '../api/records.ts';
import type { TargetField } from '../api/target-fields.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import { isExchanged } from '../api/tokens-in-answers.ts';
import { unknownIdentity } from '../api/unknown-identity.ts';
import { type Entry, isOk, isRefused, type Log, PROTECTED, sentObject, sentOf, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { loadModel, type QuestionRow } from '../plan/model.ts';
import { jsonOf } from '../values/answer.ts';
import { isJsonMediaType, isObject, type JsonObject } from '../values/json.ts';
import { once } from '../values/once.ts';

/** A request as data: by it, its answers are found in a log. */
export interface Request {
  method: Method;
  path: string;
  query: Record<string, string>;
  json?: unknown;
  raw?: { text: string; contentType: string };
}

/** Whose credentials a request has: those of an actor, none, or a token that means nothing. */
type As = NonNullable<QuestionRow['as']>;

/** Every question, by its name (spec/coverage.yaml). */
export const questions = (): Readonly<Record<string, QuestionRow>> => loadModel().questions;
type Row = Omit<QuestionRow, 'as'>;
const rowOf = (question: string): QuestionRow => questions()[question] as QuestionRow;

/** Bodies that the model names. */
const [CLAIMS, UNKNOWN, LOGIN] = ['claims of admin', 'claims of an unknown user', 'login of admin'];
const WHOSE = {
  admin: ' as admin',
  member: ' as member',
  nobody: ', without credentials',
  garbage: ', with a token that means nothing',
};
const BODIES: Readonly<Record<string, (log: Log) => unknown>> = {
  [CLAIMS]: ({ actors }) => actors.admin?.sso,
  [UNKNOWN]: (log) => unknownIdentity(claimsOf(log)),
  [LOGIN]: ({ actors }) => actors.admin?.login,
  'claims of member': ({ actors }) => actors.member?.sso,
  'claims of admin in capitals': (log) => ({ ...claimsOf(log), upn: String(claimsOf(log).upn ?? '').toUpperCase() }),
  'directory of admin': (log) => ({ tid: claimsOf(log).tid }),
};

/** Whose credentials a request has: those that it says, else those that its operation needs. */
export function asOf({ of, as }: QuestionRow): As {
  const isOpen = of !== undefined && !OPERATIONS[of].needs.includes('actors.admin');
  return as ?? (isOpen ? 'nobody' : 'admin');
}
const methodOf = ({ of, method }: Row): Method => method ?? (of ? OPERATIONS[of].method : 'GET');

/** A question in one line. */
export function describeQuestion(question: string): string {
  const row = rowOf(question);
  const { of, as, query = {}, json, less, text, type, note } = row;
  if (row.says !== undefined || of === undefined) return row.says ?? question;
  const parts = [
    ...Object.entries(query).map(([name, value]) => `${name}=${value}`),
    ...(json === undefined ? [] : [isObject(json) ? JSON.stringify(json) : json]),
    ...(text === undefined ? [] : [`${text} as ${type}`]),
    ...(less === undefined ? [] : [`without ${less}`]),
  ];
  const body = parts.length > 0 ? ` with ${parts.join(', ')}` : '';
  const name = OPERATIONS[of].name.replace(/^[A-Z]+/, methodOf(row));
  return `${name}${body}${as ? WHOSE[as] : ''}${note === undefined ? '' : `; ${note}`}`;
}

/** Whether a question may change something at the target. */
export const writes = (question: string): boolean =>
  rowOf(question).writes === true || rowOf(question).of === 'recording';

/** The fields of the target file that a question needs. */
export function needsOf(question: string): readonly TargetField[] {
  const row = rowOf(question);
  const { of, id, path, json, text, needs = [] } = row;
  const as = asOf(row);
  const given = [json, text];
  const needed: readonly (readonly [TargetField, unknown])[] = [
    ['actors.admin', (of || path) && as === 'admin'],
    ['actors.member', as === 'member'],
    ['actors.admin.sso', given.includes(CLAIMS) || given.includes(UNKNOWN)],
    ['actors.admin.login', given.includes(LOGIN)],
    ['resources.recordingId', of === 'recording'],
    ['resources.tenantId', of === 'api-keys'],
    ['resources.otherTenantId', id === 'other'],
  ];
  return [...needs, ...needed.flatMap(([field, isNeeded]) => (isNeeded ? [field] : []))];
}

/** The claims of admin, as the target file gives them. */
export const claimsOf = ({ actors }: Log): Record<string, string> =>
  (actors.admin?.sso ?? {}) as Record<string, string>;

/** The request of a row; undefined where something of it is not known yet or not given, or helpers of the session send it. */
export function requestOf(row: Row, log: Log): Request | undefined {
  const { query = {}, text, type: contentType = '' } = row;
  const path = pathOf(row, log);
  const json = bodyOf(row, log);
  if (path === undefined || (row.json !== undefined && json === undefined)) return undefined;
  const raw = text === CLAIMS ? JSON.stringify(claimsOf(log)) : text;
  return { method: methodOf(row), path, query, json, raw: raw === undefined ? undefined : { text: raw, contentType } };
}

function pathOf({ of, id, path }: Row, { entries, resources = {} }: Log): string | undefined {
  // Where they are is found out by asking for them.
  if (of === 'scopes') return entries.find(({ operation }) => operation === 'scopes')?.path;
  if (of !== 'recording' && of !== 'api-keys') return of ? OPERATIONS[of].path : path;
  const name = of === 'recording' ? 'recordingId' : id === 'other' ? 'otherTenantId' : 'tenantId';
  const make = of === 'recording' ? recordingPath : apiKeysPath;
  const given = id === 'made-up' ? '' : resources[name];
  if (typeof given !== 'string') return undefined;
  if (id === undefined || id === 'other') return make(given);
  const changed = IDENTIFIERS[id](given);
  return changed === undefined ? undefined : make('ID').replace('ID', changed);
}

function bodyOf({ json, less }: Row, log: Log): unknown {
  const named = typeof json === 'string' ? BODIES[json]?.(log) : json;
  return less === undefined || !isObject(named)
    ? named
    : Object.fromEntries(Object.entries(named).filter(([claim]) => claim !== less));
}

/** Whether a caller is an administrator: by the sign-in that gave the token, where that says it. */
function roleOf({ credential: { issued } }: Entry): As | undefined {
  const grant = issued && jsonOf(issued.answer);
  const user = isObject(grant) && isObject(grant.user) ? grant.user : {};
  return typeof user.administrator === 'boolean' ? (user.administrator ? 'admin' : 'member') : undefined;
}

/** Whose credentials a request had; undefined where that is not known, and for a PAT that the run made. */
export function askerOf(entry: Entry, { isPartial }: Log): As | undefined {
  const { kind, token, who, flaw, issued } = entry.credential;
  if (entry.answer.request.headers.Authorization === undefined) return entry.hasCookies ? undefined : 'nobody';
  if (kind === 'garbage') return isPartial || GARBAGE_TOKENS.some((one) => one === token) ? 'garbage' : undefined;
  if (flaw || issued?.way === 'pat') return undefined;
  return who === 'admin' || who === 'member' ? who : isPartial ? roleOf(entry) : undefined;
}

/** Whether an exchange is the one that a request asks for; of any recording. */
function isSame(entry: Entry, row: QuestionRow, { method, path, query, json, raw }: Request, log: Log): boolean {
  const { request } = entry.answer;
  if (request.method !== method || askerOf(entry, log) !== asOf(row) || !entry.hasRequestBody) return false;
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
const hasText = ({ answer }: Entry): boolean => (answer.request.body ?? '') !== '';
const isMalformed = (entry: Entry): boolean =>
  isJsonType(entry) && hasText(entry) && sentOf(entry) === undefined && isRefused(entry);
const isOtherType = (entry: Entry): boolean => !isJsonType(entry) && hasText(entry);

type Is = (entry: Entry, log: Log) => boolean;

/** Exchanges of operations that were answered with one of the statuses, by whom they are from; of anything that is not given. */
const where =
  (of: readonly OperationId[], status?: readonly number[], as?: As, is: Is = () => true): Is =>
  (entry, log) =>
    entry.operation !== undefined &&
    of.includes(entry.operation) &&
    (status?.includes(statusOf(entry)) ?? true) &&
    (as === undefined || askerOf(entry, log) === as) &&
    is(entry, log);

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
const isField = (name: string): boolean => name in fieldsOf('Recording') || name in WRITABLE_FIELDS;
const KNOWN_KEYS = ['key_topics', 'action_items'];
const keysOf = ({ analysis }: JsonObject): string[] => (isObject(analysis) ? Object.keys(analysis) : []);

/** Exchanges that answer a question as well as its own request does. */
const ALSO: Readonly<Record<string, Is>> = {
  refresh: ({ refresh, answer }) => refresh !== undefined && !refresh.exchanged && isExchanged(answer),
  'refresh-again': ({ refresh }) => refresh?.exchanged !== undefined,
  pat: where(['pat'], undefined, 'admin'),
  scopes: where(['scopes'], undefined, undefined, ({ query, credential }) => query.length === 0 && !credential.flaw),
  // A page with the parameter that is answered says that it is ignored, on any page.
  'keys-unknown-parameter': where(['api-keys'], [200], 'admin', ({ query }) =>
    query.some(([name]) => name === UNKNOWN_PARAMETER),
  ),
  // A tenant's identifier cut short is nobody's, too.
  'keys-unknown-tenant': where(
    ['api-keys'],
    undefined,
    'admin',
    ({ asked, resource }, { resources }) =>
      asked?.odd.includes('tenant') === true && ![resources?.tenantId, resources?.otherTenantId].includes(resource),
  ),
  'keys-as-garbage': where(PROTECTED, [401, 403], 'garbage'),
  update: updates((_, entry) => isOk(entry)),
  'update-empty': updates((sent) => Object.keys(sent).length === 0),
  // Who sends it does not matter, nor to which recording.
  'update-unknown-field': where(
    ['recording'],
    [200],
    undefined,
    (entry) => !Object.keys(sentObject(entry)).every(isField),
  ),
  'update-number': updates((sent) => isOnly(sent, 'title') && typeof sent.title === 'number'),
  'update-null': updates((sent) => isOnly(sent, 'summary') && sent.summary === null),
  'update-unknown-key': where(['recording'], [200], undefined, (entry) =>
    keysOf(sentObject(entry)).some((key) => !KNOWN_KEYS.includes(key)),
  ),
  'update-known-keys': updates((sent, entry) => isOk(entry) && KNOWN_KEYS.every((key) => keysOf(sent).includes(key))),
  'update-text': updates(({ title: _, ...sent }) => isOnly(sent, 'analysis') && !isObject(sent.analysis)),
  'update-as-member': where(
    ['recording'],
    undefined,
    'member',
    (entry, { resources }) => entry.resource === resources?.recordingId && isObject(sentOf(entry)),
  ),
  // Identifiers like that of the recording, which none has.
  'update-unknown': (entry) => entry.asked?.odd.includes('recording') === true && 'title' in sentObject(entry),
};

/** The same in a recording, which holds no requests that were made for it. */
const RECORDED: Readonly<Record<string, Is>> = {
  sso: where(['sso'], [200, 201]),
  login: where(['login'], [200, 201]),
  pat: where(['pat']),
  keys: where(['api-keys'], [200], undefined, ({ credential }) => !credential.flaw),
  'sso-get': ({ path, answer: { request, response } }) =>
    request.method === 'GET' && [SSO_PATH, LOGIN_PATH].includes(path) && [404, 405].includes(response.status),
  'sso-wrong-claims': where(['sso'], [400, 422], undefined, (entry) =>
    Object.values(sentObject(entry)).some((claim) => typeof claim === 'number'),
  ),
  'sso-malformed': where(['sso', 'login'], undefined, undefined, isMalformed),
  'sso-as-text': where(['sso', 'login', 'pat', 'api-keys', 'scopes'], [415], undefined, isOtherType),
  'update-as-text': where(['recording'], [415], undefined, isOtherType),
  'keys-as-member': where(['api-keys'], [401, 403], 'member'),
  'keys-as-nobody': where(PROTECTED, [401, 403], 'nobody'),
  'update-unknown': where(['recording'], [404], 'admin'),
};

/** Says of exchanges of a log whether they answer a question. */
export function answering(question: string, log: Log): (entry: Entry) => boolean {
  const asked = requestOf(rowOf(question), log);
  const also = [ALSO[question], log.isPartial ? RECORDED[question] : undefined].filter((is) => is !== undefined);
  return (entry) =>
    (asked !== undefined && isSame(entry, rowOf(question), asked, log)) || also.some((is) => is(entry, log));
}

const answersIn = once((_: Log) => new Map<string, readonly Entry[]>());

/** The exchanges of a log that answer a question. Failures of the service count only where there is nothing else. */
export function answersTo(log: Log, question: string): readonly Entry[] {
  const found = answersIn(log).get(question) ?? log.entries.filter(answering(question, log));
  answersIn(log).set(question, found);
  const answered = found.filter((entry) => statusOf(entry) < 500);
  return answered.length > 0 ? answered : found;
}
