import type { HarFile } from '../../contract-tests/har/write-har.ts';
import { ConfigError, type Log, type Observer, type RunningMock, startMock, type UpstreamOptions } from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
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
  readonly upstream?: string;
  readonly upstreamOnly?: readonly string[];
  readonly mockOnly?: readonly string[];
  readonly upstreamToken?: string;
  readonly upstreamTimeout: number;
  readonly allowWrites?: boolean;
  readonly record?: string;
  readonly watch?: boolean;
  readonly quiet?: boolean;
  readonly jsonLogs?: boolean;
}

/**
 * Serves until SIGINT or SIGTERM; then finishes requests in flight, saves and exits.
 * @param isUp called once it listens
 * @throws ConfigError if an option, a file or the address is invalid
 */
export async function serve(flags: ServeFlags, isUp: () => void): Promise<void> {
  const log = flags.jsonLogs ? await jsonLog(flags.quiet === true) : stderrLog;
  const { host, port, seed, recordings, profile } = flags;
  // The shipped fixtures are compiled into the package; --watch needs their files.
  const fixturesDir = flags.fixtures ?? (flags.watch ? packageFile('fixtures') : undefined);
  const upstream = upstreamIn(flags);
  const har = flags.record === undefined ? undefined : await openHar(flags.record);
  const mock = await startMock({
    upstream,
    record: har && ((passed) => har.add(passed)),
    host,
    port,
    seed,
    recordings,
    ...(profile !== undefined && { profile }),
    fixturesDir,
    stateFile: flags.state,
    sandboxLimit: flags.sandboxes,
    controlToken: flags.controlToken,
    faults: flags.fault ?? [],
    cors: flags.cors ?? [],
    latencyMs: flags.latency,
    observe: flags.quiet ? undefined : logExchange(log),
    log,
  });
  isUp();
  if (!flags.quiet) {
    if (flags.jsonLogs) log('info', `listening on ${mock.baseUrl}`);
    else process.stdout.write(greeting(mock));
  }
  if (flags.watch) watchInputs(mock, { profile, fixturesDir }, log);
  stopOnSignal(mock, log);
}

/** @throws ConfigError for an option about an upstream where there is none */
function upstreamIn(flags: ServeFlags): UpstreamOptions | undefined {
  const { upstream, upstreamOnly: only, mockOnly, upstreamToken: token, allowWrites, upstreamTimeout } = flags;
  if (upstream !== undefined) return { upstream, only, mockOnly, token, allowWrites, timeoutMs: upstreamTimeout };
  const about = Object.entries({ '--upstream-only': only, '--mock-only': mockOnly, '--upstream-token': token });
  const [lost] = about.find(([, value]) => value !== undefined) ?? [];
  if (lost !== undefined) throw new ConfigError([`${lost} is about an upstream: name it with --upstream URL`]);
  return undefined;
}

/** The recording to add to; made new. */
async function openHar(file: string): Promise<HarFile> {
  const { HarFile } = await import('../../contract-tests/har/write-har.ts');
  return new HarFile(file);
}

const logExchange =
  (log: Log): Observer =>
  ({ method, url, status, basis, milliseconds }) =>
    log('info', `${method} ${url} ${status ?? 'dropped'} ${milliseconds.toFixed(1)} ms  ${basis}`);

const stderrLog: Log = (_level, message) => void process.stderr.write(`${message}\n`);

async function jsonLog(quiet: boolean): Promise<Log> {
  const { pino } = await import('pino');
  const logger = pino({ level: quiet ? 'error' : 'info' });
  return (level, message) => logger[level](message);
}

function stopOnSignal(mock: RunningMock, log: Log): void {
  let stopping = false;
  const stop = () => {
    // A second signal stops at once.
    if (stopping) process.exit(130);
    stopping = true;
    mock.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log('error', `could not stop cleanly: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
