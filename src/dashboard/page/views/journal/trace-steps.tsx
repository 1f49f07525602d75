import type { Schemas } from '../../api/client.ts';
import { displayed } from '../../ui/failure-note.tsx';
import { Fact } from '../../ui/list.tsx';
import { formatTime } from '../../ui/time.ts';
import { isResource } from '../state/resources.ts';
import { shortDuration } from './duration.ts';

type JournalEntry = Schemas['JournalEntry'];

/** How the response was decided, step by step. */
export function TraceSteps({
  entry: { trace, basis, actor, worldTime, outcome, startedAt, milliseconds },
}: {
  readonly entry: JournalEntry;
}) {
  const { operation, route, validation, authentication, error, gaps, faults, changes, forced } = trace;
  return (
    <dl class="facts dense small" aria-label="Decision trace">
      <Fact name="Operation">
        {route && 'your route '}
        {route || operation ? (
          <code>{route ?? operation}</code>
        ) : (
          'none: this is an unknown route; no operation has this path and method'
        )}
      </Fact>
      <Fact name="Request">{validation}</Fact>
      <Fact name="Caller">
        {authentication.outcome}
        {authentication.user && ` as ${actor?.username ?? authentication.user}`}
        {authentication.via && ` by ${authentication.via.toUpperCase()}`}
      </Fact>
      {error && (
        <Fact name="Error">
          <code>{error.kind}</code> {error.message}
        </Fact>
      )}
      {forced && <Fact name="Forced">The client requested this status (Prefer).</Fact>}
      {outcome !== 'answered' && <Fact name="Outcome">{outcome}</Fact>}
      <Fact name="Decided by">
        {gaps.length === 0 ? (
          basis
        ) : (
          <ul class="row">
            {gaps.map(({ id, answer }) => (
              <li key={id}>
                <a href={`#/gaps/${id}`}>{id}</a> = <code>{displayed(answer)}</code>
              </li>
            ))}
          </ul>
        )}
      </Fact>
      {faults.length > 0 && (
        <Fact name="Faults">
          {faults.map((fault) => (
            <code key={fault} class="badge bad">
              {fault}
            </code>
          ))}
        </Fact>
      )}
      <Fact name="Changed">
        {changes.length === 0 ? (
          'nothing'
        ) : (
          <ul class="row">
            {changes.map(({ resource, id, change, fields }) => (
              <li key={`${resource} ${id}`}>
                {change} {resource} <RecordLink resource={resource} id={id} />
                {fields && fields.length > 0 && `: ${fields.join(', ')}`}
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="Sent">
        {formatTime(startedAt)}, answered within {shortDuration(milliseconds)}
      </Fact>
      <Fact name="World time">{formatTime(worldTime)}</Fact>
    </dl>
  );
}

/** A record in the state, where it is of a kind that is shown there. */
const RecordLink = ({ resource, id }: { readonly resource: string; readonly id: string }) =>
  isResource(resource) ? (
    <a href={`#/state/${resource}/${encodeURIComponent(id)}`}>
      <code>{id}</code>
    </a>
  ) : (
    <code>{id}</code>
  );
