import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { control, type Schemas, unwrap } from './client.ts';
import { type Loaded, useLoad } from './load.ts';

const World = createContext<Loaded<Schemas['Info']> | undefined>(undefined);

const refreshMilliseconds = 5000;

/** Provides the world's info, refreshed every few seconds while the page is visible. */
export function WorldProvider({ children }: { readonly children: ComponentChildren }) {
  const info = useLoad(() => unwrap(control.GET('/info')));
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void info.reload(), refreshMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return <World.Provider value={info}>{children}</World.Provider>;
}

/** The world's info. */
export function useWorld(): Loaded<Schemas['Info']> {
  const world = useContext(World);
  if (!world) throw new Error('useWorld requires a WorldProvider');
  return world;
}
