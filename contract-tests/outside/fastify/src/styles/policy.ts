/** What the team decided where the document is silent. */
import type { StyleRow } from './row.ts';

export const policyStyles: readonly StyleRow[] = [
  {
    id: 'short-lived',
    description: 'Access tokens live 3 seconds, and expires_in says so',
    settings: { tokenSeconds: 3 },
  },
  {
    id: 'strict-bodies',
    description: 'Unknown or mistyped body fields are refused with 422',
    settings: { bodies: 'strict' },
  },
  {
    id: 'coercing',
    description: "Fastify's own defaults: scalars of another type are coerced, unknown fields dropped",
    settings: { bodies: 'coercing' },
  },
  { id: 'empty-tenant', description: 'The tenant has no API keys', settings: { tenantKeys: 'none' } },
  {
    id: 'member-owns',
    description: 'The disposable recording belongs to the member; the administrator may still update it',
    settings: { owner: 'member' },
  },
  {
    id: 'lone-admin',
    description: 'The judge is told of the administrator and one recording only',
    settings: { tellMember: false },
  },
];
