import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, type RecordName } from '../api/records.ts';
import { isOk, jsonIn, statusOf } from '../log/entry.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { limitOf } from './rate-limits.ts';
import { type Look, type Read, Undetermined } from './reader.ts';

interface SeenRecord {
  type: RecordName;
  record: JsonObject;
}

/** Every record of part 2 that the log shows: who signs in, the API keys, the recording. */
function recordsIn(look: Look): SeenRecord[] {
  const successes = (question: string): unknown[] => look.any(question).filter(isOk).map(jsonIn);
  const recordsOf = (type: RecordName, values: unknown[]): SeenRecord[] =>
    values.filter(isObject).map((record) => ({ type, record }));
  const grants = successes('sso');
  const signedIn = look.log.isPartial ? [...grants, ...successes('login')] : grants;
  const seen = [
    ...recordsOf('TokenGrant', grants),
    ...recordsOf(
      'User',
      signedIn.filter(isObject).map(({ user }) => user),
    ),
    ...recordsOf('TenantApiKey', successes('keys').flat()),
    ...recordsOf('Recording', successes('update')),
  ];
  if (seen.length === 0) throw new Undetermined('no user, recording or API key was seen');
  return seen;
}

/** What the answer `some` means at the mock itself. */
const SOME: Readonly<Record<string, JsonObject>> = {
  User: { locale: 'string' },
  Recording: { duration_seconds: 'number' },
  TenantApiKey: { last_used_at: 'date-time' },
};

/** The members of records beyond those of part 2, each with the type of its value, never the value itself. */
function extrasIn(seen: readonly SeenRecord[]): unknown {
  const extras: Record<string, JsonObject> = {};
  for (const { type, record } of seen) {
    for (const [name, value] of Object.entries(record)) {
      if (Object.hasOwn(fieldsOf(type), name)) continue;
      const known = extras[type]?.[name];
      extras[type] = { ...extras[type], [name]: known === undefined || known === 'null' ? typeOf(value) : known };
    }
  }
  if (Object.keys(extras).length === 0) return 'none';
  return Object.entries(extras).every(([type, members]) => isDeepStrictEqual(members, SOME[type])) ? 'some' : extras;
}

function typeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(typeOf);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typeOf(one)]));
  if (typeof value === 'string' && formOf(value) !== undefined) return 'date-time';
  return value === null ? 'null' : typeof value;
}

/** The form of a date-time, as a profile names it or writes it out. */
function formOf(time: string): string | { digits: number; offset: string } | undefined {
  const [, fraction = '', offset] = /T\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  if (offset === undefined) return undefined;
  const written = `${fraction.length} ${offset}`;
  return { '3 Z': 'z-millis', '6 +00:00': 'offset-micros' }[written] ?? { digits: fraction.length, offset };
}

/** The answers that are named, by the codes of SSO and PAT creation. */
const NAMED_CODES: Readonly<Record<string, string>> = {
  '200 201': 'creation-201',
  '200 200': 'always-200',
  '201 201': 'post-201',
};

/** The one status of the successes among the answers to a question. */
function codeOf(look: Look, question: string): number | undefined {
  const statuses = new Set(look.any(question).filter(isOk).map(statusOf));
  if (statuses.size > 1) throw new Undetermined(`the same request succeeds with ${[...statuses].join(' and ')}`);
  return [...statuses][0];
}

/** Success codes, the form of times, more fields than documented, and limits. */
export const records: Readonly<Record<string, Read>> = {
  'success-codes': (look) => {
    // SSO makes nothing that is kept, PAT creation does.
    const { isPartial } = look.log;
    const [sso, pat] = [codeOf(look, 'sso'), codeOf(look, 'pat')];
    const login = isPartial ? codeOf(look, 'login') : undefined;
    const codes = Object.entries({ ssoLogin: sso, login, createApiToken: pat }).filter(
      ([, code]) => code !== undefined,
    );
    if (codes.length < (isPartial ? 1 : 2)) throw new Undetermined('no SSO login, or no creation of a PAT, succeeds');
    const odd = (['scopes', 'keys', 'update'] as const).flatMap((question) => look.any(question)).filter(isOk);
    const other = odd.find((entry) => statusOf(entry) !== 200);
    if (other) throw new Undetermined(`${other.answer.request.method} succeeds with ${statusOf(other)}`);
    const named = login === undefined || login === sso ? NAMED_CODES[`${sso} ${pat}`] : undefined;
    return named ?? Object.fromEntries(codes);
  },
  'timestamp-form': (look) => {
    const times = recordsIn(look)
      .flatMap(({ record }) => [record.created_at, record.updated_at])
      .filter((time) => typeof time === 'string');
    const [first, ...others] = times.map(formOf);
    const unknown = times.find((time) => formOf(time) === undefined);
    if (first === undefined || unknown !== undefined)
      throw new Undetermined(`date-times are written in another form${unknown === undefined ? '' : `: ${unknown}`}`);
    if (others.every((form) => isDeepStrictEqual(form, first))) return first;
    throw new Undetermined('date-times are written in several forms');
  },
  'extra-fields': (look) => extrasIn(recordsIn(look)),
  'rate-limit': (look) => {
    const { entries, isPartial, isLimited } = look.log;
    for (const question of ['keys', 'scopes'] as const) look.any(question);
    const limit = limitOf(entries.filter(isOk));
    if (limit !== undefined) return limit;
    // A limit that no header states and no request meets cannot be observed: it counts as none, in a run.
    if (!isPartial && !isLimited) return 0;
    throw new Undetermined('no header says to how many requests the target limits its callers');
  },
};
