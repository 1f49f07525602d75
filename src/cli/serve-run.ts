import type { Observer } from '../server/http/observe.ts';
import { type RunningMock, startMock } from '../index.ts';
import { logError, logInfo, setLogSink } from '../log.ts';
import { greeting } from './greeting.ts';
import { watchInputs } from './watch.ts';

/** The options of `serve`, parsed. */
export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly profile?: string;
  readonly seed: number;
  readonly recordings?: number;
  readonly fixtures?: string;
  readonly state?: string;
  readonly fault?: readonly string[];
  readonly latency: number;
  readonly cors?: readonly string[];
  readonly controlToken?: string;
  readonly sandboxes: number;
  readonly watch?: boolean;
  readonly quiet?: boolean;
  readonly jsonLogs?: boolean;
}

/**
 * Serves until SIGINT or SIGTERM; then finishes what is in flight, saves and leaves.
 * @param isUp called once it listens
 * @throws ConfigError when an option, a file or the address cannot be used
 */
export async function serve(flags: ServeFlags, isUp: () => void): Promise<void> {
  if (flags.jsonLogs) await logAsJson(flags.quiet === true);
  const { host, port, seed, recordings, profile } = flags;
  const mock = await startMock({
    host,
    port,
    seed,
    recordings,
    ...(profile !== undefined && { profile }),
    fixturesDir: flags.fixtures,
    stateFile: flags.state,
    sandboxLimit: flags.sandboxes,
    controlToken: flags.controlToken,
    faults: flags.fault ?? [],
    cors: flags.cors ?? [],
    latencyMs: flags.latency,
    observe: flags.quiet ? undefined : logExchange,
  });
  isUp();
  if (!flags.quiet) {
    if (flags.jsonLogs) logInfo(`listening on ${mock.baseUrl}`);
    else process.stdout.write(greeting(mock));
  }
  if (flags.watch) watchInputs(mock, { profile, fixturesDir: flags.fixtures });
  stopOnSignal(mock);
}

const logExchange: Observer = ({ method, url, status, basis, milliseconds }) =>
  logInfo(`${method} ${url} ${status} ${milliseconds.toFixed(1)} ms  ${basis}`);

async function logAsJson(quiet: boolean): Promise<void> {
  const { pino } = await import('pino');
  const logger = pino({ level: quiet ? 'error' : 'info' });
  setLogSink((level, message) => logger[level](message));
}

function stopOnSignal(mock: RunningMock): void {
  let stopping = false;
  const stop = () => {
    // Asked twice: whoever asks does not want to wait.
    if (stopping) process.exit(130);
    stopping = true;
    mock.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logError(`could not stop cleanly: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
