import { useEffect, useRef, useState } from 'preact/hooks';
import { ownSandbox } from './api/place.ts';
import { useWorld } from './api/world.tsx';
import { Navigation } from './navigation.tsx';
import { useRoute, views } from './routes.ts';
import { TokenGate } from './token-gate.tsx';
import { WorldBar } from './world-bar.tsx';

/** The page: where you are, what there is, and the view that is open. */
export function App() {
  const { name, rest } = useRoute();
  const { failure } = useWorld();
  const main = useRef<HTMLElement>(null);
  const [begun, setBegun] = useState(false);
  const { title, View } = views[name];
  useEffect(() => {
    document.title = `${title} · ${ownSandbox ? `~${ownSandbox} · ` : ''}platform-mock`;
    // A new view is a new page to screen readers and keyboards, but for the first one.
    if (begun) main.current?.querySelector('h1')?.focus();
    setBegun(true);
    window.scrollTo(0, 0);
  }, [name]);
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={() => main.current?.querySelector('h1')?.focus()}>
        Skip to content
      </button>
      <Navigation current={name} />
      <div class="page">
        <WorldBar />
        <main id="content" ref={main}>
          {failure?.status === 403 ? <TokenGate failure={failure} /> : <View rest={rest} />}
        </main>
      </div>
    </div>
  );
}
