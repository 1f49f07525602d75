import type { Command } from 'commander';
import { repeated, wholeNumber } from './options.ts';
import type { ServeFlags } from './serve-run.ts';
import { keepHeapSmall } from './small-heap.ts';

/** `serve`: serves the mock until it is told to stop. */
export function registerServe(program: Command): void {
  program
    .command('serve')
    .description('serve the mock')
    .option('--port <number>', 'port to listen on; 0 for any that is free', wholeNumber(0, 65535), 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--profile <file|name>', 'answers to gaps')
    .option(
      '--seed <number>',
      'decides every id, token and invented record',
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      1,
    )
    .option(
      '--recordings <number>',
      'recordings in all; faker invents what is not written by hand',
      wholeNumber(0, 1_000_000),
    )
    .option('--fixtures <folder>', 'fixture files in place of the shipped ones')
    .option('--state <file>', 'keep the state there: loaded at start, saved on change and at the end')
    .option('--fault <id>', 'arm a fault (see `faults`); may be repeated', repeated)
    .option('--latency <ms>', 'hold every answer back', wholeNumber(0, 600_000), 0)
    .option('--cors <origin>', 'let pages on that origin call, beside local ones; may be repeated', repeated)
    .option('--control-token <token>', 'needed for /_mock, instead of being on this machine')
    .option('--sandboxes <number>', 'sandboxes that there may be at once', wholeNumber(0, 100_000), 1000)
    .option('--watch', 'read profile and fixtures again when they change')
    .option('--quiet', 'print errors only')
    .option('--json-logs', 'log as JSON lines')
    .action(async (flags: ServeFlags) => {
      // Before all that is loaded.
      const isUp = keepHeapSmall();
      const { serve } = await import('./serve-run.ts');
      await serve(flags, isUp);
    });
}
