import { jsonOrText } from '../../../core/spec/json.ts';
import type { Schemas } from '../api/client.ts';
import { call } from '../api/document.ts';
import { Failure } from '../api/failure.ts';
import { useLoad } from '../api/load.ts';
import { Button, CopyButton } from '../ui/button.tsx';
import { Card, Facts, Fold, Load } from '../ui/parts.tsx';
import { counted, displayed, formatTime, shortDuration } from '../ui/text.ts';
import { isResource } from './resources.ts';

type JournalEntry = Schemas['JournalEntry'];

export const statusKind = (response: JournalEntry['response']): string => {
  if (!response || response.status >= 500) return 'bad';
  return response.status >= 400 ? 'warn' : response.status >= 300 ? 'accent' : 'good';
};

interface EntryProps {
  readonly entry: JournalEntry;
  readonly isOpen: boolean;
  readonly onToggle: (open: boolean) => void;
}

export function Entry({ entry, isOpen, onToggle }: EntryProps) {
  const { request, response, outcome, actor, milliseconds, trace, startedAt } = entry;
  const marks: readonly (readonly [text: string, kind: string])[] = [
    ...trace.faults.map((fault) => [`fault ${fault}`, 'bad'] as const),
    [isUnknownRoute(entry) ? 'unknown route' : '', 'warn'],
    [trace.forced ? 'forced' : '', 'accent'],
    [trace.changes.length > 0 ? `${trace.changes.length} changed` : '', ''],
    [trace.gaps.length > 0 ? counted(trace.gaps.length, 'gap') : '', ''],
  ];
  const line = (
    <>
      <strong class="method">{request.method}</strong>
      <code class="url" title={request.url}>
        {request.url}
      </code>
      <span class="row marks">{marks.map(([text, kind]) => text && <span class={`badge ${kind}`}>{text}</span>)}</span>
      <span class={`badge ${statusKind(response)}`}>{response?.status ?? outcome}</span>
      <span class="muted who">{actor?.username ?? 'anonymous'}</span>
      <span class="muted when">
        {startedAt.slice(11, 19)} · {shortDuration(milliseconds)}
      </span>
    </>
  );
  return (
    <li>
      <Fold class="entry" open={isOpen} onToggle={onToggle} summary={line}>
        <Details entry={entry} />
      </Fold>
    </li>
  );
}

/** No operation has its path, and no custom route answered. */
const isUnknownRoute = ({ trace: { operation, route, error }, request }: JournalEntry): boolean =>
  [operation, route].every((name) => name === undefined) &&
  request.method !== 'OPTIONS' &&
  (error?.kind ?? 'unknown-path') === 'unknown-path';

const Details = ({ entry }: { readonly entry: JournalEntry }) => (
  <div class="stack entry-body">
    <Trace entry={entry} />
    <div class="columns">
      <Message title="Request" message={entry.request} />
      {entry.response && <Message title="Response" message={entry.response} />}
    </div>
    <div class="row">
      <CopyButton text="Copy curl" copied={entry.curl} what="request as curl command" />
      <CopyButton text="Copy link" copied={() => Promise.resolve(window.location.href)} what="link to this request" />
      <span class="muted">Secrets are removed.</span>
    </div>
  </div>
);

export function LinkedEntry({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const entry = useLoad(async () => {
    const { entries, capacity } = await call('queryJournal', { after: Number(id) - 1, before: Number(id) + 1 });
    if (entries[0]) return entries[0];
    throw new Failure(`There is no entry ${id}; the journal keeps the last ${capacity}.`);
  });
  const about = entry.data ? `: ${entry.data.request.method} ${entry.data.request.url}` : '';
  return (
    <Card title={`Request ${id}${about}`} actions={<Button text="Close" onClick={onClose} />}>
      <Load of={entry}>{(loaded) => <Details entry={loaded} />}</Load>
    </Card>
  );
}

function Trace({ entry }: { readonly entry: JournalEntry }) {
  const { trace, basis, actor, worldTime, outcome, startedAt, milliseconds } = entry;
  const { operation, route, validation, authentication, error, gaps, faults, changes, forced } = trace;
  const { user, via } = authentication;
  const caller = [authentication.outcome, user && `as ${actor?.username ?? user}`, via && `by ${via.toUpperCase()}`];
  return (
    <Facts
      class="small"
      label="Decision trace"
      of={{
        Operation: isUnknownRoute(entry) ? (
          'none: this is an unknown route; no operation has this path'
        ) : (
          <>
            {route && 'your route '}
            <code>{route ?? operation ?? 'none'}</code>
          </>
        ),
        Request: validation,
        Caller: caller.filter(Boolean).join(' '),
        Error: error && (
          <>
            <code>{error.kind}</code> {error.message}
          </>
        ),
        Forced: forced && 'The client requested this status (Prefer).',
        Outcome: outcome !== 'answered' && outcome,
        'Decided by':
          gaps.length === 0 ? (
            basis
          ) : (
            <ul class="row">
              {gaps.map(({ id, answer }) => (
                <li key={id}>
                  <a href={`#/gaps/${id}`}>{id}</a> = <code>{displayed(answer)}</code>
                </li>
              ))}
            </ul>
          ),
        Faults: faults.length > 0 && faults.map((fault) => <code class="badge bad">{fault}</code>),
        Changed:
          changes.length === 0 ? (
            'nothing'
          ) : (
            <ul class="row">
              {changes.map(({ resource, id, change, fields = [] }) => (
                <li key={`${resource} ${id}`}>
                  {change} {resource}{' '}
                  <a href={isResource(resource) ? `#/state/${resource}/${encodeURIComponent(id)}` : undefined}>
                    <code>{id}</code>
                  </a>
                  {fields.length > 0 && `: ${fields.join(', ')}`}
                </li>
              ))}
            </ul>
          ),
        Sent: `${formatTime(startedAt)}, answered within ${shortDuration(milliseconds)}`,
        'World time': formatTime(worldTime),
      }}
    />
  );
}

type Sent = Pick<JournalEntry['request'], 'headers' | 'body'>;

function indented(text: string): string {
  const value = jsonOrText(text);
  return value === text ? text : JSON.stringify(value, null, 2);
}

const Message = ({ title, message: { headers, body } }: { readonly title: string; readonly message: Sent }) => (
  <section class="stack message small" aria-label={title}>
    <h3>{title}</h3>
    <Fold summary={<span class="muted">{headers.length} headers</span>}>
      <pre class="sunken">{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
    </Fold>
    {body && body.size > 0 ? (
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long bodies scroll, and the keyboard has to reach them */}
        <pre class="sunken" tabIndex={0}>
          {indented(body.text)}
        </pre>
        {body.cut && <p class="muted">Truncated. The body has {body.size} bytes.</p>}
      </>
    ) : (
      <p class="muted">No body.</p>
    )}
  </section>
);
