// What the control plane requires of this page: the control token, or the key of the mock's own pages, which tells them from
// those of an upstream at the same origin.
const key = 'platform-mock control token';

let inMemory = document.querySelector<HTMLMetaElement>('meta[name="page-key"]')?.content;
// Pages of an upstream could read what a tab stores.
const isShared = inMemory !== undefined;

/** Keeps the token: for this tab or, beside an upstream, for this page only. */
export function storeControlToken(token: string): void {
  if (isShared) inMemory = token;
  else sessionStorage.setItem(key, token);
}

/** Headers that authorize a call to the control plane. */
export function authorization(): Record<string, string> {
  const token = inMemory ?? sessionStorage.getItem(key);
  return token ? { Authorization: `Bearer ${token}` } : {};
}
