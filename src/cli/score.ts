import type { Command } from 'commander';

interface Flags {
  readonly json?: boolean;
  readonly reportDir?: string;
  readonly update?: boolean;
}

/** `score`: measures the contract suite itself. */
export function registerScore(program: Command): void {
  program
    .command('score')
    .description('measure the suite: every fault, conforming variant and broken server against every check')
    .option('--json', 'print the score as JSON to stdout')
    .option('--report-dir <dir>', 'write score.json and score.md there')
    .option('--update', 'write the figures to spec/score.json, which every report prints')
    .action(async (flags: Flags) => {
      process.exitCode = await run(flags);
    });
}

/** @returns the exit code: 0 only where every fault is caught, nothing cried wolf, and no broken server was green */
async function run({ json, reportDir, update }: Flags): Promise<number> {
  const { allJobs, score } = await import('../score/score.ts');
  const { progressLegend, progressMark, renderScore } = await import('../score/render.ts');
  const { shortcomings } = await import('../score/tally.ts');
  const { isShipped, shipScore, writeScore } = await import('../score/write.ts');
  const say = (text: string): boolean => (json ? process.stderr : process.stdout).write(text);

  say(`${allJobs().length} targets, every check at each of them\n${progressLegend}\n`);
  const measured = await score((done) => say(progressMark(done)));
  say(`\n\n${renderScore(measured)}`);
  if (reportDir !== undefined) say(`Reports: ${writeScore(measured, reportDir).join(', ')}\n`);
  if (json) process.stdout.write(`${JSON.stringify(measured, null, 2)}\n`);
  if (update) shipScore(measured);
  if (shortcomings(measured).length > 0) return 1;
  if (isShipped(measured)) return 0;
  say('spec/score.json says something else than what was measured; `npm run score -- --update` writes it anew.\n');
  return 1;
}
