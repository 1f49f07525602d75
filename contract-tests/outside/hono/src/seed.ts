import type { Ids } from './ids.ts';
import type { ApiKey, Pat, Recording, Role, User } from './model.ts';
import { PROVIDERS } from './model.ts';

export interface Store {
  users: User[];
  recordings: Recording[];
  apiKeys: ApiKey[];
  pats: Pat[];
  /** refresh token -> user id; single use */
  refreshTokens: Map<string, string>;
  tenants: [main: string, other: string];
}

const DAY = 86_400_000;
const DIRECTORY = '6d0f8a52-1c3e-4f0b-9a77-2f5b0c9e41d3';

function user(ids: Ids, role: Role, name: string, oid: string, tenantId: string, now: number): User {
  const username = name.toLowerCase().replace(' ', '.');
  const email = `${username}@northwind.example`;
  return {
    id: ids.next('user'),
    email,
    username,
    confirmed: true,
    createdAt: now - 400 * DAY - 5_321,
    role,
    oid,
    tid: DIRECTORY,
    upn: email,
    password: ids.secret('password'),
    tenantId,
  };
}

function recording(ids: Ids, owner: User, title: string, filename: string, now: number): Recording {
  return {
    id: ids.next('recording'),
    title,
    filename,
    status: 'completed',
    method: 'batch',
    quality: 'high',
    language: 'en',
    diarizationEnabled: true,
    userId: owner.id,
    createdAt: now - 12 * DAY - 1_207,
    updatedAt: now - 11 * DAY - 44,
  };
}

/** Seven providers, some of them twice, in three states; `inactive` contains `active` on purpose. */
function apiKeys(ids: Ids, tenantId: string, now: number): ApiKey[] {
  const rows: [provider: string, name: string, status: string][] = [
    ...PROVIDERS.map((provider): [string, string, string] => [provider, `${provider} production`, 'active']),
    ['openai', 'openai legacy', 'inactive'],
    ['anthropic', 'anthropic trial', 'expired'],
    ['tavily', 'tavily research', 'inactive'],
  ];
  return rows.map(([provider, name, status], index) => ({
    id: ids.next('key'),
    tenantId,
    provider,
    name,
    status,
    createdAt: now - (60 - index) * DAY,
    secret: `sk-${provider}-${ids.secret('key')}`,
  }));
}

export function seed(ids: Ids, now: number): Store {
  const tenants: Store['tenants'] = [ids.next('tenant'), ids.next('tenant')];
  const admin = user(ids, 'admin', 'Ingrid Aas', 'b3c1f7de-8a55-4c0d-9b42-6f8f3a0d7e11', tenants[0], now);
  const member = user(ids, 'member', 'Mateo Cruz', '0e9a4c7b-55d2-4d8e-8f31-c2b7a91d6f20', tenants[0], now);
  return {
    users: [admin, member],
    recordings: [
      recording(ids, admin, 'Quarterly planning', 'planning-q3.mp3', now),
      recording(ids, member, 'Support call 118', 'call-118.wav', now),
    ],
    apiKeys: [...apiKeys(ids, tenants[0], now), ...apiKeys(ids, tenants[1], now).slice(0, 3)],
    pats: [admin, member].map((owner) => ({
      id: ids.next('pat'),
      userId: owner.id,
      name: 'seeded',
      secret: ids.secret('pat'),
      createdAt: now - DAY,
    })),
    refreshTokens: new Map(),
    tenants,
  };
}
