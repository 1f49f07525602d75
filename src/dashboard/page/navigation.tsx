import { useEffect, useState } from 'preact/hooks';
import { useWorld } from './api/world.tsx';
import { type ViewName, views } from './routes.ts';

/** The views, and the documents beside them. Folded up behind a button on a narrow screen. */
export function Navigation({ current }: { readonly current: ViewName }) {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(false), [current]);
  return (
    <nav class="side" aria-label="Views">
      <div class="side-inner">
        <div class="brand">
          <img src={icon} alt="" width="22" height="22" />
          <strong>platform-mock</strong>
          <button
            type="button"
            class="button plain menu"
            aria-expanded={open}
            aria-controls="views"
            onClick={() => setOpen(!open)}
          >
            {open ? 'Close' : 'Menu'}
          </button>
        </div>
        <ul id="views" class={open ? 'open' : ''}>
          {Object.entries(views).map(([name, { title }]) => (
            <li key={name}>
              <a href={`#/${name}`} aria-current={name === current ? 'page' : undefined} onClick={() => setOpen(false)}>
                {title}
                <Count of={name as ViewName} />
              </a>
            </li>
          ))}
          <li class="apart">
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

/** The mock's own picture, addressed as vite places it. */
const icon = new URL('./icon.svg', import.meta.url).href;

/** How much of it there is, where that is worth knowing from afar. */
function Count({ of }: { readonly of: ViewName }) {
  const { data } = useWorld();
  if (of === 'faults' && data && data.faults.length > 0)
    return <span class="badge warn">{data.faults.length} armed</span>;
  if (of === 'sandboxes' && data && data.sandboxes > 0) return <span class="badge">{data.sandboxes}</span>;
  if (of === 'clock' && data?.frozen) return <span class="badge warn">frozen</span>;
  return null;
}
