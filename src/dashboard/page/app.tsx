import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { loadDocument } from './api/document.ts';
import { useLoad } from './api/load.ts';
import { currentSandbox } from './api/location.ts';
import { useWorld } from './api/world.tsx';
import { Navigation } from './navigation.tsx';
import { useRoute, views } from './routes.ts';
import { TokenGate } from './token-gate.tsx';
import { Load } from './ui/load.tsx';
import { NotFound } from './ui/not-found.tsx';
import { WorldBar } from './world-bar.tsx';

/** The page: the navigation, the world it belongs to, and the open view. */
export function App() {
  const { name, path, rest, query, setAddress } = useRoute();
  const { failure } = useWorld();
  const main = useRef<HTMLElement>(null);
  const [started, setStarted] = useState(false);
  const { title, View } = name ? views[name] : { title: 'Not found', View: undefined };
  const focusHeading = () => main.current?.querySelector('h1')?.focus();
  useEffect(() => {
    document.title = `${title} · ${currentSandbox ? `~${currentSandbox} · ` : ''}platform-mock`;
    // To screen readers and keyboards, every view but the first is a page that was navigated to.
    if (started) focusHeading();
    setStarted(true);
    window.scrollTo(0, 0);
  }, [title]);
  return (
    <div class="shell">
      <button type="button" class="visually-hidden skip" onClick={focusHeading}>
        Skip to content
      </button>
      <Navigation current={name} />
      <div class="page">
        <WorldBar />
        <main id="content" ref={main}>
          {failure?.status === 403 ? (
            <TokenGate failure={failure} />
          ) : (
            <WithDocument>
              {View ? (
                <View rest={rest} query={query} setAddress={setAddress} />
              ) : (
                <NotFound what={`no view ${path}`} />
              )}
            </WithDocument>
          )}
        </main>
      </div>
    </div>
  );
}

/** Loads the control plane's document before the views, whose forms are built from it. */
const WithDocument = ({ children }: { readonly children: ComponentChildren }) => (
  <Load of={useLoad(loadDocument)}>{() => children}</Load>
);
