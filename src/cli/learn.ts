import type { Command } from 'commander';
import type { Learned } from '../../contract-tests/commands/learn.ts';
import type { RunOptions } from '../../contract-tests/commands/run-input.ts';
import type { Likeness } from '../../contract-tests/replay/likeness.ts';
import type { Recording } from '../../contract-tests/replay/recording.ts';
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
    writes: 'update the disposable recording, create up to three PATs, and sign in as two unknown users',
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
  const { asText } = await import('../../contract-tests/values/json.ts');
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
  let recording: Recording | undefined;
  const { recordingOf } = await import('../../contract-tests/replay/recording.ts');
  const hooks: Parameters<typeof learnFrom>[1] = {
    onGap,
    isCommand: true,
    onEnd: (entries, target) => {
      recording = recordingOf(entries, target);
    },
  };
  const learning = flags.har === undefined ? learnFrom(input, hooks) : learnHar(flags.har, input);
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
  // The profile is kept, also where the comparison fails.
  if (flags.out) outlet.write(flags.out, text);
  else if (!flags.json) outlet.print('stdout', text);
  const likeness = recording && (await likenessOf(recording, learned).catch(asText));
  if (flags.json)
    outlet.print('stdout', rendered({ ...learned, ...(typeof likeness === 'object' && { likeness }) }, jsonText));
  outlet.print('stderr', printable(await summary(learned, flags.out, likeness)));
  return 0;
}

/** What can be served of the learned answers, as a mock in this process shows; why, if they cannot be served together. */
async function served(learned: Learned): Promise<Learned | string> {
  const { keepServed } = await import('../../contract-tests/commands/learn.ts');
  const { ConfigError, startMock } = await import('../index.ts');
  try {
    await using mock = await startMock({ port: 0, profile: unlimited(learned.answers), log: () => {} });
    return await keepServed(learned, mock.baseUrl);
  } catch (error) {
    if (error instanceof ConfigError) return error.reasons.join('; ');
    throw error;
  }
}

/** A profile with these answers; a learned limit would hold for what is asked here, too. */
const unlimited = (answers: Learned['answers']) => ({ answers: { ...answers, 'rate-limit': 0 } });

/** How many exchanges of the run a mock answers alike: with the answers that were assumed before, and with the learned ones. */
async function likenessOf(recording: Recording, learned: Learned) {
  const { likenessAt } = await import('../../contract-tests/replay/likeness.ts');
  const { startMock } = await import('../index.ts');
  const at = async (answers: Learned['answers']): Promise<Likeness> => {
    await using mock = await startMock({ port: 0, profile: unlimited(answers), log: () => {} });
    return await likenessAt(mock.baseUrl, answers, recording);
  };
  const before = await at({});
  const { sent, alike, differences } = await at(learned.answers);
  return { exchanges: sent, before: before.alike, after: alike, differences };
}

/** Differences that the summary names. */
const mostDifferences = 6;

async function summary(
  { baseUrl, answers, gaps, leftovers, leftOut }: Learned,
  out: string | undefined,
  likeness: Awaited<ReturnType<typeof likenessOf>> | string | undefined,
): Promise<string> {
  const { count } = await import('../../contract-tests/report/text.ts');
  const { leftAt } = await import('../../contract-tests/commands/interruption.ts');
  const { listed } = await import('../../contract-tests/report/text.ts');
  const open = gaps.length - Object.keys(answers).length;
  const lines = [
    `${count(Object.keys(answers).length, 'answer')} learned at ${baseUrl}, ${count(open, 'gap')} left open (the profile says why).`,
    ...(typeof likeness === 'string' ? [`How alike a mock is with this profile could not be seen: ${likeness}`] : []),
    ...(typeof likeness === 'object'
      ? [
          `Of ${count(likeness.exchanges, 'exchange')}, a mock answers ${likeness.before} alike with the default profile, ${likeness.after} with this one.`,
        ]
      : []),
    ...(typeof likeness === 'object' && likeness.differences.length > 0
      ? [`Still different: ${listed(likeness.differences, mostDifferences, '; ')}.`]
      : []),
    ...(leftOut === undefined ? [] : [`Left out: ${leftOut}.`]),
    ...(leftovers.length > 0 ? [leftAt(leftovers).trimEnd()] : []),
    ...(out ? [`Profile: ${out}; serve it with \`platform-mock serve --profile ${out}\``] : []),
  ];
  return `${lines.join('\n')}\n`;
}
