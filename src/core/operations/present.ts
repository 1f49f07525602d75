import { memberOf } from '../../../contract-tests/values/json.ts';
import type { Answers } from '../profiles/answers.ts';
import type { components } from '../spec/api-types.ts';
import type { GapId } from '../spec/gaps.ts';
import { type Json, type JsonObject, mapMembers } from '../spec/json.ts';
import { readBack, render, shapeFor, type Values } from '../spec/shape.ts';
import type { ApiKey, Recording, User } from '../world/records.ts';
import type { World } from '../world/world.ts';
import type { OperationRequest } from './operation.ts';

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

/** The values of a request's body, read by the profile's shape: by the names of the gap's placeholders. */
export function readBodyAs(gap: GapId, { answers }: World, body: unknown): Readonly<Record<string, unknown>> {
  const shape = shapeFor(gap, answers.all);
  return shape ? readBack(shape.template, body) : {};
}

/** Members of a body; numbers and truth values that are sent as texts become texts (gap wrong-type). */
export function asTexts<T extends object>(sent: T, request: OperationRequest): T {
  const isOther = (value: unknown) => typeof value === 'number' || typeof value === 'boolean';
  if (!Object.values(sent).some(isOther)) return sent;
  request.leanOn('wrong-type');
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, isOther(value) ? String(value) : value]),
  ) as T;
}

/** A body in the profile's shape. */
export function writeBodyAs(gap: GapId, { answers }: World, values: Values, items: readonly Values[] = []): unknown {
  return render(gap, shapeFor(gap, answers.all)?.template ?? null, values, items);
}

/** A record with members beyond the documented ones (gap extra-fields): the mock's, or those that the profile names. */
export function withExtras<T extends object>(name: string, record: T, own: JsonObject, time: string, answers: Answers) {
  const extras = answers.get('extra-fields');
  // Most profiles: no copy.
  if (extras === 'none') return record;
  return { ...record, ...(extras === 'some' ? own : (ofTypes(memberOf(extras, name) ?? {}, time) as JsonObject)) };
}

/** A value of each type that the gap extra-fields names. */
function ofTypes(types: Json, time: string): Json {
  if (typeof types === 'object') return mapMembers(types, (type) => ofTypes(type, time));
  const values: Readonly<Record<string, Json>> = { number: 0, boolean: false, null: null, 'date-time': time };
  return memberOf(values, String(types)) ?? (types === 'null' ? null : 'text');
}

/** The User record of part 2. */
export function presentUser(user: User, answers: Answers): Schemas['User'] {
  const { id, email, username, confirmed, locale } = user;
  const created_at = timestamp(user.created_at, answers);
  return withExtras('User', { id, email, username, confirmed, created_at }, { locale }, created_at, answers);
}

/** The Recording record of part 2: without summary, analysis and the knowledge-base links, which are write-only. */
export function presentRecording(recording: Recording, answers: Answers): Schemas['Recording'] {
  const { duration_seconds } = recording;
  const presented = {
    id: recording.id,
    title: recording.title,
    filename: recording.filename,
    status: recording.status,
    method: recording.method,
    quality: recording.quality,
    language: recording.language,
    diarization_enabled: recording.diarization_enabled,
    user_id: recording.user_id,
    created_at: timestamp(recording.created_at, answers),
    updated_at: timestamp(recording.updated_at, answers),
  };
  return withExtras('Recording', presented, { duration_seconds }, presented.updated_at, answers);
}

/** The Tenant API key record of part 2: the secret is not part of it. */
export function presentApiKey(key: ApiKey, answers: Answers): Schemas['TenantApiKey'] {
  const { id, provider, name, status } = key;
  const created_at = timestamp(key.created_at, answers);
  const last_used_at = timestamp(key.last_used_at, answers);
  const presented = { id, provider, name, status, created_at };
  return withExtras('TenantApiKey', presented, { last_used_at }, key.created_at, answers);
}
