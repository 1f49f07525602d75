import type { HarFile } from '../../contract-tests/har/write-har.ts';
import {
  ConfigError,
  type DrainOptions,
  type ListenOptions,
  type Log,
  type PublicOptions,
  type RunningMock,
  startMock,
  type UpstreamOptions,
} from '../index.ts';
import { packageFile } from '../server/files/package-root.ts';
import { greeting, publicGreeting } from './greeting.ts';
import { type ServeFlags, tlsOf } from './serve-flags.ts';
import { logsFor } from './serve-logs.ts';
import { watchInputs } from './watch.ts';

/**
 * Serves until SIGINT or SIGTERM; then finishes requests in flight, saves and exits.
 * @param isUp called once it listens
 * @param asWorker this process is one of several: `--workers`
 * @throws ConfigError if an option, a file or the address is invalid
 */
export async function serve(flags: ServeFlags, isUp: () => void, asWorker = false): Promise<void> {
  const { log, observe } = await logsFor(flags);
  const worker = asWorker ? await startWorker() : undefined;
  const { host, port, seed, recordings, profile } = flags;
  // The shipped fixtures are compiled into the package; --watch needs their files.
  const fixturesDir = flags.fixtures ?? (flags.watch ? packageFile('fixtures') : undefined);
  const upstream = upstreamIn(flags);
  const har = flags.record === undefined ? undefined : await openHar(flags.record);
  const isFirst = !worker || worker.place.index === 0;
  const options: ListenOptions = {
    upstream,
    record: har && ((passed) => har.add(passed)),
    host,
    port,
    tls: worker ? worker.place.credentials : tlsOf(flags),
    seed,
    recordings,
    ...(profile !== undefined && { profile }),
    fixturesDir,
    routes: flags.routes ?? [],
    stateFile: flags.state,
    store: storeIn(flags),
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
    // What the first one says of options and files, the others would say, too.
    log: isFirst ? log : (level, message) => level === 'error' && log(level, message),
  };
  const mock = await startMock(options, worker?.open);
  isUp();
  // Before anybody is told that it runs: whoever reads that may end it.
  // The primary says when workers end.
  if (!worker) stopOnSignal(mock, flags, log);
  if (flags.routes) surviveRoutes(log);
  await worker?.opened().ready(mock);
  if (!flags.quiet && isFirst && !worker?.place.isReplacement) {
    if (flags.jsonLogs) log('info', `listening on ${mock.baseUrl}`);
    else process.stdout.write(flags.public ? publicGreeting(mock) : await greetingOf(mock));
  }
  const reload = async (): Promise<void> => {
    await mock.reload();
    await worker?.opened().reloadOthers();
  };
  if (flags.watch && isFirst) watchInputs({ reload }, { profile, fixturesDir, routes: flags.routes ?? [] }, log);
}

/** This process as a worker. Signals that reach all processes, as Ctrl+C does, are for the primary; it ends with that one. */
async function startWorker() {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.once('disconnect', () => process.exit(0));
  const { Worker } = await import('../server/workers/worker.ts');
  return Worker.open(process);
}

/** A promise in a route of yours that nobody awaits: the world of whoever works with the mock must not end with it. */
function surviveRoutes(log: Log): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error: unknown) => {
    const stack = error instanceof Error ? error.stack : String(error);
    log('error', `failed outside of any request: ${stack}`);
  });
}

/** @throws ConfigError for an option that does not go with a store */
function storeIn({ store, state, watch, upstream }: ServeFlags): string | undefined {
  if (store === undefined) return undefined;
  const others = Object.entries({ '--state': state, '--watch': watch, '--upstream': upstream });
  const [other] = others.find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) throw new ConfigError([`--store and ${other} exclude each other: leave out one of them`]);
  return store;
}

/** What it shows to copy is made as requests make it: with a store, other servers know it too. */
async function greetingOf(mock: RunningMock): Promise<string> {
  const made = (): string => greeting(mock);
  return mock.worlds.services.store?.change(made) ?? made();
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
