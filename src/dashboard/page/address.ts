import { useEffect, useRef, useState } from 'preact/hooks';

export type Query = Readonly<Record<string, string>>;

/** What a view receives of the address, e.g. of `#/state/users?q=ada`. */
export interface ViewProps {
  /** What comes after the name: `users`. */
  readonly rest: string;
  readonly query: Query;
  /** Changes parts of the address, without a step in the history. @param from only while this still comes after the name */
  readonly setAddress: (parts: { readonly rest?: string; readonly query?: Query }, from?: string) => void;
}

interface Route extends Pick<ViewProps, 'rest' | 'query'> {
  readonly name: string;
}

export function addressOf({ name, rest, query }: Route): string {
  const path = [name, ...rest.split('/').filter(Boolean).map(encodeURIComponent)].join('/');
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `#/${path}${search.size > 0 ? `?${search}` : ''}`;
}

function readRoute(): Route {
  const [path = '', search = ''] = window.location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...rest] = path.split('/');
  return {
    name: name || 'overview',
    rest: decoded(rest.join('/')),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** The text itself where it is no valid encoding: people type addresses. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let hasEdits = (): boolean => false;

/** Asks before edits are lost. */
export const mayLeave = (): boolean => !hasEdits() || window.confirm('Discard the changes that are not saved?');

/** Guards edits against leaving until the returned function is called. */
export function guardEdits(areThere: () => boolean): () => void {
  hasEdits = areThere;
  const onUnload = (event: BeforeUnloadEvent) => {
    if (areThere()) event.preventDefault();
  };
  window.addEventListener('beforeunload', onUnload);
  return () => {
    hasEdits = () => false;
    window.removeEventListener('beforeunload', onUnload);
  };
}

export function useRoute(): Route & Pick<ViewProps, 'setAddress'> {
  const [route, setRoute] = useState(readRoute);
  const shown = useRef(route);
  shown.current = route;
  useEffect(() => {
    const follow = () => {
      if (mayLeave()) setRoute(readRoute());
      else history.pushState(null, '', addressOf(shown.current));
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const setAddress: ViewProps['setAddress'] = (parts, from) => {
    const current = readRoute();
    if (from !== undefined && current.rest !== from) return;
    history.replaceState(null, '', addressOf({ ...current, ...parts }));
    setRoute(readRoute());
  };
  return { ...route, setAddress };
}
