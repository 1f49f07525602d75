import { type FunctionComponent, render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { memberOf } from '../../../contract-tests/values/json.ts';
import { useRoute, type ViewProps } from './address.ts';
import { currentSandbox } from './api/client.ts';
import { loadDocument } from './api/document.ts';
import { useLoad, useWorld, WorldProvider } from './api/load.ts';
import { Announcer } from './ui/action.tsx';
import { Load, View } from './ui/parts.tsx';
import { ClockView } from './views/clock.tsx';
import { FaultsView } from './views/faults.tsx';
import { GapsView } from './views/gaps.tsx';
import { JournalView } from './views/journal.tsx';
import { OverviewView } from './views/overview.tsx';
import { RoutesView } from './views/routes.tsx';
import { SandboxesView } from './views/sandboxes.tsx';
import { SnapshotsView } from './views/snapshots.tsx';
import { StateView } from './views/state.tsx';
import { TokensView } from './views/tokens.tsx';
import { TokenGate, WorldBar } from './world-bar.tsx';

const views: Readonly<Record<string, { readonly title: string; readonly View: FunctionComponent<ViewProps> }>> = {
  overview: { title: 'Overview', View: OverviewView },
  state: { title: 'State', View: StateView },
  tokens: { title: 'Tokens', View: TokensView },
  journal: { title: 'Journal', View: JournalView },
  faults: { title: 'Faults', View: FaultsView },
  routes: { title: 'Routes', View: RoutesView },
  gaps: { title: 'Gaps', View: GapsView },
  clock: { title: 'Clock', View: ClockView },
  snapshots: { title: 'Snapshots', View: SnapshotsView },
  sandboxes: { title: 'Sandboxes', View: SandboxesView },
};

function App() {
  const { name, ...address } = useRoute();
  const { failure } = useWorld();
  // The forms of the views are built from it.
  const controlDocument = useLoad(loadDocument);
  const main = useRef<HTMLElement>(null);
  const [started, setStarted] = useState(false);
  const { title, View: Shown } = (Object.hasOwn(views, name) && memberOf(views, name)) || {
    title: 'Not found',
    View: NotFound,
  };
  const focusHeading = () => main.current?.querySelector('h1')?.focus();
  useEffect(() => {
    document.title = `${title} · ${currentSandbox ? `~${currentSandbox} · ` : ''}platform-mock`;
    // To screen readers and keyboards, every view but the first is a page that was navigated to.
    if (started) focusHeading();
    setStarted(true);
    // On a small screen, the views are in a line that scrolls.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
    window.scrollTo(0, 0);
  }, [title]);
  return (
    <div class="shell">
      <button type="button" class="visually-hidden skip" onClick={focusHeading}>
        Skip to content
      </button>
      <Navigation current={name} />
      <div>
        <WorldBar />
        <main id="content" ref={main}>
          {failure?.status === 403 ? (
            <TokenGate failure={failure} />
          ) : (
            <Load of={controlDocument}>{() => <Shown {...address} />}</Load>
          )}
        </main>
      </div>
    </div>
  );
}

const NotFound = () => (
  <View
    title="Not found"
    hint={
      <>
        There is no view {window.location.hash.slice(2)}. <a href="#/overview">Overview</a>
      </>
    }
  />
);

function Navigation({ current }: { readonly current: string }) {
  const { data } = useWorld();
  const active: Readonly<Record<string, string | undefined>> = {
    faults: data && data.faults.length > 0 ? `${data.faults.length} armed` : undefined,
    sandboxes: data && data.sandboxes > 0 ? `${data.sandboxes}` : undefined,
    clock: data?.frozen ? 'frozen' : undefined,
  };
  return (
    <nav class="side" aria-label="Views">
      <div class="row brand">
        {/* At the address that vite gives it. */}
        <img src={new URL('./icon.svg', import.meta.url).href} alt="" width="22" height="22" />
        <strong>platform-mock</strong>
      </div>
      <ul>
        {Object.entries(views).map(([name, { title }]) => (
          <li key={name}>
            <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined}>
              {title}
              {memberOf(active, name) && (
                <span class={`badge ${name === 'sandboxes' ? '' : 'warn'}`}>{memberOf(active, name)}</span>
              )}
            </a>
          </li>
        ))}
        <li>
          <a href="./docs">API docs</a>
        </li>
        <li>
          <a href="./openapi.json">Control API (JSON)</a>
        </li>
      </ul>
    </nav>
  );
}

const root = document.getElementById('app');
if (root)
  render(
    <WorldProvider>
      <Announcer>
        <App />
      </Announcer>
    </WorldProvider>,
    root,
  );
