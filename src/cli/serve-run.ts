import { UsageError } from '../../contract-tests/errors.ts';
import type { HarFile } from '../../contract-tests/har/write-har.ts';
import {
  ConfigError,
  type DrainOptions,
  type Log,
  type Observer,
  type PublicOptions,
  type RunningMock,
  startMock,
  type TlsOptions,
  type UpstreamOptions,
} from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { told, toldOfBug } from './crash.ts';
import { greeting, publicGreeting } from './greeting.ts';
import { isShown, requestFields, requestLine, terminalColors, warnOfOrigins } from './request-log.ts';
import { watchInputs } from './watch.ts';

/** The options of `serve`, parsed. */
export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tls?: 'self-signed';
  readonly profile?: string;
  readonly seed: number;
  readonly recordings?: number;
  readonly fixtures?: string;
  readonly routes?: readonly string[];
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
  readonly metrics?: 'control' | 'open';
  readonly public?: boolean;
  readonly limit?: readonly string[];
  readonly sandboxTtl?: number;
  readonly trustProxy?: string;
  readonly drainDelay: number;
  readonly drainTimeout: number;
  readonly watch?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly jsonLogs?: boolean;
}

/**
 * Serves until SIGINT or SIGTERM; then finishes requests in flight, saves and exits.
 * @param isUp called once it listens
 * @throws ConfigError if an option, a file or the address is invalid
 */
export async function serve(flags: ServeFlags, isUp: () => void): Promise<void> {
  const { log, observe } = flags.jsonLogs ? await jsonLogs(flags) : terminalLogs(flags);
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
    tls: tlsOf(flags),
    seed,
    recordings,
    ...(profile !== undefined && { profile }),
    fixturesDir,
    routes: flags.routes ?? [],
    stateFile: flags.state,
    sandboxLimit: flags.sandboxes,
    controlToken: flags.controlToken,
    faults: flags.fault ?? [],
    cors: flags.cors ?? [],
    latencyMs: flags.latency,
    metrics: flags.metrics,
    public: publicIn(flags),
    sandboxTtl: flags.sandboxTtl,
    trustProxy: flags.trustProxy,
    observe: flags.quiet ? undefined : observe,
    log,
  });
  isUp();
  // Before anybody is told that it runs: whoever reads that may end it.
  stopOnSignal(mock, flags, log);
  if (flags.routes) surviveRoutes(log);
  if (!flags.quiet) {
    if (flags.jsonLogs) log('info', `listening on ${mock.baseUrl}`);
    else process.stdout.write(flags.public ? publicGreeting(mock) : greeting(mock, flags.state));
  }
  if (flags.watch) watchInputs(mock, { profile, fixturesDir, routes: flags.routes ?? [] }, log);
}

/** A promise in a route of yours that nobody awaits: the world of whoever works with the mock must not end with it. */
function surviveRoutes(log: Log): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error: unknown) => {
    const stack = error instanceof Error ? error.stack : String(error);
    log('error', `failed outside of any request: ${stack}`);
  });
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

/** @throws ConfigError for a limit of a mock that is not public */
function publicIn({ public: isPublic, limit: limits }: ServeFlags): PublicOptions | undefined {
  if (isPublic) return { limits };
  if (limits) throw new ConfigError(['--limit is about a public mock: add --public']);
  return undefined;
}

/** The recording to add to; made new. */
async function openHar(file: string): Promise<HarFile> {
  const { HarFile } = await import('../../contract-tests/har/write-har.ts');
  return new HarFile(file);
}

interface Logs {
  readonly log: Log;
  readonly observe: Observer;
}

function terminalLogs(flags: ServeFlags): Logs {
  const colors = terminalColors(process.stderr);
  const log: Log = (level, message) =>
    void process.stderr.write(`${level === 'error' ? toldOfBug(message) : message}\n`);
  const warn = warnOfOrigins((message) => log('info', colors.yellow(message)));
  return {
    log,
    observe: (observed) => {
      if (isShown(observed, flags)) log('info', requestLine(observed, new Date(), colors));
      warn(observed);
    },
  };
}

async function jsonLogs(flags: ServeFlags): Promise<Logs> {
  const { pino } = await import('pino');
  const logger = pino({ level: flags.quiet ? 'error' : 'info' });
  const warn = warnOfOrigins((message, refusedOrigin) => logger.warn({ refusedOrigin }, message));
  return {
    log: (level, message) => logger[level](level === 'error' ? toldOfBug(message) : told(message)),
    observe: (observed) => {
      if (isShown(observed, flags)) logger.info(requestFields(observed), 'request');
      warn(observed);
    },
  };
}

/** @throws UsageError if only one of certificate and key is given */
function tlsOf({ tls, tlsCert, tlsKey }: ServeFlags): TlsOptions | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  if (tlsCert !== undefined) throw new UsageError('--tls-cert needs --tls-key, the private key of the certificate.');
  if (tlsKey !== undefined) throw new UsageError('--tls-key needs --tls-cert, the certificate of the key.');
  return tls;
}

/** SIGTERM comes from an orchestrator, which waits; at Ctrl+C somebody does. */
function stopOnSignal(mock: RunningMock, { state, quiet, drainDelay, drainTimeout }: ServeFlags, log: Log): void {
  let stopping = false;
  const stop = (options?: DrainOptions) => {
    // A second signal stops at once.
    if (stopping) process.exit(130);
    stopping = true;
    mock.close(options).then(
      () => {
        if (state !== undefined && !quiet) log('info', `state saved in ${state}`);
        process.exit(0);
      },
      (error: unknown) => {
        log('error', `could not stop cleanly: ${String(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', () => stop());
  process.on('SIGTERM', () => stop({ delayMs: drainDelay, timeoutMs: drainTimeout }));
}
