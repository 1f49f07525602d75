/** `make` with a cache by text: it forgets all when it is full, since texts come from clients. */
export function memoized<T>(most: number, make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const cached = known.get(text);
    if (cached !== undefined) return cached;
    const made = make(text);
    if (known.size >= most) known.clear();
    known.set(text, made);
    return made;
  };
}
