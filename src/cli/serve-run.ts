import { outlet } from '../../contract-tests/commands/outlet.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import { asText, traceOf } from '../../contract-tests/values/json.ts';
import {
  ConfigError,
  type DrainOptions,
  type ListenOptions,
  type Log,
  type RunningMock,
  startMock,
  type TlsOptions,
  type UpstreamOptions,
} from '../index.ts';
import { endsWithStdin } from '../server/child-server.ts';
import { packageFile } from '../server/files/package-root.ts';
import { watchInputs } from '../server/files/watch.ts';
import { drainOptions, listenOptions, upstreamOptions } from '../server/options.ts';
import { greeting } from './greeting.ts';
import { given } from './options.ts';
import type { ServeFlags } from './serve-flags.ts';
import { logsFor } from './serve-logs.ts';

/** Serves until SIGINT or SIGTERM, then finishes requests in flight and saves; throws ConfigError for unusable input. */
export async function serve(flags: ServeFlags, isUp: () => void): Promise<void> {
  if (process.env[endsWithStdin]) process.stdin.resume().once('close', () => process.exit());
  const { log, observe } = await logsFor(flags);
  const own = given(listenOptions, flags);
  const options: ListenOptions = {
    ...own,
    // The shipped fixtures are compiled into the package; --watch needs their files.
    fixtures: own.fixtures ?? (flags.watch ? packageFile('fixtures') : undefined),
    upstream: upstreamIn(flags),
    tls: tlsIn(flags) ?? own.tls,
    observe: flags.quiet ? undefined : observe,
    log,
  };
  const mock = await startMock(options);
  isUp();
  // Before printing that it runs: the reader may end it at once.
  stopOnSignal(mock, { ...flags, state: own.state }, log);
  if (own.routes) surviveRoutes(log);
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
  const { upstream, ...others } = given(upstreamOptions, flags);
  if (upstream !== undefined) return { upstream, ...others };
  for (const name of ['only', 'mockOnly', 'token'] as const)
    if (others[name] !== undefined)
      throw new ConfigError([
        `${upstreamOptions[name].flag?.split(' ')[0]} is about an upstream: name it with --upstream URL`,
      ]);
  return undefined;
}

/** @throws UsageError if only one of certificate and key is given */
function tlsIn({ tlsCert, tlsKey }: ServeFlags): TlsOptions | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  if (tlsCert !== undefined) throw new UsageError('--tls-cert needs --tls-key, the private key of the certificate.');
  if (tlsKey !== undefined) throw new UsageError('--tls-key needs --tls-cert, the certificate of the key.');
  return undefined;
}

/** SIGTERM comes from an orchestrator that drains; Ctrl+C from a user who waits. */
function stopOnSignal(mock: RunningMock, flags: ServeFlags & { state: string | undefined }, log: Log): void {
  let stopping = false;
  const stop = (options?: DrainOptions) => {
    // A second signal stops at once.
    if (stopping) process.exit(130);
    stopping = true;
    mock.close(options).then(
      () => {
        if (flags.state !== undefined && !flags.quiet) log('info', `state saved in ${flags.state}`);
        process.exit(0);
      },
      (error: unknown) => {
        log('error', `could not stop cleanly: ${asText(error)}`);
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', () => stop());
  process.on('SIGTERM', () => stop(given(drainOptions, flags)));
}
