import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { Outgoing } from '../../contract-tests/commands/outlet.ts';
import type { RunOptions } from '../../contract-tests/commands/run-input.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import type { Report } from '../../contract-tests/model.ts';
import { repeated, wholeNumber } from './options.ts';
import { withTargetOptions } from './target-options.ts';

interface Flags extends Pick<RunOptions, 'baseUrl' | 'target' | 'profile' | 'allowWrites' | 'timeout' | 'rps'> {
  pace?: number;
  strict?: boolean;
  allowUnsent?: number;
  baseline?: string;
  rules?: string[];
  finding?: string;
  fresh?: string;
  reportDir?: string;
  json?: boolean;
}

export function registerReplay(program: Command): void {
  const command = program
    .command('replay <file>')
    .description(
      "send a recording (HAR), such as an app's traffic at the mock, again at a target, and say what differs",
    );
  withTargetOptions(command, {
    profile: 'answers to gaps at the target',
    writes: 'send the updates of disposable recordings, and whatever else of the recording writes',
  })
    .option(
      '--rules <file>',
      'also judge by your own rules, a module in TypeScript or JavaScript; repeatable',
      repeated,
    )
    .option(
      '--finding <id>',
      'send only what this finding of a recorded run needs, and say whether it shows again (exit 1)',
    )
    .option(
      '--fresh <command>',
      'with --finding: start the deployment afresh by this command for each trial, and cut the recording to the few requests that show it',
    )
    .option('--pace <0|1>', '1 keeps the pauses between requests (default: 0)', wholeNumber(0, 1))
    .option('--strict', 'gaps gate too: an answer that differs there is a violation')
    .option('--allow-unsent <n|all>', 'how many interactions may stay unsent (default: 0)', numberOrAll)
    .option('--baseline <file>', 'known differences (YAML), which do not gate; one that is seen no more fails the run')
    .option('--report-dir <dir>', 'write report.json, report.html, report.md, junit.xml and exchanges.har there')
    .option('--json', 'print the report as JSON to stdout')
    .action(async (file: string, flags: Flags) => {
      process.exitCode = await run(file, flags);
    });
}

function numberOrAll(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number, or all.');
}

/** Throws UsageError for options that do not go together. */
function assertFits({ finding, fresh, target, baseUrl }: Flags): void {
  if (fresh === undefined) return;
  if (finding === undefined)
    throw new UsageError('--fresh cuts a recording to what shows a finding: name it by --finding.');
  if ((target ?? baseUrl) !== undefined)
    throw new UsageError('--fresh starts the target itself: leave out --target and --base-url.');
}

async function run(file: string, flags: Flags): Promise<number> {
  const { pace = 0, strict = false, allowUnsent = 0, baseline, finding, fresh, reportDir, json, ...target } = flags;
  const { loadRules } = await import('../../contract-tests/own/rules-file.ts');
  assertFits(flags);
  const { readInput } = await import('./verify-input.ts');
  const { outlet } = await import('../../contract-tests/commands/outlet.ts');
  const { replayHar } = await import('../../contract-tests/replay/command.ts');
  const { startFresh } = await import('../../contract-tests/replay/fresh.ts');
  const { count } = await import('../../contract-tests/report/text.ts');
  const { writeExchanges } = await import('../../contract-tests/har/exchanges.ts');
  const { writeFiles } = await import('../../contract-tests/commands/write-reports.ts');
  const say = (text: Outgoing): boolean => outlet.print(json ? 'stderr' : 'stdout', text);
  const input = readInput({ ...target, rules: await loadRules(target.rules ?? []) });
  if (reportDir !== undefined) await writeFiles(reportDir);
  const report = await replayHar(file, input, {
    ...{ isPaced: pace === 1, strict, allowUnsent, baseline, finding, isCommand: true },
    fresh: fresh === undefined ? undefined : () => startFresh(fresh, target),
    onStart: (interactions, { baseUrl }) => say(`${count(interactions, 'interaction')} of ${file} at ${baseUrl}\n\n`),
    onShown: (interactions) => say(`shown by ${count(interactions, 'interaction')}\n`),
    onEnd: async (...ran) => {
      if (reportDir === undefined) return undefined;
      const name = finding === undefined ? 'exchanges' : finding.replaceAll(/[^\w-]/g, '-');
      const written = await writeExchanges(join(reportDir, `${name}.har`), ...ran);
      if (finding !== undefined) say(`\nWhat was sent: ${written}\n\n`);
      return written;
    },
  });
  return finish(report, flags, say);
}

async function finish(report: Report, { reportDir, json }: Flags, say: (text: Outgoing) => void): Promise<number> {
  const { outlet, rendered } = await import('../../contract-tests/commands/outlet.ts');
  const { renderTerminal } = await import('../../contract-tests/report/terminal.ts');
  const { reportText } = await import('../../contract-tests/report/report-file.ts');
  const { writeReports } = await import('../../contract-tests/commands/write-reports.ts');
  say(rendered(report, renderTerminal));
  if (reportDir !== undefined) say(`Reports: ${(await writeReports(report, reportDir)).join(', ')}\n`);
  if (json) outlet.print('stdout', rendered(report, reportText));
  return report.exitCode;
}
