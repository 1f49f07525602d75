/** What follows the ? of an address. */
export type Query = Readonly<Record<string, string>>;

/** An address of this page, e.g. `#/state/users?q=ada`. Empty values are left out. */
export function addressOf(path: string, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `#/${path}${search.size > 0 ? `?${search}` : ''}`;
}

/** Says whether the page may leave its address; where not, it asks the user. */
type Guard = () => boolean;

let guard: Guard | undefined;

/** May the page leave its address? */
export const mayLeave: Guard = () => guard?.() ?? true;

/** Guards the address until the returned function is called: something would be lost. */
export function guardAddress(next: Guard): () => void {
  guard = next;
  const onUnload = (event: BeforeUnloadEvent) => {
    if (!next()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);
  return () => {
    guard = undefined;
    window.removeEventListener('beforeunload', onUnload);
  };
}
