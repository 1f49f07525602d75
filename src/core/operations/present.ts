import type { Answers } from '../profiles/answers.ts';
import type { components } from '../spec/api-types.ts';
import type { ApiKey, Recording, User } from '../world/records.ts';

type Schemas = components['schemas'];

/** A stored time (ISO, UTC, milliseconds) in the profile's format (gap timestamp-form). */
export function timestamp(iso: string, answers: Answers): string {
  return answers.get('timestamp-form') === 'offset-micros' ? iso.replace(/Z$/, '000+00:00') : iso;
}

const hasExtras = (answers: Answers): boolean => answers.get('extra-fields') === 'some';

/** The User record of part 2. */
export function presentUser(user: User, answers: Answers): Schemas['User'] {
  return {
    id: user.id,
    email: user.email,
    username: user.username,
    confirmed: user.confirmed,
    created_at: timestamp(user.created_at, answers),
    ...(hasExtras(answers) && { locale: user.locale }),
  };
}

/** The Recording record of part 2: without summary, analysis and the knowledge-base links, which are write-only. */
export function presentRecording(recording: Recording, answers: Answers): Schemas['Recording'] {
  return {
    id: recording.id,
    title: recording.title,
    filename: recording.filename,
    status: recording.status,
    // The vocabularies are the profile's; the types are the default profile's.
    method: recording.method as Schemas['Recording']['method'],
    quality: recording.quality as Schemas['Recording']['quality'],
    language: recording.language as Schemas['Recording']['language'],
    diarization_enabled: recording.diarization_enabled,
    user_id: recording.user_id,
    created_at: timestamp(recording.created_at, answers),
    updated_at: timestamp(recording.updated_at, answers),
    ...(hasExtras(answers) && { duration_seconds: recording.duration_seconds }),
  };
}

/** The Tenant API key record of part 2: the secret is not part of it. */
export function presentApiKey(key: ApiKey, answers: Answers): Schemas['TenantApiKey'] {
  return {
    id: key.id,
    provider: key.provider as Schemas['TenantApiKey']['provider'],
    name: key.name,
    status: key.status as Schemas['TenantApiKey']['status'],
    created_at: timestamp(key.created_at, answers),
    ...(hasExtras(answers) && { last_used_at: timestamp(key.last_used_at, answers) }),
  };
}
