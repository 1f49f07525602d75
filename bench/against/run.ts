import { type EffortName, efforts } from '../effort.ts';
import { machineLine } from '../machine.ts';
import { maxRounds, settle } from '../rounds.ts';
import { measures } from './measure.ts';
import { pairsTable, verdictOf } from './verdict.ts';
import { Worktree } from './worktree.ts';

/**
 * Builds another commit (see commitOf), measures it and this tree in turn, and compares. What loses is measured again, up to three rounds in all.
 * @returns the exit code: 1 if this tree loses more than 5 %, beyond the spread, in all rounds
 */
export async function runAgainst(
  commit: string,
  effort: EffortName,
  say: (text: string) => void,
  progress: (text: string) => void,
): Promise<number> {
  const from = performance.now();
  progress(`building ${commit}`);
  using other = await Worktree.build(commit);
  if (other.hasOtherPackages)
    progress(`${other.commit} has another package-lock.json, but is measured with the packages here`);
  const pairs = await settle(
    Object.entries(measures),
    ([name, measure], round) => {
      progress(round === 1 ? name : `${name}, round ${round} of ${maxRounds}: a loss was seen`);
      return measure(other.command, efforts[effort]);
    },
    (pair) => verdictOf(pair).result !== 'LOSS',
  );
  say(`\n${pairsTable(other.commit, pairs)}`);
  say(`\n${machineLine((performance.now() - from) / 1000)}`);
  const lost = pairs.filter(({ item }) => verdictOf(item).result === 'LOSS');
  if (lost.length === 0) return 0;
  say(
    `FAILED: slower or larger than ${other.commit} beyond the spread: ${lost.map(({ item }) => item.name).join(', ')}`,
  );
  return 1;
}
