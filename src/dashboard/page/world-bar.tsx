import { currentSandbox, dashboardPath } from './api/location.ts';
import { useWorld } from './api/world.tsx';
import { formatMinute } from './ui/time.ts';

/** Names the world that the page belongs to. Always visible, because every button acts on it. */
export function WorldBar() {
  const { data, failure } = useWorld();
  return (
    <div class="row small world-bar">
      <span>
        World <strong>{currentSandbox ? `~${currentSandbox}` : 'main'}</strong>
        {currentSandbox && (
          <>
            {' '}
            · <a href={dashboardPath()}>Go to the main world</a>
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
            {formatMinute(data.time)}
            {data.frozen && <span class="badge warn">frozen</span>}
          </span>
          {data.ownViolations > 0 && (
            <span class="badge bad" title="The mock's log names them">
              {data.ownViolations} responses violated the spec: a bug in the mock
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
