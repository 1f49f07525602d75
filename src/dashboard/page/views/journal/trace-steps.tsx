import type { ComponentChildren } from 'preact';
import type { Schemas } from '../../api/client.ts';
import { moment } from '../../ui/time.ts';
import { shownAnswer } from '../gaps/gap-row.tsx';

type JournalEntry = Schemas['JournalEntry'];

/** How the answer came about, step by step. */
export function TraceSteps({ entry: { trace, basis, actor, worldTime, outcome } }: { readonly entry: JournalEntry }) {
  const { operation, validation, authentication, error, gaps, faults, changes, forced } = trace;
  return (
    <dl class="facts trace" aria-label="Decision trace">
      <Fact name="Operation">
        {operation ? <code>{operation}</code> : 'none: no operation has this path and method'}
      </Fact>
      <Fact name="Request">{validation}</Fact>
      <Fact name="Caller">
        {authentication.outcome}
        {authentication.user && ` as ${actor?.username ?? authentication.user}`}
        {authentication.via && ` by ${authentication.via.toUpperCase()}`}
      </Fact>
      {error && (
        <Fact name="Refused">
          <code>{error.kind}</code> {error.message}
        </Fact>
      )}
      {forced && <Fact name="Forced">the client asked for this status (Prefer)</Fact>}
      {outcome !== 'answered' && <Fact name="Outcome">{outcome}</Fact>}
      <Fact name="Decided by">
        {gaps.length === 0 ? (
          basis
        ) : (
          <ul class="inline">
            {gaps.map(({ id, answer }) => (
              <li key={id}>
                <a href={`#/gaps/${id}`}>{id}</a> = <code>{shownAnswer(answer)}</code>
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
          <ul class="inline">
            {changes.map(({ resource, id, change, fields }) => (
              <li key={`${resource} ${id}`}>
                {change} {resource} <code>{id}</code>
                {fields && fields.length > 0 && `: ${fields.join(', ')}`}
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="World's time">{moment(worldTime)}</Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
