import type { Command } from 'commander';
import { listenOptions, mockOptions } from '../server/options.ts';
import { addRows } from './options.ts';
import type { ProxyFlags } from './proxy-run.ts';

export function registerProxy(program: Command): void {
  const command = program
    .command('proxy')
    .description("run Prism's validation proxy in front of a target, to check every request and response")
    .option('--base-url <url>', 'base URL of the API; a mock reports its profile itself')
    .option('--target <file>', 'target file (YAML)')
    .option('--profile <file|name>', 'answers to gaps at the target')
    .option(
      '--assumptions',
      'also report what differs from the answers to gaps: by default only what the document states',
    )
    .option('--judge', 'print a finding of the contract suite as soon as the traffic shows it');
  const port = { ...listenOptions.port, help: 'port to listen on; 0 for any free port', usually: 4011 };
  addRows(command, { host: listenOptions.host, port, record: mockOptions.record }).action(async (flags: ProxyFlags) => {
    const { proxy } = await import('./proxy-run.ts');
    process.exitCode = await proxy(flags);
  });
}
