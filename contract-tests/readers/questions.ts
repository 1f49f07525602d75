import { isDeepStrictEqual } from 'node:util';
import { IDENTIFIERS } from '../api/identifiers.ts';
import { isLaxForm, LAX_FORMS } from '../api/lax-forms.ts';
import { isMadeUp, isUpdate, type Method, OPERATIONS, resourceOf } from '../api/operations.ts';
import { distinct, fieldsOf, WRITABLE_FIELDS } from '../api/records.ts';
import { adminClaim } from '../api/scopes-answer.ts';
import type { TargetField } from '../api/target-fields.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import { isExchanged } from '../api/tokens-in-answers.ts';
import { type Entry, isOk, isRefused, jsonIn, type Log, sentObject, sentOf, statusOf } from '../log/entry.ts';
import { afterAnotherPat, afterAnotherSignIn } from '../log/lives.ts';
import { type Meant, QUESTIONS, type QuestionRow, UNKNOWN_FIELD, UNKNOWN_SCOPE } from '../plan/questions.ts';
import { acceptedBy } from '../values/accept.ts';
import { jsonOf } from '../values/answer.ts';
import { asText, canonical, hasMember, isJsonMediaType, isObject, memberOf } from '../values/json.ts';
import { once } from '../values/once.ts';
import { parametersOf } from '../values/url.ts';

/** For actors without an identifier to derive an unknown one from. */
const UNKNOWN = '6f1d0b52-3c7e-4a90-8d24-95b1c6e7a803';

/** An identifier that is not the known one. The last digit differs: comparisons may end early. */
function unlike(id: string, last: string, other: string): string {
  const known = id.length >= 12 && /[0-9a-z]$/i.test(id) ? id : UNKNOWN;
  return known.slice(0, -1) + (known.endsWith(last) ? other : last);
}

/**
 * The claims of somebody unknown, always the same: signing in may make a user. The name is made of digits, which a careless
 * mapper takes for a number.
 */
function unknownIdentity(admin: Record<string, string>): Record<string, string> & { upn: string } {
  const { oid = '', tid = '', upn = '', ...others } = admin;
  const domain = upn.split('@')[1] ?? 'example.invalid';
  return { ...others, oid: unlike(oid, '7', '3'), tid, upn: `000451000451@${domain}` };
}

/** Somebody else who is unknown, of a directory that is unknown as well. */
function ofUnknownDirectory(admin: Record<string, string>): Record<string, string> {
  const { upn, ...claims } = unknownIdentity(admin);
  const { oid = '', tid = '' } = admin;
  return { ...claims, oid: unlike(oid, '5', '1'), tid: unlike(tid, '7', '3'), upn: upn.replace('451@', '452@') };
}

type As = NonNullable<QuestionRow['as']>;

type Row = Omit<QuestionRow, 'as'>;
const rowOf = (question: string): QuestionRow =>
  memberOf(QUESTIONS as Readonly<Record<string, QuestionRow>>, question) as QuestionRow;

/** Bodies that the model names; one `without` a claim is sent so. */
const BODIES: Readonly<Record<string, (log: Log) => unknown>> = {
  'claims of admin': ({ actors }) => actors.admin?.sso,
  'claims of member': ({ actors }) => actors.member?.sso,
  'claims of member in another order': ({ actors: { member } }) => member?.sso && reversed(member.sso),
  // Members that a careless mapper writes to the user.
  'claims of member and a role': ({ actors: { member } }) =>
    member?.sso && { role: 'admin', roles: ['admin'], is_admin: true, isAdmin: true, ...reversed(member.sso) },
  'claims of an unknown user': (log) => unknownIdentity(claimsOf(log)),
  'claims of an unknown directory': (log) => ofUnknownDirectory(claimsOf(log)),
  'claims of admin in capitals': (log) => ({ ...claimsOf(log), upn: String(claimsOf(log).upn ?? '').toUpperCase() }),
  // Whom the target makes a user of this has an e-mail address nevertheless, and is somebody else than the unknown user.
  'claims that match any user': (log) => {
    const { upn, ...claims } = unknownIdentity(claimsOf(log));
    return { ...claims, oid: '%', upn: upn.replace(/^[^@]*/, '%') };
  },
  'claims of admin and an unknown field': (log) => ({ ...claimsOf(log), ...UNKNOWN_FIELD }),
  'login of admin': ({ actors }) => actors.admin?.login,
  // Of a known one, the account may be locked.
  'login of an unknown user': ({ actors: { admin } }) =>
    admin?.login &&
    Object.fromEntries(
      Object.entries(admin.login).map(([name, value]) => [
        name,
        /mail|user|login|name|account|identifier/i.test(name) ? `451.${asText(value)}` : value,
      ]),
    ),
  'login of admin and an unknown field': ({ actors }) => ({ ...actors.admin?.login, ...UNKNOWN_FIELD }),
};

