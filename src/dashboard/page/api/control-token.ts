// The control token, where the mock requires one. Stored for this tab only.
const key = 'platform-mock control token';

/** The token entered in this tab. */
export const controlToken = (): string | null => sessionStorage.getItem(key);

export const storeControlToken = (token: string): void => sessionStorage.setItem(key, token);

/** Headers that authorize a call to the control plane. */
export function authorization(): Record<string, string> {
  const token = controlToken();
  return token ? { Authorization: `Bearer ${token}` } : {};
}
