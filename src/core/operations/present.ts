import type { Answers } from '../profiles/answers.ts';
import type { components } from '../spec/api-types.ts';
import type { GapId } from '../spec/gaps.ts';
import { readBack, render, shapeFor, type Values } from '../spec/shape.ts';
import type { ApiKey, Recording, User } from '../world/records.ts';
import type { World } from '../world/world.ts';

type Schemas = components['schemas'];

/** A stored time (ISO, UTC, milliseconds) in the profile's format (gap timestamp-form). */
export function timestamp(iso: string, answers: Answers): string {
  const form = answers.get('timestamp-form');
  if (form === 'z-millis') return iso;
  if (form === 'offset-micros') return iso.replace(/Z$/, '000+00:00');
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):(\d\d)$/.exec(form.offset) ?? [];
  const ahead = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const [seconds = '', fraction = ''] = new Date(Date.parse(iso) + ahead).toISOString().replace('Z', '').split('.');
  const digits = fraction.padEnd(9, '0').slice(0, form.digits);
  return `${seconds}${digits === '' ? '' : `.${digits}`}${form.offset}`;
}

/** What a request's body says, in the shape that the profile gives it: values by the names of the gap's placeholders. */
export function readBodyAs(gap: GapId, { answers }: World, body: unknown): Readonly<Record<string, unknown>> {
  const shape = shapeFor(gap, answers.all);
  return shape ? readBack(shape.template, body) : {};
}

/** A body in the shape that the profile gives it. */
export function writeBodyAs(gap: GapId, { answers }: World, values: Values, items: readonly Values[] = []): unknown {
  return render(gap, shapeFor(gap, answers.all)?.template ?? null, values, items);
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
