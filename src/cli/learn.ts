import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { UsageError } from '../../contract-tests/errors.ts';
import type { Learned, LearnOptions } from '../../contract-tests/learn.ts';
import { positive } from './options.ts';

interface Flags {
  baseUrl?: string;
  target?: string;
  out?: string;
  profile?: string;
  allowWrites?: boolean;
  json?: boolean;
  timeout?: number;
  rps?: number;
}

const nothingLearned = 3;

/** `learn`: observes a target's answers to the gaps and writes them down as a profile. */
export function registerLearn(program: Command): void {
  program
    .command('learn')
    .description("observe a target's answers to the gaps, and write them down as a profile to serve")
    .option('--base-url <url>', 'where the API starts; a mock describes itself there')
    .option('--target <file>', 'target file (YAML): base URL, actors, resources, limits')
    .option('--out <file>', 'profile file to write; stdout otherwise')
    .option('--profile <file|name>', 'answers that are known already: where undocumented paths are')
    .option(
      '--allow-writes',
      'let probes update the disposable recording and create one PAT and one user (always allowed at loopback)',
    )
    .option('--json', 'print answers, evidence and what stayed open as JSON to stdout')
    .option('--timeout <ms>', 'how long to wait for each response', positive)
    .option('--rps <n>', 'how many requests a second at the most', positive)
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

/** Told before anything is sent: what was learned must not be lost for want of a place. Leaves a file as it was. */
function assertWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new UsageError(
      `--out ${file}: the profile cannot be written there (${(error as NodeJS.ErrnoException).code}).`,
    );
  }
}

async function run(flags: Flags): Promise<number> {
  const { learnFrom, NothingLearned } = await import('../../contract-tests/learn.ts');
  const { profileText } = await import('../../contract-tests/learned-profile.ts');
  const { readInput } = await import('./verify-input.ts');
  const input = readInput(toOptions(flags));
  if (flags.out) assertWritable(flags.out);
  let learned: Learned;
  try {
    learned = await learnFrom(input, (line) => process.stderr.write(line));
  } catch (error) {
    if (!(error instanceof NothingLearned)) throw error;
    process.stderr.write(`platform-mock: ${error.message}\n`);
    return nothingLearned;
  }
  const text = profileText(learned);
  const clash = await clashOf(learned);
  if (clash) {
    process.stderr.write(`platform-mock: the answers clash, so no profile is written: ${clash}\n`);
    return nothingLearned;
  }
  if (flags.out) writeFileSync(flags.out, text);
  else if (!flags.json) process.stdout.write(text);
  if (flags.json) process.stdout.write(`${JSON.stringify(learned, null, 2)}\n`);
  process.stderr.write(await summary(learned, flags.out));
  return 0;
}

/** Why the mock could not serve what was learned; undefined when it can. */
async function clashOf({ answers }: Learned): Promise<string | undefined> {
  const { loadProfile } = await import('../server/files/profile-file.ts');
  const { resolve } = await import('../core/spec/resolve.ts');
  const { ConfigError } = await import('../core/spec/config-error.ts');
  try {
    resolve(loadProfile({ name: 'learned', answers }).all);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons.join('; ');
    throw error;
  }
}

async function summary(
  { baseUrl, answers, gaps, conflicts, leftovers }: Learned,
  out: string | undefined,
): Promise<string> {
  const { count } = await import('../../contract-tests/report/text.ts');
  const open = gaps.length - Object.keys(answers).length;
  const lines = [
    `${count(Object.keys(answers).length, 'answer')} learned at ${baseUrl}, ${count(open, 'gap')} left open (the profile says why).`,
    ...conflicts.map(({ gap, reason }) => `Left out: ${gap}: ${reason}`),
    ...(leftovers.length > 0 ? ['Left at the target:', ...leftovers.map((line) => `  - ${line}`)] : []),
    ...(out ? [`Profile: ${out}; serve it with \`platform-mock serve --profile ${out}\``] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function toOptions(flags: Flags): LearnOptions {
  return {
    ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
    ...(flags.target === undefined ? {} : { targetFile: flags.target }),
    ...(flags.profile === undefined ? {} : { profile: flags.profile }),
    ...(flags.allowWrites === undefined ? {} : { allowWrites: true }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
    ...(flags.rps === undefined ? {} : { requestsPerSecond: flags.rps }),
  };
}
