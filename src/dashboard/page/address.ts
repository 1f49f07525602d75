/** What follows the ? of an address. */
export type Query = Readonly<Record<string, string>>;

/** An address of this page, e.g. `#/state/users?q=ada`. Empty values are left out. */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `#/${path}${search.size > 0 ? `?${search}` : ''}`;
}
