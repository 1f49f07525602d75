import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';

type Announce = (message: string) => void;

const Context = createContext<Announce>(() => {});

/** A short message at the page's foot, read out by screen readers. */
export function Announcer({ children }: { readonly children: ComponentChildren }) {
  const [message, setMessage] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    // Of another view's doings, nobody wants to read here.
    const forget = () => setMessage('');
    window.addEventListener('hashchange', forget);
    return () => window.removeEventListener('hashchange', forget);
  }, []);
  const announce = (text: string) => {
    clearTimeout(timer.current);
    setMessage(text);
    timer.current = setTimeout(() => setMessage(''), 4000);
  };
  return (
    <Context.Provider value={announce}>
      {children}
      <div class="toast" role="status" aria-live="polite">
        {message && <span>{message}</span>}
      </div>
    </Context.Provider>
  );
}

/** Tells the user that something was done. */
export const useAnnounce = (): Announce => useContext(Context);
