import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Goal } from './goals.ts';
import {
  type Answering,
  answering,
  type Contestants,
  type Effort,
  firstCallTimes,
  inTurn,
  type Samples,
  startTimes,
  wallTime,
} from './measure.ts';
import type { Measured, Part } from './parts.ts';
import { commandIn, folder, operationNames, startMock } from './peers.ts';

type Which = 'now' | 'before';

/** Fewer would have no spread. */
const leastSamples = 5;

const run = (command: string, args: readonly string[], cwd?: string): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: 'pipe', ...(cwd !== undefined && { cwd }) }).trim();

/** Builds a commit in a temporary folder, with the packages installed here. @returns its command @throws Error if it does not build */
export function buildOther(ref: string, progress: (text: string) => void): string {
  let commit: string;
  try {
    commit = run('git', ['rev-parse', '--short', '--verify', '--end-of-options', `${ref}^{commit}`]);
  } catch {
    throw new Error(`--against ${ref}: expected a commit, branch or tag of this repository`);
  }
  progress(`building ${commit}`);
  if (run('git', ['diff', '--name-only', commit, '--', 'package-lock.json']) !== '')
    progress(`${commit} has another package-lock.json, but is measured with the packages here`);
  const tree = join(folder, commit);
  process.once('exit', () => run('git', ['worktree', 'prune']));
  run('git', ['worktree', 'add', '--quiet', '--detach', tree, commit]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(tree, 'node_modules'));
  run('npm', ['run', '-s', 'build'], tree);
  return commandIn(tree);
}

/** A loss is more than 5 %, and beyond the spread. */
const pair = (name: string, unit: string, better: 'more' | 'less', { now, before }: Samples<Which>): Goal => ({
  name,
  unit,
  samples: now,
  of: before,
  ...(better === 'more' ? { atLeast: 0.95 } : { atMost: 1.05 }),
  isNoisy: true,
});

/** The same measurements of this tree and of another build, in turn. Their goals are that this one does not lose. */
export function againstParts(command: string): readonly Part[] {
  const both = { now: () => startMock(), before: () => startMock([], command) };
  const commands = { now: undefined, before: command };
  return [
    {
      name: 'start',
      async measure({ starts }) {
        return { goals: [pair('start', 'ms', 'less', await startTimes(both, Math.max(leastSamples, starts)))] };
      },
    },
    {
      name: 'first calls',
      async measure({ starts }) {
        const times = await firstCallTimes(both, Math.max(leastSamples, starts));
        return { goals: times.map(([name, samples]) => pair(name, 'ms', 'less', samples)) };
      },
    },
    { name: 'answering', measure: (effort) => answers(both, effort) },
    {
      name: 'verify',
      async measure({ samples }) {
        const builds = ['now', 'before'] as const;
        const times = await inTurn(builds, Math.max(leastSamples, samples), (at) => wallTime(['verify'], commands[at]));
        return { goals: [pair('verify', 's', 'less', times)] };
      },
    },
  ];
}

/** Each round in new processes, because two of one build differ as well. */
async function answers({ now, before }: Contestants<Which>, { samples, seconds }: Effort): Promise<Measured> {
  const rounds: Readonly<Record<Which, Answering>>[] = [];
  while (rounds.length < Math.max(leastSamples, samples))
    rounds.push(await answering(rounds.length % 2 === 0 ? { now, before } : { before, now }, 1, seconds));
  type Figure = (one: Answering) => number | undefined;
  const goal = (name: string, unit: string, better: 'more' | 'less', figure: Figure): Goal => {
    const of = (which: Which): number[] => rounds.map((round) => figure(round[which]) ?? Number.NaN);
    return pair(name, unit, better, { now: of('now'), before: of('before') });
  };
  const goals = operationNames.flatMap((name) => [
    goal(name, 'requests/s', 'more', ({ loads }) => loads[name][0]?.perSecond),
    goal(`${name}: p99`, 'ms', 'less', ({ loads }) => loads[name][0]?.p99),
  ]);
  return { goals: [...goals, goal('memory after load', 'MiB', 'less', ({ loaded }) => loaded)] };
}
