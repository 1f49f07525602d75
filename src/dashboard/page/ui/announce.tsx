import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';

type Announce = (message: string) => void;

const Context = createContext<Announce>(() => {});

const shownMilliseconds = 4000;

/** Shows short messages at the bottom of the page, which screen readers read out. */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [message, setMessage] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // A message is about the view that was open.
    const clear = () => setMessage('');
    window.addEventListener('hashchange', clear);
    return () => window.removeEventListener('hashchange', clear);
  }, []);
  const announce = (text: string) => {
    clearTimeout(timer.current);
    setMessage(text);
    timer.current = setTimeout(() => setMessage(''), shownMilliseconds);
  };
  return (
    <Context.Provider value={announce}>
      {children}
      <div class="toast" role="status" aria-live="polite">
        {message && <span class="small">{message}</span>}
      </div>
    </Context.Provider>
  );
}

/** Reports to the user that something was done. */
export const useAnnounce = (): Announce => useContext(Context);
