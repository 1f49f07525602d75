import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from './failure.ts';

/** Something that is fetched: nothing yet, there, or failed. What was there stays while it is fetched again. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly failure: Failure | undefined;
  readonly reload: () => Promise<void>;
}

/** Fetches when the view opens, and again whenever one of `needs` changes. Only the latest answer counts. */
export function useLoad<T>(load: () => Promise<T>, needs: readonly unknown[] = []): Loaded<T> {
  const [data, setData] = useState<T>();
  const [failure, setFailure] = useState<Failure>();
  const latest = useRef(0);
  const current = useRef(load);
  current.current = load;
  const reload = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    try {
      const got = await current.current();
      if (mine !== latest.current) return;
      setData(got);
      setFailure(undefined);
    } catch (error) {
      if (mine === latest.current) setFailure(asFailure(error));
    }
  }, []);
  useEffect(() => {
    void reload();
    return () => {
      latest.current += 1;
    };
  }, needs);
  return { data, failure, reload };
}

/** Something that a button does. */
export interface Action<A extends readonly unknown[]> {
  readonly run: (...args: A) => Promise<boolean>;
  readonly busy: boolean;
  readonly failure: Failure | undefined;
  readonly forget: () => void;
}

/**
 * Runs `act`, once at a time, and holds why it failed, to be shown beside what triggered it. `run` tells whether it
 * worked.
 */
export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const running = useRef(false);
  const run = async (...args: A) => {
    if (running.current) return false;
    running.current = true;
    setBusy(true);
    try {
      await act(...args);
      setFailure(undefined);
      return true;
    } catch (error) {
      setFailure(asFailure(error));
      return false;
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, failure, forget: () => setFailure(undefined) };
}
