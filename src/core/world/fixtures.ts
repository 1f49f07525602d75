import { fixtures as shipped } from '../generated/data.js';
import type { ApiKey, Recording, SsoIdentity, Tenant, User } from './records.ts';

export interface UserFixture extends Omit<User, 'locale' | 'sso'> {
  readonly password: string;
  readonly locale?: string;
  readonly sso: Omit<SsoIdentity, 'tid'> & Partial<SsoIdentity>;
}

type Positions<Field extends string> = Readonly<Record<Field, number>>;

/** A record without fields that are written as 1-based positions in the profile's vocabularies, or have defaults. */
type Written<T, Field extends keyof T, Optional extends keyof T> = Omit<T, Field | Optional> &
  Partial<Pick<T, Optional>>;

export type RecordingFixture = { readonly user: string } & Partial<Positions<'method' | 'quality' | 'language'>> &
  Written<
    Recording,
    'method' | 'quality' | 'language' | 'user_id',
    'diarization_enabled' | 'updated_at' | 'duration_seconds'
  >;

export type ApiKeyFixture = Positions<'provider' | 'status'> & Written<ApiKey, 'provider' | 'status', 'last_used_at'>;

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

export type FixtureFile = Partial<Fixtures>;

export function mergeFixtures(files: readonly FixtureFile[]): Fixtures {
  const merged = fixtureKinds.map((kind) => [kind, files.flatMap((file): readonly object[] => file[kind] ?? [])]);
  return {
    ...Object.fromEntries(merged),
    fill: Object.fromEntries(files.flatMap(({ fill = {} }) => Object.entries(fill))),
  } as Fixtures;
}

/** The fixtures that ship with the package; a test validates them. */
export const shippedFixtures = (): Fixtures => mergeFixtures(Object.values(shipped) as FixtureFile[]);
