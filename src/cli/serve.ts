import { type Command, Option } from 'commander';
import { kinds } from '../core/options.ts';
import { inRange, repeated, wholeNumber } from './options.ts';
import type { ServeFlags } from './serve-flags.ts';
import { keepHeapSmall } from './small-heap.ts';

export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('serve the mock')
    .option('--port <number>', 'port to listen on; 0 for any free port (also env: PORT)', inRange(kinds.port), 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--tls-cert <file>', 'serve HTTPS with this certificate, with its chain (PEM)')
    .option('--tls-key <file>', 'its private key (PEM)')
    .addOption(
      new Option('--tls <kind>', 'serve HTTPS with a certificate generated at startup')
        .choices(['self-signed'])
        .conflicts(['tlsCert', 'tlsKey']),
    )
    .option('--profile <file|name>', 'answers to gaps')
    .option('--seed <number>', 'seed of ids, tokens and generated records', inRange(kinds.seed), 1)
    .option('--recordings <number>', 'number of recordings; missing ones are generated', inRange(kinds.recordings))
    .option('--fixtures <folder>', 'fixture files to use instead of the shipped ones')
    .option('--routes <file>', 'custom routes: YAML, JSON, OpenAPI, TypeScript, JavaScript; repeatable', repeated)
    .option('--state <file>', 'state file: loaded at start, written with every change')
    .addOption(
      new Option(
        '--store <url>',
        'keep all worlds in a Redis that any number of servers share: redis://, rediss://, redis+sentinel://host,host/master, redis+cluster://host,host',
      ).conflicts(['state', 'watch', 'upstream']),
    )
    .option('--fault <fault>', 'arm a fault (see `faults`), e.g. latency or "delay:ms=800"; repeatable', repeated)
    .option('--latency <ms>', 'delay every response', inRange(kinds.latency), 0)
    .option('--cors <origin>', 'allow pages of that origin, in addition to local ones; repeatable', repeated)
    .option('--control-token <token>', 'require this token for /_mock instead of a local client')
    .option('--sandboxes <number>', 'maximum number of sandboxes', inRange(kinds.sandboxes), 1000)
    .option('--sandbox-ttl <seconds>', 'delete sandboxes unused for so long', inRange(kinds.sandboxTtl))
    .option(
      '--trust-proxy <proxies>',
      'believe X-Forwarded-For and -Proto of so many proxies, or of these: 1, or loopback,10.0.0.0/8',
    )
    .option('--upstream <url>', 'base URL of the real service: it answers what the mock does not know')
    .option(
      '--upstream-only <path>',
      'path, with * for anything, that goes to the upstream anyway; repeatable',
      repeated,
    )
    .option(
      '--mock-only <operation>',
      'answer this operation only; all else goes to the upstream; repeatable',
      repeated,
    )
    .option(
      '--upstream-token <token>',
      "bearer token for the upstream; without it, it gets the client's, and never one of the mock's own",
    )
    .option('--upstream-timeout <ms>', 'how long the upstream may be silent', inRange(kinds.upstreamTimeout), 30_000)
    .option('--allow-writes', 'let requests that may change something through to an upstream on another machine')
    .option('--record <file>', 'record all traffic as HAR 1.2, secrets replaced by pseudonyms')
    .addOption(
      new Option(
        '--metrics [access]',
        'collect metrics and serve them to Prometheus at /_mock/metrics, as the control plane or open to everybody',
      )
        .choices(['control', 'open'])
        .preset('control'),
    )
    .option(
      '--drain-delay <ms>',
      'at SIGTERM: how long to answer while telling load balancers to go elsewhere',
      wholeNumber(0, 3_600_000),
      0,
    )
    .option('--drain-timeout <ms>', 'at SIGTERM: how long requests may take then', wholeNumber(0, 3_600_000), 10_000)
    .option('--watch', 'reload profile, fixtures and routes when they change')
    .option('--quiet', 'print errors only')
    .option('--verbose', 'log preflights of browsers, too')
    .option('--json-logs', 'log as JSON lines (pino), with a field for everything about a request')
    .action(async (flags: ServeFlags) => {
      // Before the modules are loaded.
      const isUp = keepHeapSmall();
      const { serve } = await import('./serve-run.ts');
      await serve(flags, isUp);
    });
}
