import type { Command } from 'commander';
import { outlet } from '../../contract-tests/commands/outlet.ts';
import { EXIT_CODES, onInterruption, type Signal } from '../../contract-tests/commands/signals.ts';
import { mockOptions } from '../server/options.ts';
import type { VaryOptions } from '../vary/vary.ts';
import { addRows, given, positive, repeated, wholeNumber } from './options.ts';
import { defined } from './target-options.ts';

interface Flags extends Pick<VaryOptions, 'junit' | 'maxRuns' | 'jobs' | 'timeLimit'> {
  readonly profile?: string;
  readonly env?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly accept?: string;
  readonly target?: string;
  readonly allowWrites?: boolean;
  readonly reportDir: string;
  readonly json?: boolean;
}

/** The options of the mocks. */
const { seed, recordings, fixtures, routes } = mockOptions;
const mocks = { seed, recordings, fixtures, routes };

export function registerVary(program: Command): void {
  const command = program
    .command('vary')
    .description("run your app's tests under other answers to the gaps, and say which tests depend on which guess")
    .argument('<command...>', 'the command that runs the tests, after --')
    .option('--junit <file>', 'JUnit file that the command writes, or its folder; without it, the exit code counts')
    .option('--env <name>', "another variable for the mock's base URL, besides PLATFORM_MOCK_URL; repeatable", repeated)
    .option('--only <gap...>', 'vary only these gaps')
    .option('--skip <gap...>', 'do not vary these gaps')
    .option('--accept <file>', 'dependences that are known and accepted (YAML); a stale entry fails')
    .option('--max-runs <n>', 'maximum number of runs of the command', wholeNumber(1, 100_000), 200)
    .option('--jobs <n>', 'parallel runs, each with its own mock', wholeNumber(1, 64), 1)
    .option('--time-limit <seconds>', 'end the search after so long, and report what is known', positive)
    .option('--target <file>', 'ask this deployment first (see `learn`), and vary only what it does not tell')
    .option('--allow-writes', 'ask the target by requests that write, too: tokens, titles')
    .option('--no-allow-writes', 'forbid that, at a mock, too')
    .option('--report-dir <dir>', 'folder of the reports and of what the runs print', 'vary-report')
    .option('--json', 'print vary.json to stdout')
    .option('--profile <file|name>', 'answers that are known: they are not varied');
  addRows(command, mocks).action(async (command: readonly string[], flags: Flags) => {
    process.exitCode = await run(command, flags);
  });
}

async function run(command: readonly string[], flags: Flags): Promise<number> {
  const { vary, withError } = await import('../vary/vary.ts');
  const { loadAccepted } = await import('../vary/accept.ts');
  const { writeFiles } = await import('../../contract-tests/commands/write-reports.ts');
  const { jsonText, printable } = await import('../../contract-tests/report/text.ts');
  const { renderQuestions, renderSummary, renderText } = await import('../vary/report-text.ts');
  const { renderVaryHtml } = await import('../vary/report-html.ts');
  const { gapRows } = await import('./gap-rows.ts');
  const { loadProfile } = await import('../server/files/profile-file.ts');
  const { profile } = flags;
  const accepted = flags.accept === undefined ? [] : loadAccepted(flags.accept);
  const rows = gapRows(loadProfile(profile));
  await writeFiles(flags.reportDir);
  const say = (line: string): boolean => outlet.print('stderr', printable(`${line}\n`));
  const interruption = new AbortController();
  const uninterrupted = onInterruption((signal) => interruption.abort(signal));
  const options: VaryOptions = {
    ...flags,
    command,
    variables: flags.env ?? [],
    folder: flags.reportDir,
    mock: defined({ profile, ...given(mocks, flags) }),
    only: flags.only ?? [],
    skip: flags.skip ?? [],
    accepted,
    learned: await learned(flags),
    say,
    interruption: interruption.signal,
  };
  try {
    let report = await vary(options);
    const write = async (writing: () => unknown): Promise<void> => {
      try {
        await writing();
      } catch (error) {
        report = withError(report, (error as Error).message);
      }
    };
    const { GITHUB_STEP_SUMMARY: summary } = process.env;
    if (summary) await write(() => outlet.append(summary, renderSummary(report)));
    let files: readonly string[] = [];
    await write(async () => {
      files = await writeFiles(flags.reportDir, {
        'vary.json': jsonText(report),
        'vary.html': renderVaryHtml(report),
        'questions.md': renderQuestions(report, rows),
      });
    });
    const end = files.length > 0 ? `Reports: ${files.join(', ')}\n` : '';
    outlet.print(flags.json ? 'stderr' : 'stdout', `\n${printable(renderText(report))}${end}`);
    if (flags.json) outlet.print('stdout', jsonText(report));
    const { aborted, reason } = interruption.signal;
    return aborted ? EXIT_CODES[reason as Signal] : report.exitCode;
  } finally {
    uninterrupted();
  }
}

async function learned({ target, allowWrites, profile }: Flags): Promise<VaryOptions['learned']> {
  if (target === undefined) return undefined;
  const { learnFrom } = await import('../../contract-tests/commands/learn.ts');
  const { readInput } = await import('./verify-input.ts');
  outlet.print('stderr', 'Asking the target first …\n');
  return learnFrom(readInput(defined({ target, allowWrites, profile })), { isCommand: true });
}
