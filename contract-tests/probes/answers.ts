import { fieldsOf, type RecordName } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { agreeing, type Probe, Undetermined, unexpected } from './probe.ts';
import { isAccepted, keysAs, listedKeys } from './requests.ts';

interface SeenRecord {
  type: RecordName;
  record: JsonObject;
}

/** Every record of part 2 that the suite can see: the user who signs in, the API keys, the recording where it may write. */
async function seenRecords(session: Session): Promise<SeenRecord[]> {
  const seen: SeenRecord[] = [];
  const note = (type: RecordName, value: unknown): void => {
    if (isObject(value)) seen.push({ type, record: value });
  };
  if (session.credentials('admin').sso) note('User', (await session.signIn.ssoGrant('admin')).user);
  if (session.target.resources?.tenantId) for (const key of await listedKeys(session)) note('TenantApiKey', key);
  if (session.target.resources?.recordingId && session.config.allowWrites) {
    const recording = await session.recording.original();
    if (isSuccess(recording)) note('Recording', jsonOf(recording));
  }
  if (seen.length === 0) throw new Undetermined('no user, recording or API key was seen');
  return seen;
}

/** Fields of a record beyond those of part 2. */
function extraFieldsOf({ type, record }: SeenRecord): string[] {
  return Object.keys(record).filter((name) => !Object.hasOwn(fieldsOf(type), name));
}

function formOf(time: string): string | undefined {
  if (/T\d\d:\d\d:\d\d\.\d{3}Z$/.test(time)) return 'z-millis';
  return /T\d\d:\d\d:\d\d\.\d{6}\+00:00$/.test(time) ? 'offset-micros' : undefined;
}

/** The limit that the headers state, in requests a minute; 0 when they state none. */
function perMinute(headers: Record<string, string>): number {
  const policy = headers['ratelimit-policy'] ?? headers.ratelimit ?? '';
  const stated = headers['ratelimit-limit'] ?? headers['x-ratelimit-limit'] ?? headers['x-rate-limit-limit'] ?? policy;
  const limit = /(?:^|limit=|q=)\s*(\d+)/.exec(stated)?.[1];
  if (limit === undefined) return 0;
  const window = /\bw=(\d+)/.exec(`${stated};${policy}`)?.[1];
  if (window !== undefined) return Math.round((Number(limit) * 60) / Number(window));
  const reset = Number(headers['ratelimit-reset'] ?? headers['x-ratelimit-reset'] ?? 0);
  // A moment in time rather than a number of seconds says nothing about the window.
  if (reset > 60 && reset < 1_000_000)
    throw new Undetermined(`${limit} requests, in a time that is longer than a minute`);
  return Number(limit);
}

const PARAMETER = 'no_such_parameter_probe';

/** Queries, success codes, the form of times, more fields than documented, and limits. */
export const answerProbes: Probe[] = [
  {
    gap: 'unknown-query',
    sends: 'GET of the token scopes and of the API keys with an unknown parameter',
    repeats: true,
    needs: ['actors.admin'],
    async observe(session) {
      const seen: { what: string; value: 'ignore' | 'refuse' }[] = [];
      const note = (what: string, answer: Answer): void => {
        seen.push({ what, value: isAccepted(what, answer) ? 'ignore' : 'refuse' });
      };
      const scopes = await session.scopes.of('admin').catch(() => undefined);
      if (scopes && isSuccess(scopes)) {
        const path = `${await session.scopes.path()}?${PARAMETER}=1`;
        const headers = await session.signIn.authorization('admin');
        note('the token scopes', await session.send({ method: 'GET', path, headers }));
      }
      if (session.target.resources?.tenantId && isSuccess(await session.apiKeys.all())) {
        note('the API keys', await keysAs(session, 'admin', session.resource('tenantId'), { [PARAMETER]: '1' }));
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
      if (known) return known;
      throw new Undetermined(`SSO succeeds with ${sso.response.status}, PAT creation with ${pat.response.status}`);
    },
  },
  {
    gap: 'timestamp-form',
    sends: 'nothing of its own: the user of the SSO login, the API keys, the recording',
    needs: ['actors.admin'],
    async observe(session) {
      const times = (await seenRecords(session)).flatMap(({ record }) => [record.created_at, record.updated_at]);
      const forms = new Set(times.filter((time) => typeof time === 'string').map(formOf));
      const [form] = forms;
      if (forms.size === 1 && form !== undefined) return form;
      throw new Undetermined(
        forms.size > 1 ? 'date-times are written in several forms' : 'there is another form of date-times',
      );
    },
  },
  {
    gap: 'extra-fields',
    sends: 'nothing of its own: the user of the SSO login, the API keys, the recording',
    needs: ['actors.admin'],
    async observe(session) {
      return (await seenRecords(session)).some((seen) => extraFieldsOf(seen).length > 0) ? 'some' : 'none';
    },
  },
  {
    gap: 'rate-limit',
    sends: 'nothing of its own: the headers of the API keys and of the token scopes',
    needs: ['actors.admin', 'resources.tenantId'],
    async observe(session) {
      // A limit that no header states and no request meets cannot be observed: it counts as none.
      const keys = await session.apiKeys.all();
      const scopes = await session.scopes.of('admin').catch(() => undefined);
      const seen = [keys, ...(scopes ? [scopes] : [])].map((answer) => ({
        what: answer.request.url.split('/').at(-1) ?? '',
        value: perMinute(answer.response.headers),
      }));
      const limit = agreeing(seen, 'nothing was answered');
      if (limit === 0 && session.limited)
        throw new Undetermined('the target limits requests, but no header says to how many');
      return limit;
    },
  },
];
