import { asText } from '../../../contract-tests/values/json.ts';
import { presentApiKey, presentRecording, presentUser } from '../operations/present.ts';
import type { Answers } from '../profiles/answers.ts';
import type { recordSchemas } from '../validation/schemas.ts';
import type { IdKind } from './ids.ts';
import type { ApiKey, Recording, User } from './records.ts';
import type { TableName } from './store.ts';
import type { Table } from './table.ts';
import { wordsOf } from './vocabulary.ts';
import type { World } from './world.ts';

/** The kinds of records that can be edited, as the control plane names them. */
export type ResourceName = 'tenants' | 'users' | 'recordings' | 'api-keys' | 'pats' | 'refresh-tokens';

/** A record of any kind, as it is read and edited. */
export type AnyRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

/** How one kind of record is edited, by the control plane and by custom routes. */
export interface Resource {
  readonly table: TableName;
  readonly schema: 'Tenant' | 'User' | 'Recording' | 'ApiKey' | 'Pat' | 'RefreshToken';
  /** Default fields of a new record; undefined if only POST /tokens creates such records. */
  readonly defaults?: (world: World, body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  readonly idKind?: IdKind;
  /** field -> the table that its value refers to. */
  readonly references?: Readonly<Record<string, TableName>>;
  /** Unique fields: index name -> path of the field. */
  readonly unique?: Readonly<Record<string, string>>;
  /** How the API returns it, and the schema of the resolved spec. */
  readonly inSpec?: {
    readonly schema: (typeof recordSchemas)[number];
    readonly present: (record: AnyRecord, answers: Answers) => unknown;
  };
}

/** A record without the field that is stored but never returned. */
export const visibleRecord = ({ secret_hash: _, ...record }: AnyRecord): AnyRecord => record;

const nowOf = (world: World) => world.clock.nowIso();
const firstTenant = (world: World) => [...world.store.tenants.all()][0]?.id ?? '';

export const resources: { readonly [Name in ResourceName]: Resource } = {
  tenants: {
    table: 'tenants',
    schema: 'Tenant',
    idKind: 'tenant',
    defaults: (world) => ({ name: 'New tenant', tid: world.ids.next('tenant', 'tid') }),
    unique: { tid: 'tid' },
  },
  users: {
    table: 'users',
    schema: 'User',
    idKind: 'user',
    defaults: newUser,
    references: { tenant: 'tenants' },
    unique: { email: 'email', username: 'username', oid: 'sso.oid' },
    inSpec: { schema: 'User', present: (record, answers) => presentUser(record as User, answers) },
  },
  recordings: {
    table: 'recordings',
    schema: 'Recording',
    idKind: 'recording',
    defaults: (world) => ({
      title: 'New recording',
      filename: 'new-recording.mp3',
      status: 'pending',
      ...wordsOf('recordings', {}, world.answers),
      diarization_enabled: false,
      user_id: [...world.store.users.all()][0]?.id,
      created_at: nowOf(world),
      updated_at: nowOf(world),
      duration_seconds: 0,
    }),
    references: { user_id: 'users' },
    inSpec: {
      schema: 'Recording',
      present: (record, answers) => presentRecording(record as Recording, answers),
    },
  },
  'api-keys': {
    table: 'apiKeys',
    schema: 'ApiKey',
    idKind: 'api-key',
    defaults: (world) => ({
      tenant: firstTenant(world),
      ...wordsOf('apiKeys', {}, world.answers),
      name: 'New API key',
      created_at: nowOf(world),
      last_used_at: nowOf(world),
    }),
    references: { tenant: 'tenants' },
    inSpec: {
      schema: 'TenantApiKey',
      present: (record, answers) => presentApiKey(record as ApiKey, answers),
    },
  },
  pats: { table: 'pats', schema: 'Pat', references: { user_id: 'users' } },
  'refresh-tokens': { table: 'refreshTokens', schema: 'RefreshToken', references: { user_id: 'users' } },
};

function newUser(world: World, { username, tenant = firstTenant(world) }: Readonly<Record<string, unknown>>) {
  const id = world.ids.next('user', 'control');
  const name = typeof username === 'string' && /^[a-z0-9]+$/i.test(username) ? username : `user-${id.slice(0, 8)}`;
  const email = `${name}@new.example`;
  return {
    email,
    username: name,
    password: `${name}-password`,
    confirmed: true,
    created_at: nowOf(world),
    tenant,
    administrator: false,
    locale: 'en',
    sso: { oid: id, tid: world.store.tenants.get(asText(tenant))?.tid ?? '', upn: email },
  };
}

export const tableOf = (world: World, { table }: Resource): Table<AnyRecord> =>
  world.store[table] as unknown as Table<AnyRecord>;