const reversed = (claims: object): object => Object.fromEntries(Object.entries(claims).toReversed());

/** Whose credentials a request has: those that it says, else those that its operation needs. */
export function asOf({ of, as }: QuestionRow): As {
  const isOpen = of !== undefined && OPERATIONS[of].signer !== 'actors.admin';
  return as ?? (isOpen ? 'nobody' : 'admin');
}
const methodOf = ({ of, method }: Row): Method => method ?? (of ? OPERATIONS[of].method : 'GET');

export function describeQuestion(question: string): string {
  const row = rowOf(question);
  const { of, as, query = {}, twice, json, text, type, note } = row;
  if (isLaxForm(question)) return `GET with ${LAX_FORMS[question].what}`;
  if (row.says !== undefined || of === undefined) return row.says ?? question;
  const parts = Object.entries(query).map(([name, value]) => `${name}=${value}`);
  if (twice !== undefined) parts.push(`two values of ${twice}`);
  if (json !== undefined) parts.push(typeof json === 'string' ? json : JSON.stringify(json));
  if (text !== undefined) parts.push(`${text} as ${type}`);
  const body = parts.length > 0 ? ` with ${parts.join(', ')}` : '';
  const whose = as === undefined ? '' : (WHOSE[as] ?? ` as ${as}`);
  const name = OPERATIONS[of].name.replace(/^[A-Z]+/, methodOf(row));
  return `${name}${body}${whose}${note === undefined ? '' : `; ${note}`}`;
}
const WHOSE: Partial<Record<As, string>> = {
  nobody: ', without credentials',
  garbage: ', with a token that means nothing',
};

/** Whether a run asks it; what only `learn` asks shows in others where they send it anyway. */
export const isAsked = (question: string, learns: boolean): boolean => learns || rowOf(question).learns !== true;

export const writes = (question: string) => rowOf(question).writes === true || isUpdate(rowOf(question).of);

/** The fields of the target file that a question needs: those of its operation, where the row does not say. */
export function needsOf(question: string): readonly TargetField[] {
  const row = rowOf(question);
  if (row.needs || row.of === undefined) return row.needs ?? [];
  const as = asOf(row);
  const { resource } = { resource: undefined, ...OPERATIONS[row.of] };
  return OPERATIONS[row.of].needs.flatMap((field): TargetField[] => {
    if (row.id === 'other' && field === resource?.own) return [resource.other];
    if (field !== 'actors.admin') return [field];
    return as === 'admin' || as === 'member' ? [`actors.${as}`] : [];
  });
}

export const claimsOf = ({ actors }: Log) => (actors.admin?.sso ?? {}) as Record<string, string>;

/** The request of a row, as data; undefined where something of it is not known yet or not given, or helpers of the session send it. */
export function requestOf(row: Row, log: Log) {
  const { text, type: contentType = '' } = row;
  const path = pathOf(row, log);
  const query = queryOf(row, log);
  const json = bodyOf(row.json, log);
  if (path === undefined || query === undefined || (row.json !== undefined && json === undefined)) return undefined;
  const named = text !== undefined && hasMember(BODIES, text) ? JSON.stringify(bodyOf(text, log)) : text;
  const raw = named === undefined ? undefined : { text: named, contentType };
  return { method: methodOf(row), path, query, json, raw };
}

function pathOf(row: Row, log: Log): string | undefined {
  const path = barePathOf(row, log);
  return row.hasSlash && path !== undefined ? `${path}/` : path;
}

