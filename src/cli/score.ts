import type { Command } from 'commander';
import { outlet } from '../../contract-tests/commands/outlet.ts';
import { UsageError } from '../../contract-tests/errors.ts';
import { count } from '../../contract-tests/report/text.ts';
import { Progress } from './progress.ts';

interface Flags {
  readonly json?: boolean;
  readonly reportDir?: string;
  readonly update?: boolean;
  readonly curve?: boolean;
  readonly only?: readonly string[];
}

export function registerScore(program: Command): void {
  program
    .command('score')
    .description('measure the suite: every fault, conforming variant and broken server against every check')
    .option('--json', 'print the score as JSON to stdout')
    .option('--report-dir <dir>', 'write score.json and score.md there')
    .option('--update', 'write the figures to spec/score.json, which every report shows')
    .option(
      '--only <id...>',
      'measure only these faults, variants and broken servers, and print what was found at each',
    )
    .option('--curve', 'measure only how many faults are caught by runs of 30 to 1,000 requests')
    .action(async (flags: Flags) => {
      process.exitCode = flags.curve ? await runCurve() : await run(flags);
    });
}

/** The kill rate over the budget; its figures are kept for docs/performance.md. */
async function runCurve(): Promise<number> {
  const { curve, curveJobs, keepCurve } = await import('../score/score.ts');
  const progress = new Progress(curveJobs().length, false);
  const points = await curve(({ kind, id }) => {
    progress.begin(`${kind} ${id}`);
    progress.end();
  }).finally(() => progress.stop());
  for (const { requests, faults, killed } of points)
    outlet.print('stdout', `${String(requests).padStart(5)} requests: ${killed} of ${faults} faults\n`);
  outlet.print('stdout', `${keepCurve(points)}; npm run bench -- --replot draws it.\n`);
  return 0;
}

/** @returns the exit code: 0 only if every fault is caught, without false alarms and meta-faults that conform */
async function run({ json, reportDir, update, only }: Flags): Promise<number> {
  if (only && update) throw new UsageError('--update stores the figures of a whole score: leave out --only');
  const { jobsOf, score } = await import('../score/score.ts');
  const { isShipped, progressLegend, progressMark, renderEach, renderScore, renderScoreMarkdown, shipScore } =
    await import('../score/report.ts');
  const { writeFiles } = await import('../../contract-tests/commands/write-reports.ts');
  const { shortcomings } = await import('../score/tally.ts');
  const say = (text: string): boolean => outlet.print(json ? 'stderr' : 'stdout', text);

  // A folder that cannot be written is said before, and not after a minute.
  if (reportDir !== undefined) await writeFiles(reportDir);
  const { length } = jobsOf(only);
  say(`${count(length, 'target')}, with every check\n${progressLegend}\n`);
  const progress = new Progress(length, false);
  const measured = await score(only, (done) => {
    progress.mark(progressMark(done), say);
    progress.begin(`${done.kind} ${done.id}`);
    progress.end();
  }).finally(() => progress.stop());
  say(`${progress.marks.join('')}\n\n${(only ? renderEach : renderScore)(measured)}`);
  const text = `${JSON.stringify(measured, null, 2)}\n`;
  if (reportDir !== undefined) {
    const files = { 'score.json': text, 'score.md': renderScoreMarkdown(measured) };
    say(`Reports: ${(await writeFiles(reportDir, files)).join(', ')}\n`);
  }
  if (json) outlet.print('stdout', text);
  if (update) shipScore(measured);
  if (shortcomings(measured).length > 0) return 1;
  if (only || isShipped(measured)) return 0;
  say('spec/score.json differs from the measured score; `npm run score -- --update` updates it.\n');
  return 1;
}
