import type { FunctionComponent } from 'preact';
import { useLoad } from '../api/load.ts';
import { Load } from './load.tsx';

/** A component that is loaded when it is shown for the first time. */
export function lazily<Props extends object>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  return (props) => {
    const loaded = useLoad(async () => ({ Component: await load() }));
    return <Load of={loaded}>{({ Component }) => <Component {...props} />}</Load>;
  };
}
