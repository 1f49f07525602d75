// What the user does: it runs once at a time, the page is reloaded, and a message reports it.
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, toFailure } from '../api/failure.ts';
import { reloadAll } from '../api/load.ts';

export class Done {
  constructor(
    readonly text: string,
    readonly undo?: () => Promise<string>,
  ) {}
}

type Place = Readonly<Record<'--top' | '--right', string>>;

const Announce = createContext((_done: Done, _place?: Place): void => {});

const shownMilliseconds = 4000;
/** People have to read it and decide. */
const undoMilliseconds = 10_000;

const messageWidth = 400;

/** On the line of the focused element, at the right of the page, left of a button that is there: it covers nothing below. */
function placeBesideFocus(): Place | undefined {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return;
  const { top, left, right } = activeElement.getBoundingClientRect();
  return {
    '--top': `${Math.max(8, Math.min(top, window.innerHeight - 56))}px`,
    '--right': `${right < window.innerWidth - messageWidth ? 32 : window.innerWidth - left + 8}px`,
  };
}

/** Shows short messages next to what they are about, or at the bottom of the page; screen readers read them out. */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [shown, setShown] = useState<{ done: Done; place: Place | undefined }>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // A message is about the view that was open.
    const clear = () => setShown(undefined);
    window.addEventListener('hashchange', clear);
    return () => window.removeEventListener('hashchange', clear);
  }, []);
  const announce = (done: Done, place?: Place) => {
    clearTimeout(timer.current);
    setShown({ done, place });
    timer.current = setTimeout(() => setShown(undefined), done.undo ? undoMilliseconds : shownMilliseconds);
  };
  const undo = async (act: () => Promise<string>) => {
    const text = await act().catch((error: unknown) => `Not undone: ${toFailure(error).message}`);
    await reloadAll();
    announce(new Done(text), shown?.place);
  };
  const { done, place } = shown ?? {};
  const act = done?.undo;
  return (
    <Announce.Provider value={announce}>
      {children}
      <div class="toast" style={place} role="status" aria-live="polite">
        {done && (
          <span class="row small">
            {done.text}
            {act && (
              <button type="button" class="link" onClick={() => undo(act)}>
                Undo
              </button>
            )}
          </span>
        )}
      </div>
    </Announce.Provider>
  );
}

/** Asks before what cannot be undone. */
export const mayAct = (name: string, asks: boolean): boolean =>
  !asks || window.confirm(`${name}? This cannot be undone.`);

/** Runs `act`, once at a time, and announces the message that it returns. Keeps why it failed, to be shown next to it. */
export function useAction<A extends readonly unknown[]>(act: (...args: A) => Promise<unknown>) {
  const announce = useContext(Announce);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const running = useRef(false);
  const run = async (...args: A) => {
    if (running.current) return;
    running.current = true;
    const place = placeBesideFocus();
    setBusy(true);
    try {
      const message = await act(...args);
      await reloadAll();
      setFailure(undefined);
      if (message instanceof Done) announce(message, place);
      if (typeof message === 'string') announce(new Done(message), place);
    } catch (error) {
      setFailure(toFailure(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return { run, busy, failure };
}
