import { SAMPLE_ID } from '../api/operations.ts';
import { STATUSES, UNFINISHED } from '../api/records.ts';
import { isDateTime } from '../rules/fields.ts';
import type { Session } from '../session/session.ts';
import { jsonOf } from '../values/answer.ts';
import { isObject, type JsonObject } from '../values/json.ts';

/** Values other than the recording's own that a target might accept: it may validate what it writes, or empty by null. */
export async function otherValues(field: string, record: JsonObject, session: Session): Promise<unknown[]> {
  const current = record[field];
  const isUnfinished = UNFINISHED.includes(record.status as string);
  switch (field) {
    case 'id':
      return [SAMPLE_ID];
    case 'user_id':
      // Whether the user exists may be looked up.
      return [SAMPLE_ID, ...(await memberId(session, current)), null];
    case 'status':
      // Not what processing itself would make of it: that it became so would prove nothing.
      if (isUnfinished) return ['failed', null];
      return [...STATUSES.filter((status) => status !== current).toReversed(), null];
    case 'diarization_enabled':
      return [!current, null];
    case 'filename':
      return [`overwritten-by-contract-suite${/\.\w{1,5}$/.exec(String(current))?.[0] ?? '.wav'}`, null];
    case 'created_at':
    case 'updated_at':
      return [longAgo(current), null];
    default: {
      if (isUnfinished) return ['other', null]; // processing finds out the language, and may settle the others
      const vocabulary = session.assumed<string[]>(`${field}-values`).filter((value) => value !== current);
      return [...vocabulary.slice(0, 2), 'other', null];
    }
  }
}

/** Another time, in whole seconds, written as the recording writes its own. */
function longAgo(time: unknown): string {
  if (!isDateTime(time)) return '2001-02-03T04:05:06Z';
  return String(time)
    .replace(/^\d{4}/, '2000') // a leap year, so that every day of another one exists
    .replace(/(?<=[.,])\d+/, (digits) => '0'.repeat(digits.length));
}

async function memberId(session: Session, owner: unknown): Promise<unknown[]> {
  if (!session.credentials('member').sso) return [];
  const id = await session.signIn.sso('member').then(
    (answer) => {
      const grant = jsonOf(answer);
      return isObject(grant) && isObject(grant.user) ? grant.user.id : undefined;
    },
    () => undefined,
  );
  return typeof id === 'string' && id !== owner ? [id] : [];
}
