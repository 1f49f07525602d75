import type { Command } from 'commander';
import { kinds } from '../core/options.ts';
import { inRange } from './options.ts';
import type { ProxyFlags } from './proxy-run.ts';

const port = inRange(kinds.port);

export function registerProxy(program: Command): void {
  program
    .command('proxy')
    .description("run Prism's validation proxy in front of a target, to check every request and response")
    .option('--base-url <url>', 'base URL of the API; a mock reports its profile itself')
    .option('--target <file>', 'target file (YAML)')
    .option('--profile <file|name>', 'answers to gaps at the target')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 for any free port', port, 4011)
    .option('--record <file>', 'record all traffic as HAR 1.2, secrets replaced by pseudonyms')
    .option('--judge', 'print a finding of the contract suite as soon as the traffic shows it')
    .action(async (flags: ProxyFlags) => {
      const { proxy } = await import('./proxy-run.ts');
      process.exitCode = await proxy(flags);
    });
}
