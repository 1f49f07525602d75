import type { Services } from '../hooks.ts';

const MEMBER_SCOPES = [
  { scope: 'recordings:write', label: 'Update your recordings' },
  { scope: 'scopes:read', label: 'List available scopes' },
];
const ADMIN_SCOPES = [
  ...MEMBER_SCOPES,
  { scope: 'tenants.api-keys:read', label: 'List the provider API keys of a tenant' },
];

export const scopes = (): Pick<Services, 'scopes'> => ({
  async scopes({ principal }) {
    const isAdmin = principal.user.role === 'admin';
    return { scopes: isAdmin ? ADMIN_SCOPES : MEMBER_SCOPES, is_admin: isAdmin };
  },
});
