import type { Schemas } from '../../api/client.ts';
import { ChangeButton } from '../../ui/button.tsx';
import { conditionsOf, disarm } from './arming.ts';

/** The armed faults: for what, and how often they hit. */
export const ArmedFaults = ({ faults }: { readonly faults: readonly Schemas['Fault'][] }) => (
  <ul class="rows" aria-label="Armed faults">
    {faults.map(({ id, description, hits, armed }) => (
      <li key={id}>
        <div class="grow">
          <div class="row tags">
            <a href={`#/faults?q=${id}`} title={description}>
              <code>{id}</code>
            </a>
            <span class="badge warn">{armed && conditionsOf(armed)}</span>
            <span class="badge">{hits === 1 ? '1 hit' : `${hits} hits`}</span>
          </div>
        </div>
        <ChangeButton label={`Disarm ${id}`} act={() => disarm(id)}>
          Disarm
        </ChangeButton>
      </li>
    ))}
  </ul>
);
