import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { control, type Schemas, told } from './client.ts';
import { type Loaded, useLoad } from './hooks.ts';

const World = createContext<Loaded<Schemas['Info']> | undefined>(undefined);

const refreshMilliseconds = 5000;

/** Holds what the world says about itself; asks again every few seconds while the page is seen. */
export function WorldProvider({ children }: { readonly children: ComponentChildren }) {
  const info = useLoad(() => told(control.GET('/info')));
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void info.reload(), refreshMilliseconds);
    return () => clearInterval(timer);
  }, []);
  return <World.Provider value={info}>{children}</World.Provider>;
}

/** What the world says about itself. `reload` after anything that changes it. */
export function useWorld(): Loaded<Schemas['Info']> {
  const world = useContext(World);
  if (!world) throw new Error('useWorld needs a WorldProvider above');
  return world;
}
