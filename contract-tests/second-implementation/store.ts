/** The data of one running implementation, kept in memory and made anew at each start. */
import { randomUUID } from 'node:crypto';
import type { Style } from './style.ts';

export type Claims = Record<'oid' | 'tid' | 'upn', string>;

export interface User {
  id: string;
  email: string;
  username: string;
  confirmed: boolean;
  created_at: string;
  administrator: boolean;
  tenantId: string;
  claims: Claims;
  password: string;
}

/** A recording as it is stored: the documented fields, then those that can only be written. */
export interface Recording {
  id: string;
  title: string;
  filename: string;
  status: string;
  method: string;
  quality: string;
  language: string;
  diarization_enabled: boolean;
  user_id: string;
  created_at: string;
  updated_at: string;
  revision: number;
  kept: Record<string, unknown>;
}

export interface ApiKey {
  id: string;
  tenantId: string;
  provider: string;
  name: string;
  status: string;
  created_at: string;
  secret: string;
}

export interface Store {
  users: User[];
  /** By the id of the path: a defect may change the id inside a record. */
  recordings: Map<string, Recording>;
  keys: ApiKey[];
  admin: User;
  member: User;
  recordingId: string;
  otherRecordingId: string;
  tenantId: string;
  otherTenantId: string;
  newId(kind: string): string;
}

/** Five language-model providers, a further model provider, a web-search provider. */
const PROVIDERS = ['mistral', 'aleph_alpha', 'qwen-max', 'llama3', 'cohere', 'voxtral', 'searx'] as const;
/** Free strings, so a client must encode them. */
const KEY_STATUSES = ['in use', 'rotation due & locked', 'außer Betrieb (100%)'] as const;

/** Formats an instant in the style's form; every form is an RFC 3339 date-time. */
export function timestamp(ms: number, style: Style): string {
  const at = (hours: number): string => new Date(ms + hours * 3_600_000).toISOString();
  switch (style.times) {
    case 'offset-micros':
      return `${at(2).slice(0, 23)}${String(ms % 997).padStart(3, '0')}+02:00`;
    case 'zulu-seconds':
      return `${at(0).slice(0, 19)}Z`;
    case 'zulu-millis':
      return at(0);
    case 'west-nanos':
      return `${at(-3.5).slice(0, 23)}${String(ms % 999_983).padStart(6, '0')}-03:30`;
  }
}

/** Ids in the style's form; those of the numeric style look like numbers, yet have leading zeros. */
function idMaker(style: Style): (kind: string) => string {
  let count = 40;
  return (kind) => {
    count += 1;
    if (style.ids === 'uuid') return randomUUID();
    if (style.ids === 'numeric') return String(count).padStart(6, '0');
    return `${kind}:ä ${count}+x~(${count % 7})`;
  };
}

function seedKeys(style: Style, tenants: readonly string[], newId: (kind: string) => string): ApiKey[] {
  const start = Date.UTC(2025, 10, 3, 7, 15, 9, 481);
  return tenants.flatMap((tenantId, tenant) =>
    Array.from({ length: tenant === 0 ? 12 : 4 }, (_, index) => ({
      id: style.keyIds === 'unique' ? newId('key') : String(index + 1),
      tenantId,
      provider: PROVIDERS[index % PROVIDERS.length] ?? PROVIDERS[0],
      name: `Zugang ${tenant + 1}/${index + 1}`,
      status: KEY_STATUSES[index % KEY_STATUSES.length] ?? KEY_STATUSES[0],
      created_at: timestamp(start + index * 86_400_123, style),
      secret: `sk-live-${randomUUID().replaceAll('-', '')}${randomUUID().slice(0, 8)}`,
    })),
  );
}

export function createStore(style: Style): Store {
  const newId = idMaker(style);
  const start = Date.UTC(2026, 2, 1, 8, 0, 0, 123);
  const [tenantId, otherTenantId] = [newId('tenant'), newId('tenant')];
  const tid = randomUUID();
  const user = (username: string, administrator: boolean): User => ({
    id: newId('user'),
    email: `${username}@second.example`,
    username,
    confirmed: administrator,
    created_at: timestamp(start, style),
    administrator,
    tenantId,
    claims: { oid: randomUUID(), tid, upn: `${username}@second.example` },
    password: `pw-${randomUUID()}`,
  });
  const [admin, member] = [user('frida.admin', true), user('mo', false)];
  const recordings = new Map<string, Recording>();
  const made = style.newRecordings ? Date.now() + style.clockSkewSeconds * 1000 : start;
  for (const [index, status] of ['completed', 'pending', 'processing', 'failed'].entries()) {
    const id = newId('rec');
    recordings.set(id, {
      id,
      title: `Aufnahme ${index + 1} – Größe "M" & mehr`,
      filename: `aufnahme ${index + 1}.m4a`,
      status,
      method: ['telephony', 'upload/v2'][index % 2] ?? '',
      quality: ['48000', 'studio (hi-res)'][index % 2] ?? '',
      language: ['gsw-CH', 'zh-Hant'][index % 2] ?? '',
      diarization_enabled: index % 2 === 0,
      user_id: index === 3 ? member.id : admin.id,
      created_at: timestamp(made + index * 3_600_000, style),
      updated_at: timestamp(made + index * 3_600_000 + 5_000, style),
      revision: 1,
      kept: {},
    });
  }
  const [recordingId = ''] = recordings.keys();
  const otherRecordingId = [...recordings.keys()].at(-1) ?? '';
  const keys = seedKeys(style, [tenantId, otherTenantId], newId).filter(
    (key) => style.keys === 'full' || key.tenantId !== tenantId,
  );
  return {
    users: [admin, member],
    recordings,
    keys,
    admin,
    member,
    recordingId,
    otherRecordingId,
    tenantId,
    otherTenantId,
    newId,
  };
}
