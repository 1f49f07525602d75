import colors from 'picocolors';
import { UsageError } from '../../contract-tests/errors.ts';
import { Primary } from '../server/workers/primary.ts';
import { type ServeFlags, tlsOf } from './serve-flags.ts';
import { logsFor } from './serve-logs.ts';

/**
 * Serves by several processes: this one owns the port, each of the others runs `serve` with the same options. Until SIGINT or
 * SIGTERM; then requests in flight are finished.
 * @throws UsageError for options that several processes cannot share
 */
export async function serveByWorkers(flags: ServeFlags): Promise<void> {
  refuseUnshared(flags);
  const { log } = await logsFor(flags);
  const { host, port, workers, sandboxes: sandboxLimit } = flags;
  const isColored = process.stdout.isTTY && process.stderr.isTTY && colors.isColorSupported;
  const env = { ...process.env, ...(isColored && { FORCE_COLOR: '1' }) };
  const [file = '', ...args] = process.argv.slice(1);
  const command = { file, args, env };
  const primary = await Primary.start({ workers, host, port, tls: tlsOf(flags), sandboxLimit, command, log });
  let isStopping = false;
  const stop = (timeoutMs?: number): void => {
    // A second signal stops at once.
    if (isStopping) {
      primary.kill();
      process.exit(130);
    }
    isStopping = true;
    primary.stop(timeoutMs);
  };
  process.on('SIGINT', () => stop());
  process.on('SIGTERM', () => stop(flags.drainTimeout));
  process.exit(await primary.ended);
}

/** @throws UsageError */
function refuseUnshared(flags: ServeFlags): void {
  const { workers, state, store, record, upstream, metrics, sandboxTtl } = flags;
  const reasons = {
    '--state': state !== undefined && 'a state file keeps the worlds of one process',
    '--store': store !== undefined && 'servers with one store share it by themselves, each on a port of its own',
    '--record': record !== undefined && 'a recording holds the requests of one process, in their order',
    '--metrics': metrics !== undefined && 'metrics are those of one process',
    '--public': flags.public === true && 'its limits are those of one process',
    '--sandbox-ttl': sandboxTtl !== undefined && 'each process would look after its own sandboxes only',
    '--drain-delay': flags.drainDelay > 0 && 'the processes stop answering together',
    '--upstream': upstream !== undefined && 'only the main world has an upstream, and that is in one process anyway',
  };
  for (const [option, reason] of Object.entries(reasons))
    if (reason !== false)
      throw new UsageError(
        `${option} needs one process, not --workers ${workers}: ${reason}. Leave one of the two out.`,
      );
}
