import { isDeepStrictEqual } from 'node:util';
import { apiKeysPath, UNKNOWN_PARAMETER } from '../api/operations.ts';
import { fieldsOf, type RecordName } from '../api/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { agreeing, type Probe, Undetermined, unexpected } from './probe.ts';
import { limitOf } from './rate-limits.ts';
import { isAccepted, keysAs, listedKeys } from './requests.ts';

export interface SeenRecord {
  type: RecordName;
  record: JsonObject;
}

/** Every record of part 2 that the suite can see: the user who signs in, the API keys, the recording where it may write. */
async function seenRecords(session: Session): Promise<SeenRecord[]> {
  const seen: SeenRecord[] = [];
  const note = (type: RecordName, value: unknown): void => {
    if (isObject(value)) seen.push({ type, record: value });
  };
  if (session.credentials('admin').sso) {
    const grant = await session.signIn.ssoGrant('admin');
    note('TokenGrant', grant);
    note('User', grant.user);
  }
  if (session.target.resources?.tenantId) for (const key of await listedKeys(session)) note('TenantApiKey', key);
  if (session.target.resources?.recordingId && session.config.allowWrites) {
    const recording = await session.recording.original();
    if (isSuccess(recording)) note('Recording', jsonOf(recording));
  }
  if (seen.length === 0) throw new Undetermined('no user, recording or API key was seen');
  return seen;
}

/** What the answer `some` stands for at the mock itself. */
const SOME = {
  User: { locale: 'string' },
  Recording: { duration_seconds: 'number' },
  TenantApiKey: { last_used_at: 'date-time' },
};

/** The members of records beyond those of part 2, each with the type of its value, never the value itself. */
export function extrasIn(seen: readonly SeenRecord[]): unknown {
  const extras: Record<string, JsonObject> = {};
  for (const { type, record } of seen) {
    for (const [name, value] of Object.entries(record)) {
      if (Object.hasOwn(fieldsOf(type), name)) continue;
      const known = extras[type]?.[name];
      extras[type] = { ...extras[type], [name]: known === undefined || known === 'null' ? typeOf(value) : known };
    }
  }
  if (Object.keys(extras).length === 0) return 'none';
  return Object.entries(extras).every(([type, members]) =>
    isDeepStrictEqual(members, SOME[type as RecordName & keyof typeof SOME]),
  )
    ? 'some'
    : extras;
}

function typeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(typeOf);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typeOf(one)]));
  if (typeof value === 'string' && formOf(value) !== undefined) return 'date-time';
  return value === null ? 'null' : typeof value;
}

/** The form of a date-time, as a profile names it or writes it out. */
export function formOf(time: string): string | { digits: number; offset: string } | undefined {
  const [, fraction = '', offset] = /T\d\d:\d\d:\d\d(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  if (offset === undefined) return undefined;
  const written = `${fraction.length} ${offset}`;
  return { '3 Z': 'z-millis', '6 +00:00': 'offset-micros' }[written] ?? { digits: fraction.length, offset };
}

/** Queries, success codes, the form of times, more fields than documented, and limits. */
export const answerProbes: Probe[] = [
  {
    gap: 'unknown-query',
    repeats: true,
    sends: 'GET of the token scopes and of the API keys with an unknown parameter',
    needs: ['actors.admin'],
    async observe(session) {
      const seen: { what: string; value: 'ignore' | 'refuse' }[] = [];
      const note = (what: string, answer: Answer): void => {
        seen.push({ what, value: isAccepted(what, answer) ? 'ignore' : 'refuse' });
      };
      const path = apiKeysPath(session.target.resources?.tenantId ?? '');
      // A page with the parameter that is answered says that it is ignored, whatever the page.
      const known = session.recall(
        (answer) =>
          isSuccess(answer) && answer.request.url.includes(path) && answer.request.url.includes(UNKNOWN_PARAMETER),
      );
      const scopes = await session.scopes.of('admin').catch(() => undefined);
      if (scopes && isSuccess(scopes)) {
        const path = `${await session.scopes.path()}?${UNKNOWN_PARAMETER}=1`;
        const headers = await session.signIn.authorization('admin');
        const answered = session.recall((answer) => isSuccess(answer) && answer.request.url.endsWith(path));
        note('the token scopes', answered ?? (await session.send({ method: 'GET', path, headers })));
      }
      if (session.target.resources?.tenantId && isSuccess(await session.apiKeys.all())) {
        note(
          'the API keys',
          known ?? (await keysAs(session, 'admin', session.resource('tenantId'), { [UNKNOWN_PARAMETER]: '1' })),
        );
      }
      return agreeing(seen, 'neither the token scopes nor the API keys are answered without it');
    },
  },
  {
    gap: 'success-codes',
    sends: 'POST /v1/auth/sso and the one POST /v1/api-tokens of the run; GET of the API keys',
    writes: true,
    needs: ['actors.admin.sso', 'actors.admin'],
    async observe(session) {
      // SSO makes nothing that is kept, PAT creation does.
      const { answer: sso } = await session.signIn.sso('admin');
      const pat = await session.pats.created('admin');
      for (const answer of [sso, pat]) if (!isSuccess(answer)) throw unexpected('A creation', answer);
      const statuses = `${sso.response.status} ${pat.response.status}`;
      const elsewhere = [await session.scopes.of('admin').catch(() => undefined)];
      if (session.target.resources?.tenantId) elsewhere.push(await session.apiKeys.all());
      if (session.target.resources?.recordingId) elsewhere.push(await session.recording.original());
      const others = elsewhere.filter((answer) => answer !== undefined && isSuccess(answer));
      const odd = others.find((answer) => answer?.response.status !== 200);
      if (odd) throw new Undetermined(`${odd.request.method} succeeds with ${odd.response.status}`);
      const known = { '200 201': 'creation-201', '200 200': 'always-200', '201 201': 'post-201' }[statuses];
      return known ?? { ssoLogin: sso.response.status, createApiToken: pat.response.status };
    },
  },
  {
    gap: 'timestamp-form',
    sends: 'nothing of its own: the user of the SSO login, the API keys, the recording',
    needs: ['actors.admin'],
    async observe(session) {
      const times = (await seenRecords(session)).flatMap(({ record }) => [record.created_at, record.updated_at]);
      const seen = times
        .filter((time) => typeof time === 'string')
        .map((time) => ({ what: time, value: formOf(time) }));
      const [first] = seen;
      if (!first || seen.some(({ value }) => value === undefined))
        throw new Undetermined(`date-times are written in another form${first ? `: ${first.what}` : ''}`);
      if (seen.every(({ value }) => isDeepStrictEqual(value, first.value))) return first.value;
      throw new Undetermined('date-times are written in several forms');
    },
  },
  {
    gap: 'extra-fields',
    sends: 'nothing of its own: the user of the SSO login, the API keys, the recording',
    needs: ['actors.admin'],
    async observe(session) {
      return extrasIn(await seenRecords(session));
    },
  },
  {
    gap: 'rate-limit',
    sends: 'nothing of its own: the headers of every answer of the run',
    needs: ['actors.admin', 'resources.tenantId'],
    async observe(session) {
      await session.apiKeys.all();
      await session.scopes.of('admin').catch(() => undefined);
      const limit = limitOf(session.successes);
      // A limit that no header states and no request meets cannot be observed: it counts as none.
      if (limit === undefined && session.limited)
        throw new Undetermined('the target limits requests, but no header says to how many');
      return limit ?? 0;
    },
  },
];
