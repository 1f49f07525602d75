import { useRef, useState } from 'preact/hooks';
import { type Failure, toFailure } from '../api/failure.ts';
import { reloadAll } from '../api/load.ts';
import { Done, focusedPlace, useAnnounce } from './announce.tsx';

/** Something that the user triggers. */
export interface Action<A extends readonly unknown[]> {
  readonly run: (...args: A) => Promise<void>;
  readonly busy: boolean;
  readonly failure: Failure | undefined;
}

/** Runs `act`, once at a time, and announces the message it returns beside what was pressed. Keeps why it failed, to be shown beside it. */
export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> {
  const announce = useAnnounce();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const running = useRef(false);
  const run = async (...args: A) => {
    if (running.current) return;
    running.current = true;
    const place = focusedPlace();
    setBusy(true);
    try {
      const message = await act(...args);
      setFailure(undefined);
      if (typeof message === 'string' || message instanceof Done) announce(message, place);
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, failure };
}

/** The same for what changes the world: reloads what the page shows before it announces. */
export const useChange = <A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>): Action<A> =>
  useAction(async (...args: A) => {
    const message = await act(...args);
    await reloadAll();
    return message;
  });
