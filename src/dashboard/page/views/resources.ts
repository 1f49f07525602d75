import type { operations } from '../../../core/spec/control-types.ts';
import type { Schemas } from '../api/client.ts';

export type Resource = operations['listRecords']['parameters']['path']['resource'];

export type RecordData = Readonly<Record<string, unknown>> & { readonly id: string };

/** A kind of record: the name of its schema in the control plane's document and of its count, and what the table shows besides the id. */
const kind = <Name extends keyof Schemas>(
  title: string,
  one: string,
  schema: Name,
  count: keyof Schemas['Info']['counts'],
  columns: readonly (keyof Schemas[Name] & string)[],
  canAdd = true,
) => ({ title, one, schema, count, columns: columns as readonly string[], canAdd });

export const resources: Readonly<Record<Resource, ReturnType<typeof kind>>> = {
  recordings: kind('Recordings', 'recording', 'Recording', 'recordings', ['title', 'status', 'user_id', 'updated_at']),
  users: kind('Users', 'user', 'User', 'users', ['username', 'email', 'tenant', 'administrator', 'confirmed']),
  tenants: kind('Tenants', 'tenant', 'Tenant', 'tenants', ['name', 'tid']),
  'api-keys': kind('API keys', 'key', 'ApiKey', 'apiKeys', ['name', 'provider', 'status', 'tenant', 'last_used_at']),
  pats: kind('PATs', 'PAT', 'Pat', 'pats', ['name', 'user_id', 'scopes', 'expires_at'], false),
  'refresh-tokens': kind(
    'Refresh tokens',
    'refresh token',
    'RefreshToken',
    'refreshTokens',
    ['user_id', 'expires_at'],
    false,
  ),
};

export const isResource = (name: string): name is Resource => Object.hasOwn(resources, name);
