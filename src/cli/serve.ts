import type { Command } from 'commander';
import { drainOptions, listenOptions, upstreamOptions } from '../server/options.ts';
import { addRows } from './options.ts';
import { type ServeFlags, serveOptions } from './serve-flags.ts';
import { keepHeapSmall } from './small-heap.ts';

export function registerServe(program: Command): void {
  const command = program.command('serve').description('serve the mock');
  for (const rows of [listenOptions, upstreamOptions, drainOptions, serveOptions]) addRows(command, rows);
  command.action(async (flags: ServeFlags) => {
    // Before the modules are loaded.
    const isUp = keepHeapSmall();
    const { serve } = await import('./serve-run.ts');
    await serve(flags, isUp);
  });
}