function barePathOf({ of, id, path }: Row, { entries, resources = {} }: Log): string | undefined {
  // Where they are is found out by asking for them.
  if (of === 'scopes') return entries.find(({ operation }) => operation === 'scopes')?.path;
  const resource = of && resourceOf(of);
  if (!of || !resource) return of ? OPERATIONS[of].path : path;
  const given = id === 'made-up' ? '' : memberOf(resources, id === 'other' ? resource.other : resource.own);
  if (typeof given !== 'string') return undefined;
  const changed = id === undefined || id === 'other' ? encodeURIComponent(given) : IDENTIFIERS[id](given);
  return changed && OPERATIONS[of].path?.replace(/\{\w+\}/, () => changed);
}

/** The parameters; undefined where a filter needs two values, and the listed keys have one. */
function queryOf({ query = {}, twice }: Row, { entries }: Log): Record<string, string | string[]> | undefined {
  if (twice === undefined) return query;
  const keys = entries
    .filter((entry) => isOk(entry) && entry.operation === 'api-keys')
    .flatMap(jsonIn)
    .filter(isObject);
  const values = distinct(keys, twice);
  return values.length > 1 ? { [twice]: values.slice(0, 2) } : undefined;
}

function bodyOf(json: unknown, log: Log): unknown {
  if (typeof json !== 'string') return json;
  const [name = '', less] = json.split(' without ');
  const body = memberOf(BODIES, name)?.(log);
  return less && isObject(body) ? { ...body, [less]: undefined } : body;
}

/** Whether a caller is an administrator: by the sign-in that gave the token, where that says it. */
function roleOf({ credential: { issued } }: Entry): As | undefined {
  const claim = issued && adminClaim(jsonOf(issued.answer));
  return !claim || claim.isWeak ? undefined : claim.isAdmin ? 'admin' : 'member';
}

/** Whose credentials a request had; undefined where that is not known, and for a PAT that the run made. */
export function askerOf(entry: Entry, { isPartial }: Log): As | undefined {
  const { kind, token, who, flaw, issued } = entry.credential;
  if (entry.answer.request.headers.Authorization === undefined) return entry.hasCookies ? undefined : 'nobody';
  if (kind === 'garbage') return isPartial || GARBAGE_TOKENS.some((one) => one === token) ? 'garbage' : undefined;
  if (flaw || issued?.way === 'pat') return undefined;
  return who === 'admin' || who === 'member' ? who : isPartial ? roleOf(entry) : undefined;
}

type Request = NonNullable<ReturnType<typeof requestOf>>;

/** Whether an exchange is the one that a request asks for; of any recording. */
function isSame(entry: Entry, row: QuestionRow, sent: Request, log: Log): boolean {
  const { method, path, query, json, raw } = sent;
  const { request } = entry.answer;
  if (request.method !== method || askerOf(entry, log) !== asOf(row) || !entry.hasRequestBody) return false;
  if (row.id === 'made-up' ? !isMadeUp(entry.resource) : entry.path !== path) return false;
  if (!isDeepStrictEqual([...entry.query], parametersOf(query))) return false;
  if (row.accept !== undefined && acceptedIn(entry) !== acceptedBy(row.accept)) return false;
  if (raw) return request.body === raw.text && request.headers['Content-Type'] === raw.contentType;
  if (json === undefined) return request.body === undefined;
  return isJsonType(entry) && canonical(sentOf(entry)) === canonical(json);
}

/** A recording may leave headers out: then the text tells. */
const isJsonType = (entry: Entry): boolean => {
  const type = entry.answer.request.headers['Content-Type'];
  return type === undefined ? sentOf(entry) !== undefined : isJsonMediaType(type);
};

function formOf(entry: Entry): string {
  if (!entry.answer.request.body) return 'none';
  if (!isJsonType(entry)) return 'other';
  return sentOf(entry) === undefined ? 'malformed' : isObject(sentOf(entry)) ? 'object' : 'json';
}

const isField = (name: string): boolean => hasMember(fieldsOf('Recording'), name) || hasMember(WRITABLE_FIELDS, name);
const KNOWN_KEYS = ['key_topics', 'action_items'];

