import { writeFileSync } from 'node:fs';
import { type EffortName, efforts } from './effort.ts';
import { type Goal, goalsTable, isMet, missedLine, spreadOf } from './goals.ts';
import { machine, machineLine } from './machine.ts';
import type { Measured, Part } from './part.ts';
import { scorePart, verifyPart } from './parts/commands.ts';
import { firstCallsPart } from './parts/first-calls.ts';
import { harPart } from './parts/har.ts';
import { replicasPart, storedSandboxesPart } from './parts/replicas.ts';
import { endurancePart, recordingsPart, sandboxesPart } from './parts/scale.ts';
import { sideBySidePart } from './parts/side-by-side.ts';
import { startPart } from './parts/start.ts';
import { worldCostsPart } from './parts/world-costs.ts';
import { maxRounds, settle } from './rounds.ts';
import { median } from './statistics.ts';

const parts: readonly Part[] = [
  startPart,
  firstCallsPart,
  sideBySidePart,
  recordingsPart,
  sandboxesPart,
  worldCostsPart,
  endurancePart,
  verifyPart,
  harPart,
];

/** `--scale`: what replicas on one Redis do, without goals. */
const scaleParts: readonly Part[] = [replicasPart, storedSandboxesPart];

/**
 * Measures all goals of docs/performance.md; the parts of those that are missed again, up to three rounds in all.
 * @param isScale the parts about replicas instead
 * @param out file for all figures, as JSON
 * @returns the exit code: 1 if a goal is missed in all rounds
 */
export async function runGoals(
  effortName: EffortName,
  out: string | undefined,
  say: (text: string) => void,
  progress: (text: string) => void,
  isScale = false,
): Promise<number> {
  const startedAt = new Date().toISOString();
  const from = performance.now();
  const effort = efforts[effortName];
  const last = new Map<Part, Measured>();
  const measure = async (part: Part, round: number): Promise<readonly Goal[]> => {
    progress(round === 1 ? part.name : `${part.name}, round ${round} of ${maxRounds}: a goal was missed`);
    const measured = await part.measure(effort, progress);
    last.set(part, measured);
    return measured.goals;
  };
  const goals = await settle(isScale ? scaleParts : effort.score ? [...parts, scorePart] : parts, measure, isMet);

  for (const { text } of last.values()) for (const lines of text) say(`\n${lines}`);
  if (goals.length > 0) say(`\n${goalsTable(goals)}`);
  const seconds = (performance.now() - from) / 1000;
  say(`\n${machineLine(seconds)}`);
  const failure = missedLine(goals);
  if (failure !== undefined) say(failure);
  if (out !== undefined) {
    const judged = goals.map(({ item: goal, rounds }) => ({
      ...goal,
      median: median(goal.samples),
      spread: spreadOf(goal.samples),
      met: isMet(goal),
      rounds,
    }));
    const figures = Object.fromEntries([...last].map(([part, measured]) => [part.name, measured.figures]));
    const result = { startedAt, seconds, machine: machine(), effort, goals: judged, figures };
    writeFileSync(out, `${JSON.stringify(result, null, 2)}\n`);
  }
  return failure === undefined ? 0 : 1;
}
