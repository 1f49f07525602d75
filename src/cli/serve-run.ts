import { outlet } from '../../contract-tests/commands/outlet.ts';
import { asText, traceOf } from '../../contract-tests/values/json.ts';
import {
  ConfigError,
  type DrainOptions,
  type ListenOptions,
  type Log,
  type RunningMock,
  startMock,
  type UpstreamOptions,
} from '../index.ts';
import { endsWithStdin } from '../server/child-server.ts';
import { packageFile } from '../server/files/package-root.ts';
import { watchInputs } from '../server/files/watch.ts';
import { greeting } from './greeting.ts';
import { type ServeFlags, sameIn, tlsOf } from './serve-flags.ts';
import { logsFor } from './serve-logs.ts';

/** Serves until SIGINT or SIGTERM, then finishes requests in flight and saves; throws ConfigError for unusable input. */
export async function serve(flags: ServeFlags, isUp: () => void): Promise<void> {
  if (process.env[endsWithStdin]) process.stdin.resume().once('close', () => process.exit());
  const { log, observe } = await logsFor(flags);
  // The shipped fixtures are compiled into the package; --watch needs their files.
  const fixturesDir = flags.fixtures ?? (flags.watch ? packageFile('fixtures') : undefined);
  const options: ListenOptions = {
    ...sameIn(flags),
    upstream: upstreamIn(flags),
    tls: tlsOf(flags),
    fixturesDir,
    stateFile: flags.state,
    sandboxLimit: flags.sandboxes,
    faults: flags.fault ?? [],
    latencyMs: flags.latency,
    observe: flags.quiet ? undefined : observe,
    log,
  };
  const mock = await startMock(options);
  isUp();
  // Before printing that it runs: the reader may end it at once.
  stopOnSignal(mock, flags, log);
  if (flags.routes) surviveRoutes(log);
  if (!flags.quiet) {
    if (flags.jsonLogs) log('info', `listening on ${mock.baseUrl}`);
    else {
      // Its credentials are made by a request: with a store, other servers know them too. It may be away for a while.
      const greeted = await mock.worlds.services.store?.change(() => greeting(mock)).catch(() => undefined);
      outlet.print('stdout', greeted ?? greeting(mock));
    }
  }
  if (flags.watch) watchInputs(mock, options, log);
}

/** An unhandled rejection in a custom route must not end the process and its worlds. */
function surviveRoutes(log: Log): void {
  process.removeAllListeners('uncaughtException').on('uncaughtException', (error: unknown) => {
    const stack = traceOf(error);
    log('error', `failed outside of any request: ${stack}`);
  });
}

/** @throws ConfigError for an upstream option without an upstream */
function upstreamIn(flags: ServeFlags): UpstreamOptions | undefined {
  const { upstream, upstreamOnly: only, mockOnly, upstreamToken: token, allowWrites, upstreamTimeout } = flags;
  if (upstream !== undefined) return { upstream, only, mockOnly, token, allowWrites, timeoutMs: upstreamTimeout };
  const about = Object.entries({ '--upstream-only': only, '--mock-only': mockOnly, '--upstream-token': token });
  const [lost] = about.find(([, value]) => value !== undefined) ?? [];
  if (lost !== undefined) throw new ConfigError([`${lost} is about an upstream: name it with --upstream URL`]);
  return undefined;
}

/** SIGTERM comes from an orchestrator that drains; Ctrl+C from a user who waits. */
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
        log('error', `could not stop cleanly: ${asText(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', () => stop());
  process.on('SIGTERM', () => stop({ delayMs: drainDelay, timeoutMs: drainTimeout }));
}
