import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { control, type Schemas, unwrap } from './client.ts';
import { type Loaded, type StreamState, useLive, useLoad } from './load.ts';

interface WorldInfo extends Loaded<Schemas['Info']> {
  readonly stream: StreamState;
}

const World = createContext<WorldInfo>({ data: undefined, failure: undefined, stream: 'connecting' });

export function WorldProvider({ children }: { readonly children: ComponentChildren }) {
  const info = useLoad(() => unwrap(control.GET('/info')));
  const stream = useLive((info.data ?? info.failure) !== undefined && info.failure?.status !== 403);
  return <World.Provider value={{ ...info, stream }}>{children}</World.Provider>;
}

export const useWorld = (): WorldInfo => useContext(World);
