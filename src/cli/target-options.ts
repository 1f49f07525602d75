import type { Command } from 'commander';
import { positive } from './options.ts';

/** Adds the options of a target; their descriptions of profile and writes differ by command. */
export const withTargetOptions = (command: Command, about: { readonly profile: string; readonly writes: string }) =>
  command
    .option('--base-url <url>', 'base URL of the API; a mock reports the rest itself')
    .option('--target <file>', 'target file (YAML): base URL, actors, resources, limits')
    .option('--profile <file|name>', about.profile)
    .option('--allow-writes', `allow the suite to ${about.writes}; only a mock is written to without it`)
    .option('--no-allow-writes', 'forbid that, at a mock, too')
    .option('--timeout <ms>', 'timeout for each response', positive)
    .option('--rps <n>', 'maximum number of requests per second', positive);

export const defined = <T extends object>(options: { readonly [Key in keyof T]?: T[Key] | undefined }): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
