import { fieldsOf, type RecordName } from '../api/records.ts';
import { type Entry, isOk, jsonIn, type Log, sentOf, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { forbiddenStatus } from './keys.ts';
import { isAccepted, type Look, memberIn, named, one, type Read, unanswered, undetermined } from './reader.ts';
import { learnTemplate } from './shapes.ts';

/** Whether the recording was changed by an update without any field; undefined where the log does not tell. */
function touches(look: Look, entry: Entry): 'accept' | 'unchanged' | undefined {
  const before = look.log.entries.findLast(
    (each) => each.n < entry.n && each.operation === 'recording' && each.path === entry.path && isOk(each),
  );
  const [earlier, later] = [before && memberIn(before, 'updated_at'), memberIn(entry, 'updated_at')];
  // Processing changes a recording, too.
  if (!before || later === undefined || memberIn(before, 'status') !== memberIn(entry, 'status')) return undefined;
  look.by.add(before);
  if (earlier !== later) return 'accept';
  // Times may be written in whole seconds.
  return entry.startedAt - before.startedAt > 1000 ? 'unchanged' : undefined;
}

/** Whether a recording is member's: by the user_id that its updates answer, and the user who signed in. */
function isMembers({ entries, actors }: Log, recording: Entry): boolean {
  const [owner, member] = [memberIn(recording, 'user_id'), canonical(actors.member?.sso)];
  return entries.some((entry) => {
    const user = entry.operation === 'sso' && canonical(sentOf(entry)) === member && memberIn(entry, 'user');
    return owner !== undefined && isObject(user) && user.id === owner;
  });
}

/** Every record of part 2 that the log shows: who signs in, the API keys, the recording. */
function recordsIn(look: Look): readonly (readonly [RecordName, JsonObject[]])[] {
  const successes = (question: string) => look.any(question).filter(isOk).flatMap(jsonIn).filter(isObject);
  const grants = successes('sso');
  const signedIn = look.log.isPartial ? [...grants, ...successes('login')] : grants;
  const records = [
    ['TokenGrant', grants],
    ['User', signedIn.map(({ user }) => user).filter(isObject)],
    ['TenantApiKey', successes('keys')],
    ['Recording', successes('update')],
  ] as const;
  return records.some(([, { length }]) => length > 0) ? records : undetermined('no record was seen');
}

function typesOf({ value }: { value: unknown }): string[] {
  if (typeof value === 'object') return value === null ? ['null'] : [];
  return [typeof value === 'string' && formOf(value) ? 'date-time' : typeof value];
}

function formOf(time: string): { digits: number; offset: string } | undefined {
  const [, fraction = '', offset] = /T\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  return offset === undefined ? undefined : { digits: fraction.length, offset };
}

/** The one status of the successes among the answers to a question. */
const codeOf = (look: Look, question: string): number | undefined =>
  one('the same request succeeds', look.any(question).filter(isOk).map(statusOf));

const LIMITS = ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit', 'ratelimit-policy', 'ratelimit'];

/** What the headers of an answer state of the limit: how many requests in how many seconds, where they say that. */
function limitIn({ answer: { response } }: Entry): { limit: number; window?: string }[] {
  const stated = LIMITS.map((name) => response.headers[name] ?? '').join(';');
  const limit = /(?:^|[;,\s]|limit=|q=)(\d+)(?=$|[;,\s])/.exec(stated)?.[1];
  return limit === undefined ? [] : [{ limit: Number(limit), window: /\bw(?:indow)?=(\d+)/.exec(stated)?.[1] }];
}

/** Updates of recordings (4.2), and what all operations share: success codes, the form of times, more fields, limits. */
export const records: Readonly<Record<string, Read>> = {
  'empty-update': (look) => {
    const empty = look.any('update-empty');
    const found = empty.flatMap((entry) => (isAccepted(entry) ? (touches(look, entry) ?? []) : 'refuse'));
    return one('it is answered', found) ?? unanswered('update-empty');
  },
  'foreign-recording': (look) => {
    // The recording is one that admin may update; member is somebody else of the tenant.
    if (isMembers(look.log, look.success('update')))
      undetermined("the recording is member's own (user_id), and admin may update it as an administrator");
    const foreign = look.take('update-as-member');
    if (isOk(foreign)) return 'allow';
    const status = statusOf(foreign);
    const forbidden = forbiddenStatus(look);
    const isForbidding = status === 403 || status === forbidden;
    // Where it does not look like what admin gets for an unknown one, member need not ask for that as well.
    if (isForbidding && status !== statusOf(look.take('update-unknown'))) return 'forbid';
    const other = statusOf(look.take('update-unknown-as-member'));
    // It looks like an unknown one. Where that is what "not permitted" looks like as well, 404 is called hidden.
    if (status === other && (status === 404 || (forbidden !== undefined && status !== forbidden))) return 'hide';
    if (status === forbidden || (isForbidding && status !== other)) return 'forbid';
    return undetermined(`it is refused with ${status}, an unknown recording with ${other}`);
  },
  'success-codes': (look) => {
    // SSO makes nothing that is kept, PAT creation does.
    const { isPartial } = look.log;
    const [sso, pat] = [codeOf(look, 'sso'), codeOf(look, 'pat')];
    const login = isPartial ? codeOf(look, 'login') : undefined;
    const all = { ssoLogin: sso, login, createApiToken: pat };
    const codes = Object.entries(all).filter(([, code]) => code !== undefined);
    if (codes.length < (isPartial ? 1 : 2)) undetermined('no SSO login, or no creation of a PAT, succeeds');
    const others = ['scopes', 'keys', 'update'].flatMap((question) => codeOf(look, question) ?? []);
    if ((one('reads and updates succeed', others) ?? 200) !== 200) undetermined(`others succeed with ${others[0]}`);
    const usual = named('success-codes', { ssoLogin: sso, createApiToken: pat });
    return typeof usual === 'string' && (login ?? sso) === sso ? usual : Object.fromEntries(codes);
  },
  'timestamp-form': (look) => {
    const records = recordsIn(look).flatMap(([, each]) => each);
    const times = records
      .flatMap((each) => [each.created_at, each.updated_at])
      .filter((time) => typeof time === 'string');
    const form = one('date-times are written', times.map(formOf));
    return form ?? undetermined(`date-times are written in another form: ${times[0]}`);
  },
  // Each with the type of its value, never the value itself.
  'extra-fields': (look) => {
    const extras = recordsIn(look).map(([type, records]) => {
      const { template } = learnTemplate(records, (record) => record, typesOf);
      const members = Object.entries(JSON.parse(JSON.stringify(template).replaceAll('?":', '":')) as JsonObject);
      return [type, Object.fromEntries(members.filter(([name]) => !Object.hasOwn(fieldsOf(type), name)))] as const;
    });
    return Object.fromEntries(extras.filter(([, members]) => Object.keys(members).length > 0));
  },
  'rate-limit': (look) => {
    const { entries, isPartial, isLimited } = look.log;
    for (const question of ['keys', 'scopes']) look.any(question);
    const stated = one('requests are limited', entries.filter(isOk).flatMap(limitIn));
    if (stated?.window !== undefined) return Math.round((stated.limit * 60) / Number(stated.window));
    if (stated) undetermined(`no header says in which time ${stated.limit} requests are allowed`);
    // A limit that no header states and no request meets cannot be observed: it counts as none, in a run.
    if (!isPartial && !isLimited) return 0;
    return undetermined('no header says to how many requests the target limits its callers');
  },
};
