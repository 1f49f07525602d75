import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFile } from '../server/files/package-root.ts';
import { renderScoreMarkdown } from './markdown.ts';
import type { Score, ScoreTotals } from './model.ts';

/** The shipped score of this version, which every report prints. */
const shippedFile = (): string => packageFile('spec', 'score.json');

/** Writes score.json and score.md into a folder; gives their paths. */
export function writeScore(score: Score, folder: string): string[] {
  mkdirSync(folder, { recursive: true });
  const files: [string, string][] = [
    [join(folder, 'score.json'), `${JSON.stringify(score, null, 2)}\n`],
    [join(folder, 'score.md'), renderScoreMarkdown(score)],
  ];
  for (const [file, text] of files) writeFileSync(file, text);
  return files.map(([file]) => file);
}

const shippedText = (totals: ScoreTotals): string => `${JSON.stringify({ schemaVersion: 1, ...totals }, null, 2)}\n`;

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
