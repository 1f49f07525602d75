/** The scope catalogue of the service. */
import type { User } from './model.ts';

interface Scope {
  name: string;
  description: string;
  adminOnly: boolean;
}

const CATALOGUE: readonly Scope[] = [
  { name: 'recordings:write', description: 'Update recordings', adminOnly: false },
  { name: 'tokens:read', description: 'See the available token scopes', adminOnly: false },
  { name: 'tokens:write', description: 'Create personal access tokens', adminOnly: false },
  { name: 'api-keys:read', description: 'List the provider keys of a tenant', adminOnly: true },
];

export function scopesOf(user: User): { name: string; description: string }[] {
  return CATALOGUE.filter((scope) => user.admin || !scope.adminOnly).map(({ name, description }) => ({
    name,
    description,
  }));
}

export function scopeNamesOf(user: User): string[] {
  return scopesOf(user).map((scope) => scope.name);
}
