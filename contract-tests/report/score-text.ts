import type { SuiteScore } from '../model.ts';
import { count } from './text.ts';

/** How far a verdict of this suite can be trusted, in one sentence: as it was measured for this version. */
export function scoreText({ faults, killed, killRate, variants, falseAlarms, ...meta }: SuiteScore): string {
  const percent = (Math.floor(killRate * 1000) / 10).toFixed(1).replace(/\.0$/, '');
  return (
    `The suite itself is measured: it catches ${killed} of ${faults} deliberate faults (${percent} %), ` +
    `raises ${count(falseAlarms, 'false alarm')} at ${variants} conforming variants, ` +
    `and finds ${meta.metaFaultsConforming} of ${meta.metaFaults} servers that do not implement the API to conform.`
  );
}
