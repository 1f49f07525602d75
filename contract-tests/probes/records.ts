import type { Session } from '../session/session.ts';
import { isSuccess, jsonOf } from '../wire/answers.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { Undetermined } from './probe.ts';
import { listedKeys } from './requests.ts';

/** The fields of part 2. */
const DOCUMENTED = {
  user: ['id', 'email', 'username', 'confirmed', 'created_at'],
  recording: [
    'id',
    'title',
    'filename',
    'status',
    'method',
    'quality',
    'language',
    'diarization_enabled',
    'user_id',
    'created_at',
    'updated_at',
  ],
  'API key': ['id', 'provider', 'name', 'status', 'created_at'],
} as const;

export interface SeenRecord {
  kind: keyof typeof DOCUMENTED;
  record: JsonObject;
}

/** Every record of part 2 that the suite can see: the user who signs in, the API keys, the recording where it may write. */
export async function seenRecords(session: Session): Promise<SeenRecord[]> {
  const seen: SeenRecord[] = [];
  const note = (kind: SeenRecord['kind'], value: unknown): void => {
    if (isObject(value)) seen.push({ kind, record: value });
  };
  if (session.credentials('admin').sso) note('user', (await session.signIn.ssoGrant('admin')).user);
  if (session.target.resources?.tenantId) for (const key of await listedKeys(session)) note('API key', key);
  if (session.target.resources?.recordingId && session.config.allowWrites) {
    const recording = await session.recording.original();
    if (isSuccess(recording)) note('recording', jsonOf(recording));
  }
  if (seen.length === 0) throw new Undetermined('no user, recording or API key was seen');
  return seen;
}

/** Fields of a record beyond those of part 2. */
export function extraFieldsOf({ kind, record }: SeenRecord): string[] {
  const documented: readonly string[] = DOCUMENTED[kind];
  return Object.keys(record).filter((name) => !documented.includes(name));
}
