/** In-memory tables. Rows are replaced, never changed in place. */
import type { ApiKey, Pat, Recording, RefreshToken, SsoIdentity, User } from './model.ts';

export class Store {
  readonly users = new Map<string, User>();
  readonly recordings = new Map<string, Recording>();
  readonly apiKeys = new Map<string, ApiKey>();
  readonly pats = new Map<string, Pat>();
  readonly refreshTokens = new Map<string, RefreshToken>();
  readonly tenants = new Set<string>();
  /** when each access token was issued, by its jti */
  readonly issued = new Map<string, number>();

  userBySso({ oid, tid }: SsoIdentity): User | undefined {
    return [...this.users.values()].find((user) => user.oid === oid && user.tid === tid);
  }

  userByLogin(username: string, password: string): User | undefined {
    return [...this.users.values()].find((user) => user.username === username && user.password === password);
  }

  keysOf(tenantId: string): ApiKey[] {
    return [...this.apiKeys.values()].filter((key) => key.tenantId === tenantId);
  }
}
