import { useId } from 'preact/hooks';
import { control, type Schemas, unwrap } from '../../api/client.ts';
import { useLoad } from '../../api/load.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Load } from '../../ui/load.tsx';
import { shortDuration } from './duration.ts';
import { Message } from './message.tsx';
import { TraceSteps } from './trace-steps.tsx';

type JournalEntry = Schemas['JournalEntry'];

/** The kind of badge for a status. */
export const statusKind = (status: number): string =>
  status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'accent' : 'good';

interface EntryProps {
  readonly entry: JournalEntry;
  readonly isOpen: boolean;
  readonly onToggle: (open: boolean) => void;
}

/** One exchange: a line that unfolds to its details. */
export function Entry({ entry, isOpen, onToggle }: EntryProps) {
  const { request, response, outcome, actor, milliseconds, trace, startedAt } = entry;
  const id = useId();
  return (
    <li class={isOpen ? 'open' : ''}>
      <button type="button" class="entry" aria-expanded={isOpen} aria-controls={id} onClick={() => onToggle(!isOpen)}>
        <span class="method">{request.method}</span>
        <span class="url" title={request.url}>
          {request.url}
        </span>
        <span class="row tags marks">
          {trace.faults.map((fault) => (
            <span key={fault} class="badge bad">
              fault {fault}
            </span>
          ))}
          {isUnknownRoute(entry) && <span class="badge warn">unknown route</span>}
          {trace.forced && <span class="badge accent">forced</span>}
          {trace.changes.length > 0 && <span class="badge">{trace.changes.length} changed</span>}
          {trace.gaps.length > 0 && <span class="badge">{trace.gaps.length} gaps</span>}
        </span>
        <span class={`badge ${response ? statusKind(response.status) : 'bad'}`}>{response?.status ?? outcome}</span>
        <span class="muted who">{actor?.username ?? 'anonymous'}</span>
        <span class="muted when">
          {startedAt.slice(11, 19)} · {shortDuration(milliseconds)}
        </span>
      </button>
      {isOpen && <Details id={id} entry={entry} />}
    </li>
  );
}

/** No operation has its path and method, and no route of the user's own answered. */
const isUnknownRoute = ({ trace, request }: JournalEntry): boolean =>
  trace.operation === undefined && trace.route === undefined && request.method !== 'OPTIONS';

const Details = ({ id, entry }: { readonly id?: string; readonly entry: JournalEntry }) => (
  <div id={id} class="stack entry-body">
    <TraceSteps entry={entry} />
    <div class="columns">
      <Message title="Request" headers={entry.request.headers} body={entry.request.body} />
      {entry.response && <Message title="Response" headers={entry.response.headers} body={entry.response.body} />}
    </div>
    <div class="row">
      <CopyButton text={entry.curl} what="request as curl command">
        Copy curl
      </CopyButton>
      <CopyButton text={() => Promise.resolve(window.location.href)} what="link to this request">
        Copy link
      </CopyButton>
      <span class="muted">Secrets are removed.</span>
    </div>
  </div>
);

/** The entry that the address names, where it is not in the list. */
export function LinkedEntry({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const entry = useLoad(() => unwrap(control.GET('/journal/{entry}', { params: { path: { entry: Number(id) } } })));
  return (
    <div class="surface entry-body linked stack">
      <div class="row head">
        <h2>
          Request {id}
          {entry.data && `: ${entry.data.request.method} ${entry.data.request.url}`}
        </h2>
        <Button kind="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
      <Load of={entry}>{(loaded) => <Details entry={loaded} />}</Load>
    </div>
  );
}
