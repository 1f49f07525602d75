import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, toFailure } from './failure.ts';

/** Data that is fetched: pending, loaded or failed. Loaded data stays while it is fetched again. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly reload: () => Promise<void>;
}

const reloads = new Set<() => Promise<void>>();

/** Fetches everything again that the page shows. */
export const reloadAll = () => Promise.all([...reloads].map((reload) => reload()));

/** Fetches on mount, and again whenever one of `inputs` changes. Only the latest response counts. */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[] = []): Loaded<T> {
  const [data, setData] = useState<T>();
  const [failure, setFailure] = useState<Failure>();
  const latest = useRef(0);
  const current = useRef(load);
  current.current = load;
  const reload = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    try {
      const loaded = await current.current();
      if (mine !== latest.current) return;
      setData(loaded);
      setFailure(undefined);
    } catch (error) {
      if (mine === latest.current) setFailure(toFailure(error));
    }
  }, []);
  useEffect(() => {
    void reload();
    reloads.add(reload);
    return () => {
      reloads.delete(reload);
      latest.current += 1;
    };
  }, inputs);
  return { data, failure, reload };
}
