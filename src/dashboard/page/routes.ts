import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ClockView } from './views/clock.tsx';
import { FaultsView } from './views/faults.tsx';
import { GapsView } from './views/gaps.tsx';
import { JournalView } from './views/journal.tsx';
import { OverviewView } from './views/overview.tsx';
import { SandboxesView } from './views/sandboxes.tsx';
import { SnapshotsView } from './views/snapshots.tsx';
import { StateView } from './views/state.tsx';
import { TokensView } from './views/tokens.tsx';

/** What a view receives: the part of the address after its name, e.g. `users` of `#/state/users`. */
export interface ViewProps {
  readonly rest: string;
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

function readRoute(): { name: ViewName; rest: string } {
  const [name = '', ...rest] = window.location.hash.replace(/^#\//, '').split('/');
  return isView(name) ? { name, rest: decodeURIComponent(rest.join('/')) } : { name: 'overview', rest: '' };
}

/** The view that the address names, or else the overview. */
export function useRoute(): { name: ViewName; rest: string } {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const follow = () => setRoute(readRoute());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return route;
}
