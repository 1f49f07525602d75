// `npm run bench`: measures the goals of docs/performance.md, and fails where one is missed in three rounds.
//   --quick             shorter; or --effort tiny|quick|full
//   --out FILE          all figures as JSON
//   --against REF       this tree and that commit in the same run; fails where this one loses
//   --scale             replicas on one Redis instead, for docs/scaling.md
//   --plots             curves for docs/performance.md (15 minutes); --replot makes the page of the figures again
//   --fuzz N --seed N   attacks instead
import { parseArgs } from 'node:util';
import { runAgainst } from './against/run.ts';
import { commitOf } from './against/worktree.ts';
import { effortNamed } from './effort.ts';
import { fuzz } from './fuzz.ts';
import { runGoals } from './goals-run.ts';
import { makePage, runPlots } from './plots/run.ts';

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const progress = (text: string): void => {
  process.stderr.write(`… ${text}\n`);
};

let run: () => Promise<number>;
try {
  run = commandOf(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
process.exit(await run());

/** @throws Error if the command line is wrong */
function commandOf(args: readonly string[]): () => Promise<number> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: flag,
      effort: text,
      out: text,
      against: text,
      scale: flag,
      plots: flag,
      replot: flag,
      fuzz: text,
      seed: text,
    },
  });
  const { out, against, fuzz: attacks, seed = '1' } = values;
  const effort = effortNamed(values.effort ?? (values.quick ? 'quick' : 'full'));
  if (attacks !== undefined) return () => fuzz(Number(attacks), Number(seed), say);
  if (against !== undefined) {
    const commit = commitOf(against);
    return () => runAgainst(commit, effort, say, progress);
  }
  if (values.plots) return () => runPlots(effort, say, progress);
  if (values.replot) return () => makePage(effort, say, progress);
  return () => runGoals(effort, out, say, progress, values.scale);
}
