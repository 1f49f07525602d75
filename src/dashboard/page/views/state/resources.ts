import type { Schemas } from '../../api/client.ts';

/** A record of any kind. */
export type RecordData = Readonly<Record<string, unknown>> & { readonly id: string };

interface Shown {
  readonly title: string;
  readonly one: string;
  /** Name of its schema in the control plane's document. */
  readonly schema: keyof Schemas;
  /** What the table shows beside the id. */
  readonly columns: readonly string[];
  readonly canAdd: boolean;
}

/** The kinds of record, in the order of the tabs. */
export const resources = {
  recordings: {
    title: 'Recordings',
    one: 'recording',
    schema: 'Recording',
    columns: ['title', 'status', 'user_id', 'updated_at'],
    canAdd: true,
  },
  users: {
    title: 'Users',
    one: 'user',
    schema: 'User',
    columns: ['username', 'email', 'tenant', 'administrator', 'confirmed'],
    canAdd: true,
  },
  tenants: { title: 'Tenants', one: 'tenant', schema: 'Tenant', columns: ['name', 'tid'], canAdd: true },
  'api-keys': {
    title: 'API keys',
    one: 'key',
    schema: 'ApiKey',
    columns: ['name', 'provider', 'status', 'tenant', 'last_used_at'],
    canAdd: true,
  },
  pats: {
    title: 'PATs',
    one: 'PAT',
    schema: 'Pat',
    columns: ['name', 'user_id', 'scopes', 'expires_at'],
    canAdd: false,
  },
  'refresh-tokens': {
    title: 'Refresh tokens',
    one: 'refresh token',
    schema: 'RefreshToken',
    columns: ['user_id', 'expires_at'],
    canAdd: false,
  },
} as const satisfies Record<string, Shown>;

export type Resource = keyof typeof resources;

/** Is this the name of a kind of record? */
export const isResource = (name: string): name is Resource => Object.hasOwn(resources, name);

/** Fields whose values a gap lists: its answer is what may be chosen. */
export const vocabularies: Readonly<Record<string, string>> = {
  method: 'method-values',
  quality: 'quality-values',
  language: 'language-values',
  provider: 'provider-values',
};
