import { readFileSync, writeFileSync } from 'node:fs';
import pc from 'picocolors';
import { table } from '../../contract-tests/report/markdown-text.ts';
import { packageFile } from '../server/files/package-root.ts';
import type { Run } from './run.ts';
import { type Score, shortcomings } from './tally.ts';

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

/** A figure in words, and whether it is as it should be. */
type Figure = readonly [name: string, isGood: boolean, value: string];

function figuresOf({ totals, requirements }: Score): Figure[] {
  const weak = requirements.filter(({ faults, killed }) => killed < faults).length;
  const { killed, faults, killRate, falseAlarms, variants, metaFaultsConforming, metaFaults } = totals;
  const percent = `${(killRate * 100).toFixed(1).replace(/\.0$/, '')} %`;
  return [
    ['kill rate', killed === faults, `${percent} (${killed} of ${faults} documented faults)`],
    ['requirements', weak === 0, `${totals.requirements - weak} of ${totals.requirements} with every fault caught`],
    ['false alarms', falseAlarms === 0, `${falseAlarms} of ${variants} conforming variants`],
    ['meta-faults', metaFaultsConforming === 0, `${metaFaultsConforming} of ${metaFaults} broken servers green`],
  ];
}

/** The summary that a terminal shows: what is wrong first, the figures last. */
export function renderScore(score: Score): string {
  const { totals, seconds } = score;
  const wrong = shortcomings(score);
  return [
    ...wrong.slice(0, mostLines).map((one) => pc.red(one)),
    ...(wrong.length > mostLines ? [`… and ${wrong.length - mostLines} more; --report-dir DIR writes them all.`] : []),
    ...(wrong.length > 0 ? [''] : []),
    ...familyLines(score),
    '',
    ...figuresOf(score).map(([name, isGood, value]) => `  ${name.padEnd(14)} ${(isGood ? pc.green : pc.red)(value)}`),
    pc.dim(
      `  ${totals.checks} checks, ${seconds} s; not counted: ${totals.unobservableFaults} faults that no check can see, ${totals.environmentFaults} of the environment`,
    ),
    '',
  ].join('\n');
}

/** The result at each target, then the shortcomings, a line each. */
export function renderEach(score: Score): string {
  return [
    ...score.faults.map(
      ({ id, result, checks, reason }) => `  ${id}: ${result}, ${reason ?? `by ${checks.join(', ')}`}`,
    ),
    ...[...score.variants, ...score.metaFaults].map(({ id, verdict }) => `  ${id}: ${verdict}`),
    ...shortcomings(score).map((line) => pc.red(line)),
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

type Cell = string | number | readonly string[];
type Section = readonly [title: string, head: readonly string[], rows: readonly (readonly Cell[])[]];

const sectionOf = ([title, head, rows]: Section): string => {
  const textOf = (cell: Cell): string => [cell].flat().join(', ').replaceAll('|', '\\|').replaceAll('\n', ' ');
  const cells = rows.map((each) => each.map(textOf));
  return `${title}\n\n${table(head, cells)}\n`;
};

/** A score as Markdown: the figures, what is wrong, and the matrix, by requirement and by fault. */
export function renderScoreMarkdown(score: Score): string {
  const { requirements, faults, variants, metaFaults } = score;
  const resultOf = ({ result, reason }: (typeof faults)[number]): string =>
    reason === undefined ? result : `${result}: ${reason}`;
  const sections: Section[] = [
    [
      '## Requirements',
      ['requirement', 'caught', 'of', 'violated by'],
      requirements.map(({ id, faults: all, killed, violatedBy }) => [id, killed, all, violatedBy]),
    ],
    [
      '## Faults',
      ['fault', 'breaks', 'result', 'violated', 'checks that failed'],
      faults.map((fault) => [fault.id, fault.requirements, resultOf(fault), fault.violated, fault.checks]),
    ],
    [
      '## Conforming variants',
      ['variant', 'verdict', 'passed', 'alarms'],
      variants.map(({ id, verdict, passed, alarms }) => [id, verdict, passed, alarms.join('; ') || 'none']),
    ],
    ['## Broken servers', ['server', 'verdict'], metaFaults.map(({ description, verdict }) => [description, verdict])],
  ];
  const figures = figuresOf(score).map(([name, , value]) => [name, value]);
  const wrong = shortcomings(score).map((line) => `- ${line}`);
  const first = [
    sectionOf(["# The suite's own measure", ['', ''], figures]),
    `## What is wrong\n\n${wrong.join('\n') || 'Nothing.'}\n`,
  ];
  return [...first, ...sections.map(sectionOf)].join('\n');
}

/** The shipped score of this version, which every report prints. */
const shippedFile = (): string => packageFile('spec', 'score.json');
const shippedText = (totals: Score['totals']): string =>
  `${JSON.stringify({ schemaVersion: 1, ...totals }, null, 2)}\n`;

/** Makes these the shipped figures. */
export const shipScore = ({ totals }: Score): void => writeFileSync(shippedFile(), shippedText(totals));

/** Whether the figures that are shipped are those that were measured. */
export function isShipped({ totals }: Score): boolean {
  try {
    return readFileSync(shippedFile(), 'utf8') === shippedText(totals);
  } catch {
    return false;
  }
}
