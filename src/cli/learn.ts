import type { Command } from 'commander';
import type { Learned } from '../../contract-tests/commands/learn.ts';
import type { RunOptions } from '../../contract-tests/commands/run-input.ts';
import { Progress } from './progress.ts';
import { withTargetOptions } from './target-options.ts';

interface Flags extends RunOptions {
  out?: string;
  json?: boolean;
  har?: string;
}

const nothingLearned = 3;

export function registerLearn(program: Command): void {
  const command = program
    .command('learn')
    .description("observe a target's answers to the gaps, and write them as a profile");
  withTargetOptions(command, {
    profile: 'known answers, such as undocumented paths',
    writes: 'update the disposable recording and create one PAT and one user',
  })
    .option('--out <file>', 'profile file to write; stdout otherwise')
    .option('--har <file>', 'send nothing: learn from the exchanges of this recording (HAR 1.2: plain, gzip or ZIP)')
    .option('--json', 'print answers, evidence and open gaps as JSON')
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

async function run(flags: Flags): Promise<number> {
  const { leftAt } = await import('../../contract-tests/commands/interruption.ts');
  const { learnFrom } = await import('../../contract-tests/commands/learn.ts');
  const { learnHar } = await import('../../contract-tests/har/recorded.ts');
  const { jsonText, printable } = await import('../../contract-tests/report/text.ts');
  const { profileText } = await import('../../contract-tests/commands/learned-profile.ts');
  const { readInput } = await import('./verify-input.ts');
  const input = readInput(flags);
  const { assertWritable } = await import('../../contract-tests/commands/write-reports.ts');
  if (flags.out) assertWritable('--out', flags.out);
  const { loadGaps } = await import('../../contract-tests/spec-data.ts');
  const progress = new Progress(loadGaps().length, true);
  let isFirst = true;
  const onGap = (id: string): void => {
    if (!isFirst) progress.end();
    isFirst = false;
    progress.begin(id);
  };
  const learning = flags.har === undefined ? learnFrom(input, { onGap, isCommand: true }) : learnHar(flags.har, input);
  const observed = await learning.finally(() => progress.stop());
  const { outlet, rendered } = await import('../../contract-tests/commands/outlet.ts');
  const learned = await served(observed);
  if (typeof learned === 'string') {
    outlet.print(
      'stderr',
      `platform-mock: the answers clash; no profile was written: ${printable(learned)}\n${leftAt(observed.leftovers)}`,
    );
    return nothingLearned;
  }
  const text = rendered(learned, profileText);
  if (flags.out) outlet.write(flags.out, text);
  else if (!flags.json) outlet.print('stdout', text);
  if (flags.json) outlet.print('stdout', rendered(learned, jsonText));
  outlet.print('stderr', printable(await summary(learned, flags.out)));
  return 0;
}

/** What can be served of the learned answers, as a mock in this process shows; why, if they cannot be served together. */
async function served(learned: Learned): Promise<Learned | string> {
  const { keepServed } = await import('../../contract-tests/commands/learn.ts');
  const { ConfigError, startMock } = await import('../index.ts');
  try {
    // A learned limit would hold for what is asked here, too.
    const answers = { ...learned.answers, 'rate-limit': 0 };
    await using mock = await startMock({ port: 0, profile: { answers }, log: () => {} });
    return await keepServed(learned, mock.baseUrl);
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons.join('; ');
    throw error;
  }
}

async function summary(
  { baseUrl, answers, gaps, leftovers, leftOut }: Learned,
  out: string | undefined,
): Promise<string> {
  const { count } = await import('../../contract-tests/report/text.ts');
  const { leftAt } = await import('../../contract-tests/commands/interruption.ts');
  const open = gaps.length - Object.keys(answers).length;
  const lines = [
    `${count(Object.keys(answers).length, 'answer')} learned at ${baseUrl}, ${count(open, 'gap')} left open (the profile says why).`,
    ...(leftOut === undefined ? [] : [`Left out: ${leftOut}.`]),
    ...(leftovers.length > 0 ? [leftAt(leftovers).trimEnd()] : []),
    ...(out ? [`Profile: ${out}; serve it with \`platform-mock serve --profile ${out}\``] : []),
  ];
  return `${lines.join('\n')}\n`;
}
