// The control token, where the mock wants one: kept for this tab only.
const key = 'platform-mock control token';

/** The token that was entered in this tab. */
export const controlToken = (): string | null => sessionStorage.getItem(key);

export const keepControlToken = (token: string): void => sessionStorage.setItem(key, token);

/** The headers that every call carries. */
export function credentials(): Record<string, string> {
  const token = controlToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}
