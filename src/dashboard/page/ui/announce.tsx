import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { reloadAll } from '../api/load.ts';

/** What is reported: that something was done, and how to undo it. */
export class Done {
  constructor(
    readonly text: string,
    /** Undoes it, and returns the message that reports that. */
    readonly undo: (() => Promise<string>) | undefined,
  ) {}
}

/** A place on the screen. */
type Place = Pick<DOMRect, 'left' | 'bottom'>;

type Announce = (done: Done | string, place?: Place) => void;

const Context = createContext<Announce>(() => {});

const shownMilliseconds = 4000;
/** People have to read it and decide. */
const undoMilliseconds = 10_000;

/** Where what has the focus stands; undefined: nothing has it. */
export function focusedPlace(): Place | undefined {
  const { activeElement } = document;
  return activeElement && activeElement !== document.body ? activeElement.getBoundingClientRect() : undefined;
}

/** Within the window, below the place. */
const below = ({ left, bottom }: Place) => ({
  top: `${Math.max(8, Math.min(bottom + 6, window.innerHeight - 56))}px`,
  left: `${Math.max(8, Math.min(left, window.innerWidth - 320))}px`,
});

/** Shows short messages beside what they are about, or at the bottom of the page; screen readers read them out. */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [shown, setShown] = useState<{ done: Done; place: Place | undefined }>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // A message is about the view that was open.
    const clear = () => setShown(undefined);
    window.addEventListener('hashchange', clear);
    return () => window.removeEventListener('hashchange', clear);
  }, []);
  const announce: Announce = (done, place) => {
    clearTimeout(timer.current);
    const message = typeof done === 'string' ? new Done(done, undefined) : done;
    setShown({ done: message, place });
    timer.current = setTimeout(() => setShown(undefined), message.undo ? undoMilliseconds : shownMilliseconds);
  };
  const undo = async (act: () => Promise<string>) => {
    const text = await act().catch((error: Error) => `Not undone: ${error.message}`);
    await reloadAll();
    announce(text, shown?.place);
  };
  const { done, place } = shown ?? {};
  const act = done?.undo;
  return (
    <Context.Provider value={announce}>
      {children}
      <div class={`toast ${place ? 'placed' : ''}`} style={place && below(place)} role="status" aria-live="polite">
        {done && (
          <span class="row small">
            {done.text}
            {act && (
              <button type="button" class="button inline" onClick={() => undo(act)}>
                Undo
              </button>
            )}
          </span>
        )}
      </div>
    </Context.Provider>
  );
}

/** Reports to the user that something was done. */
export const useAnnounce = (): Announce => useContext(Context);
