import { useId, useState } from 'preact/hooks';
import type { Schemas } from '../../api/client.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Message } from './message.tsx';
import { TraceSteps } from './trace-steps.tsx';

type JournalEntry = Schemas['JournalEntry'];

const statusKind = (status: number): string =>
  status >= 500 ? 'bad' : status >= 400 ? 'warn' : status >= 300 ? 'accent' : 'good';

/** One exchange: a line that unfolds to its details. */
export function Entry({ entry }: { readonly entry: JournalEntry }) {
  const { request, response, outcome, actor, milliseconds, trace, startedAt } = entry;
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <li class={open ? 'open' : ''}>
      <button type="button" class="entry" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <span class="method">{request.method}</span>
        <span class="url">{request.url}</span>
        <span class={`badge ${response ? statusKind(response.status) : 'bad'}`}>{response?.status ?? outcome}</span>
        <span class="muted who">{actor?.username ?? 'anonymous'}</span>
        <span class="row tags marks">
          {trace.faults.map((fault) => (
            <span key={fault} class="badge bad">
              fault {fault}
            </span>
          ))}
          {trace.forced && <span class="badge accent">forced</span>}
          {trace.changes.length > 0 && <span class="badge">{trace.changes.length} changed</span>}
          {trace.gaps.length > 0 && <span class="badge">{trace.gaps.length} gaps</span>}
        </span>
        <span class="muted when">
          {startedAt.slice(11, 19)} · {milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms
        </span>
      </button>
      {open && (
        <div id={id} class="stack entry-body">
          <TraceSteps entry={entry} />
          <div class="columns">
            <Message title="Request" headers={request.headers} body={request.body} />
            {response && <Message title="Response" headers={response.headers} body={response.body} />}
          </div>
          <div class="row">
            <CopyButton text={entry.curl} what="request as curl command">
              Copy curl
            </CopyButton>
            <span class="muted">Secrets are removed.</span>
          </div>
        </div>
      )}
    </li>
  );
}
