import type { operations } from '../../../control/control-types.ts';
import type { Schemas } from '../api/client.ts';

export type Resource = operations['listRecords']['parameters']['path']['resource'];

/** A record of any kind. */
export type RecordData = Readonly<Record<string, unknown>> & { readonly id: string };

interface RecordKind {
  readonly title: string;
  readonly one: string;
  /** Name of its schema in the control plane's document. */
  readonly schema: string;
  /** What the table shows beside the id. */
  readonly columns: readonly string[];
  readonly canAdd: boolean;
}

/** A kind of record, with columns that its schema has. */
const kind = <Name extends keyof Schemas>(
  schema: Name,
  columns: readonly (keyof Schemas[Name] & string)[],
  look: Pick<RecordKind, 'title' | 'one' | 'canAdd'>,
): RecordKind => ({ schema, columns, ...look });

const recordings = { title: 'Recordings', one: 'recording', canAdd: true };
const users = { title: 'Users', one: 'user', canAdd: true };
const tenants = { title: 'Tenants', one: 'tenant', canAdd: true };
const apiKeys = { title: 'API keys', one: 'key', canAdd: true };
const pats = { title: 'PATs', one: 'PAT', canAdd: false };
const refreshTokens = { title: 'Refresh tokens', one: 'refresh token', canAdd: false };

/** The kinds of record, in the order of the tabs. */
export const resources: Readonly<Record<Resource, RecordKind>> = {
  recordings: kind('Recording', ['title', 'status', 'user_id', 'updated_at'], recordings),
  users: kind('User', ['username', 'email', 'tenant', 'administrator', 'confirmed'], users),
  tenants: kind('Tenant', ['name', 'tid'], tenants),
  'api-keys': kind('ApiKey', ['name', 'provider', 'status', 'tenant', 'last_used_at'], apiKeys),
  pats: kind('Pat', ['name', 'user_id', 'scopes', 'expires_at'], pats),
  'refresh-tokens': kind('RefreshToken', ['user_id', 'expires_at'], refreshTokens),
};

export const resourceNames = Object.keys(resources) as Resource[];

/** Is this the name of a kind of record? */
export const isResource = (name: string): name is Resource => Object.hasOwn(resources, name);
