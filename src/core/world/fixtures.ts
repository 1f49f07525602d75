import { fixtures as shipped } from '../generated/data.js';
import type { JsonObject } from '../spec/document.ts';
import type { RecordingStatus, Tenant } from './records.ts';

export interface UserFixture {
  readonly id: string;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly confirmed: boolean;
  readonly created_at: string;
  readonly tenant: string;
  readonly administrator: boolean;
  readonly locale?: string;
  readonly sso: { readonly oid: string; readonly tid?: string; readonly upn: string };
}

/** Numbers are 1-based positions in the profile's vocabularies. */
export interface RecordingFixture {
  readonly id: string;
  readonly title: string;
  readonly filename: string;
  readonly status: RecordingStatus;
  readonly method?: number;
  readonly quality?: number;
  readonly language?: number;
  readonly diarization_enabled?: boolean;
  readonly user: string;
  readonly created_at: string;
  readonly updated_at?: string;
  readonly duration_seconds?: number;
  readonly kb_folder_id?: string;
  readonly kb_document_id?: string;
  readonly summary?: string;
  readonly analysis?: JsonObject;
}

/** `provider` and `status` are 1-based positions in the profile's vocabularies. */
export interface ApiKeyFixture {
  readonly id: string;
  readonly tenant: string;
  readonly provider: number;
  readonly name: string;
  readonly status: number;
  readonly created_at: string;
  readonly last_used_at?: string;
}

/** Hand-written seed data, independent of any profile. */
export interface Fixtures {
  readonly tenants: readonly Tenant[];
  readonly users: readonly UserFixture[];
  readonly recordings: readonly RecordingFixture[];
  readonly api_keys: readonly ApiKeyFixture[];
  readonly fill: { readonly recordings?: number };
}

export const fixtureKinds = ['tenants', 'users', 'recordings', 'api_keys'] as const;
export type FixtureKind = (typeof fixtureKinds)[number];

/** The content of one fixture file. */
export type FixtureFile = Partial<Fixtures>;

/** Merges the fixtures of several files. */
export function mergeFixtures(files: readonly FixtureFile[]): Fixtures {
  const of = <Kind extends FixtureKind>(kind: Kind): Fixtures[Kind] =>
    files.flatMap((file) => (file[kind] ?? []) as readonly unknown[]) as unknown as Fixtures[Kind];
  return {
    tenants: of('tenants'),
    users: of('users'),
    recordings: of('recordings'),
    api_keys: of('api_keys'),
    fill: Object.assign({}, ...files.map(({ fill }) => fill)),
  };
}

/** The fixtures that ship with the package; a test validates them. */
export const shippedFixtures = (): Fixtures => mergeFixtures(Object.values(shipped) as FixtureFile[]);