/** The members of a body, with their types: `title number`; members of a recording, or of analysis, that are not known. */
function membersOf(entry: Entry): string[] {
  const sent = sentObject(entry);
  const names = Object.keys(sent);
  const keys = isObject(sent.analysis) ? Object.keys(sent.analysis) : [];
  const said = names.map((name) => `${name} ${memberOf(sent, name) === null ? 'null' : typeof memberOf(sent, name)}`);
  if (sent.title === '') said.push('empty title');
  if (/^[ -~]{50,}$/.test(asText(sent.title))) said.push('long title');
  if (!names.every(isField)) said.push('unknown field');
  if (!keys.every((key) => KNOWN_KEYS.includes(key))) said.push('unknown key');
  if (KNOWN_KEYS.every((key) => keys.includes(key))) said.push('known keys');
  if (Array.isArray(sent.scopes)) said.push(sent.scopes.includes(UNKNOWN_SCOPE) ? 'unknown scope' : 'known scopes');
  return said;
}

const acceptedIn = ({ answer }: Entry) => acceptedBy(answer.request.headers.Accept);

const isOwn = ({ resource }: Entry, { resources }: Log): boolean => resource === resources?.recordingId;

/** What the rows of the model can say of exchanges (`also`, `recorded`); a list where any of it may be meant. */
const SAID: Readonly<Record<string, (entry: Entry, log: Log) => unknown>> = {
  of: ({ operation }) => operation,
  method: ({ answer }) => answer.request.method,
  path: ({ path }) => path,
  status: (entry) => [statusOf(entry), isOk(entry) ? 'ok' : isRefused(entry) && 'refused'],
  odd: ({ asked }) => asked?.odd,
  resource: (entry, log) => [
    isOwn(entry, log) && 'own',
    entry.resource === log.resources?.otherRecordingId && 'other',
    Object.values(log.resources ?? {}).includes(entry.resource) || 'unknown',
  ],
  as: askerOf,
  usual: (entry, log) =>
    formOf(entry) === 'object' && (log.isPartial || (isOwn(entry, log) && askerOf(entry, log) === 'admin')),
  // A recording may leave headers out.
  accept: (entry, { isPartial }) => (isPartial && acceptedIn(entry) === 'none' ? undefined : acceptedIn(entry)),
  flawed: ({ credential }) => credential.flaw !== undefined,
  query: ({ query }) => (query.length === 0 ? 'none' : query.map(([name]) => name)),
  form: formOf,
  size: (entry) => Object.keys(sentObject(entry)).length,
  sends: membersOf,
  spelled: ({ credential: { forms } }) => (forms?.length === 1 ? forms[0] : undefined),
  session: afterAnotherSignIn,
  pat: afterAnotherPat,
  refresh: ({ refresh, answer }) => (refresh?.exchanged ? 'again' : refresh && isExchanged(answer) && 'first'),
};

const isMeant = (meant: Meant, entry: Entry, log: Log): boolean =>
  Object.entries(meant).every(([what, wanted]) =>
    [memberOf(SAID, what)?.(entry, log)].flat().some((value) => [wanted].flat().includes(value)),
  );

function answering(log: Log, question: string): readonly Entry[] {
  const row = rowOf(question);
  const asked = requestOf(row, log);
  const meant = [row.also, log.isPartial ? row.recorded : undefined];
  const isAnswer = (entry: Entry): boolean =>
    (asked && isSame(entry, row, asked, log)) || meant.some((each) => each && isMeant(each, entry, log));
  return log.entries.filter(isAnswer);
}

const hasAsJson = once(({ entries }: Log) => entries.some((entry) => acceptedIn(entry) === 'json'));

/** Without what others than clients that name JSON are refused with (gap error-accept), unless these are asked about, or there are no others. */
function usualIn(log: Log, question: string, found: readonly Entry[]): readonly Entry[] {
  const usual = found.filter((entry) => isOk(entry) || acceptedIn(entry) === 'json');
  const isOther = rowOf(question).accept !== undefined || !hasAsJson(log) || (log.isPartial && usual.length === 0);
  return isOther ? found : usual;
}

const answersIn = once((_: Log) => new Map<string, readonly Entry[]>());

/** The same, each found once; failures of the service count only where there is nothing else. */
export function answersTo(log: Log, question: string): readonly Entry[] {
  const found = answersIn(log).get(question) ?? usualIn(log, question, answering(log, question));
  answersIn(log).set(question, found);
  const answered = found.filter((entry) => statusOf(entry) < 500);
  return answered.length > 0 ? answered : found;
}
