import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { addressOf, mayLeave, type Query } from './address.ts';
import { ClockView } from './views/clock.tsx';
import { FaultsView } from './views/faults.tsx';
import { GapsView } from './views/gaps.tsx';
import { JournalView } from './views/journal.tsx';
import { OverviewView } from './views/overview.tsx';
import { SandboxesView } from './views/sandboxes.tsx';
import { SnapshotsView } from './views/snapshots.tsx';
import { StateView } from './views/state.tsx';
import { TokensView } from './views/tokens.tsx';

/** What a view receives of the address, e.g. of `#/state/users?q=ada`. */
export interface ViewProps {
  /** What comes after the name: `users`. */
  readonly rest: string;
  readonly query: Query;
  /**
   * Changes parts of the address, without a step in the browser's history.
   * @param from only while this still comes after the name: what closes must not undo that somebody has gone on
   */
  readonly setAddress: (parts: { readonly rest?: string; readonly query?: Query }, from?: string) => void;
}

interface ViewEntry {
  readonly title: string;
  readonly View: FunctionComponent<ViewProps>;
}

/** The views by their names in the address, in the order of the navigation. */
export const views = {
  overview: { title: 'Overview', View: OverviewView },
  state: { title: 'State', View: StateView },
  tokens: { title: 'Tokens', View: TokensView },
  journal: { title: 'Journal', View: JournalView },
  faults: { title: 'Faults', View: FaultsView },
  gaps: { title: 'Gaps', View: GapsView },
  clock: { title: 'Clock', View: ClockView },
  snapshots: { title: 'Snapshots', View: SnapshotsView },
  sandboxes: { title: 'Sandboxes', View: SandboxesView },
} satisfies Record<string, ViewEntry>;

export type ViewName = keyof typeof views;

export const viewNames = Object.keys(views) as ViewName[];

const isView = (name: string): name is ViewName => Object.hasOwn(views, name);

interface Route extends Pick<ViewProps, 'rest' | 'query'> {
  /** Undefined: there is no view of that name. */
  readonly name: ViewName | undefined;
  /** The address without its query, as it was given. */
  readonly path: string;
}

function readRoute(): Route {
  const [path = '', search = ''] = window.location.hash.replace(/^#\/?/, '').split('?');
  const [name = '', ...rest] = path.split('/');
  const query = Object.fromEntries(new URLSearchParams(search));
  const isKnown = isView(name) || path === '';
  return { name: isView(name) ? name : isKnown ? 'overview' : undefined, rest: decoded(rest.join('/')), query, path };
}

const pathOf = (name: string, rest: string): string =>
  [name, ...rest.split('/').filter(Boolean).map(encodeURIComponent)].join('/');

/** The text itself where it is no valid encoding: people type addresses. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What the address names. */
export function useRoute(): Route & Pick<ViewProps, 'setAddress'> {
  const [route, setRoute] = useState(readRoute);
  const shown = useRef('');
  shown.current = addressOf(route.path, route.query);
  useEffect(() => {
    const follow = () => {
      if (mayLeave()) setRoute(readRoute());
      else history.pushState(null, '', shown.current);
    };
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const setAddress: ViewProps['setAddress'] = (parts, from) => {
    const current = readRoute();
    if (from !== undefined && current.rest !== from) return;
    const { name = '', rest, query } = { ...current, ...parts };
    history.replaceState(null, '', addressOf(pathOf(name, rest), query));
    setRoute(readRoute());
  };
  return { ...route, setAddress };
}
