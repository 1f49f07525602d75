import { useEffect, useState } from 'preact/hooks';
import { useWorld } from './api/world.tsx';
import { type ViewName, viewNames, views } from './routes.ts';
import { Button } from './ui/button.tsx';

/** Links to the views and documents. On a narrow screen they are collapsed behind a button. */
export function Navigation({ current }: { readonly current: ViewName | undefined }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current]);
  return (
    <nav class="side" aria-label="Views">
      <div class="side-inner">
        <div class="row brand">
          <img src={icon} alt="" width="22" height="22" />
          <strong>platform-mock</strong>
          <Button aria-expanded={open} aria-controls="views" onClick={() => setOpen(!open)}>
            {open ? 'Close' : 'Menu'}
          </Button>
        </div>
        <ul id="views" class={open ? 'open' : ''}>
          {viewNames.map((name) => (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined} onClick={() => setOpen(false)}>
                {views[name].title}
                <Count of={name} />
              </a>
            </li>
          ))}
          <li class="separated">
            <a href="./docs">API docs</a>
          </li>
          <li>
            <a href="./openapi.json">Control API (JSON)</a>
          </li>
        </ul>
      </div>
    </nav>
  );
}

/** The mock's icon, at the address that vite gives it. */
const icon = new URL('./icon.svg', import.meta.url).href;

/** What is active in a view, where that matters everywhere. */
function Count({ of }: { readonly of: ViewName }) {
  const { data } = useWorld();
  if (of === 'faults' && data && data.faults.length > 0)
    return <span class="badge warn">{data.faults.length} armed</span>;
  if (of === 'sandboxes' && data && data.sandboxes > 0) return <span class="badge">{data.sandboxes}</span>;
  if (of === 'clock' && data?.frozen) return <span class="badge warn">frozen</span>;
  return null;
}
