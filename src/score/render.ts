import pc from 'picocolors';
import type { Run, Score } from './model.ts';
import { shortcomings } from './tally.ts';

/** One character for each thing measured, for progress. */
export function progressMark(run: Run): string {
  switch (run.kind) {
    case 'fault':
      return run.violated.length > 0 ? pc.green('x') : pc.yellow('o');
    case 'variant':
      return run.alarms.length + run.coverage.length === 0 ? pc.green('.') : pc.red('!');
    case 'meta-fault':
      return run.verdict === 'conforms' ? pc.red('G') : pc.green('-');
  }
}

export const progressLegend =
  'x fault seen  o nothing seen  . variant without alarm  ! false alarm or other coverage  - broken server not green  G green';

/** Maximum lines, so that the summary fits on one screen. */
const mostLines = 12;

const percent = (rate: number): string => `${(rate * 100).toFixed(1).replace(/\.0$/, '')} %`;

/** The summary that a terminal shows: what is wrong first, the figures last. */
export function renderScore(score: Score): string {
  const { totals, seconds } = score;
  const wrong = shortcomings(score);
  const weakest = score.requirements.filter(({ faults, killed }) => killed < faults);
  const colour = (ok: boolean) => (ok ? pc.green : pc.red);
  const line = (name: string, ok: boolean, value: string) => `  ${name.padEnd(14)} ${colour(ok)(value)}`;
  return [
    ...wrong.slice(0, mostLines).map((one) => pc.red(one)),
    ...(wrong.length > mostLines ? [`… and ${wrong.length - mostLines} more; --report-dir DIR writes them all.`] : []),
    ...(wrong.length > 0 ? [''] : []),
    ...familyLines(score),
    '',
    line(
      'kill rate',
      totals.killed === totals.faults,
      `${percent(totals.killRate)} (${totals.killed} of ${totals.faults} documented faults)`,
    ),
    line(
      'requirements',
      weakest.length === 0,
      `${totals.requirements - weakest.length} of ${totals.requirements} with every fault caught`,
    ),
    line('false alarms', totals.falseAlarms === 0, `${totals.falseAlarms} of ${totals.variants} conforming variants`),
    line(
      'meta-faults',
      totals.metaFaultsConforming === 0,
      `${totals.metaFaultsConforming} of ${totals.metaFaults} broken servers green`,
    ),
    pc.dim(
      `  ${totals.checks} checks, ${seconds} s; not counted: ${totals.unobservableFaults} faults that no check can see, ${totals.environmentFaults} of the environment`,
    ),
    '',
  ].join('\n');
}

function familyLines({ faults }: Score): string[] {
  const names = [...new Set(faults.map(({ family }) => family))];
  return names.map((name) => {
    const own = faults.filter(({ family, result }) => family === name && result !== 'unobservable');
    const killed = own.filter(({ result }) => result === 'killed').length;
    return `  ${name.padEnd(26)} ${String(killed).padStart(3)} of ${String(own.length).padStart(3)} caught`;
  });
}
