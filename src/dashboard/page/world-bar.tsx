import { dashboardOf, ownSandbox } from './api/place.ts';
import { useWorld } from './api/world.tsx';
import { minute } from './ui/time.ts';

/** Which world this is: never out of sight, because every button acts on it. */
export function WorldBar() {
  const { data, failure } = useWorld();
  return (
    <div class="world-bar">
      <span>
        World <strong>{ownSandbox ? `~${ownSandbox}` : 'main'}</strong>
        {ownSandbox && (
          <>
            {' '}
            · <a href={dashboardOf()}>to the main world</a>
          </>
        )}
      </span>
      {data && (
        <>
          <span>
            Profile <strong>{data.profile}</strong>
          </span>
          <span>
            Seed <strong>{data.seed}</strong>
          </span>
          <span class="time">
            {minute(data.time)}
            {data.frozen && <span class="badge warn">frozen</span>}
          </span>
          {data.ownViolations > 0 && (
            <span class="badge bad" title="The mock's log says which">
              {data.ownViolations} answers broke the spec: bugs of the mock
            </span>
          )}
        </>
      )}
      {failure && failure.status !== 403 && (
        <span class="badge bad" role="alert">
          {failure.message}
        </span>
      )}
    </div>
  );
}
