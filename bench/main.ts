// `npm run bench`: measures the goals of DESIGN.md, part 8. Missed goals are reported, but do not fail the benchmark.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { fuzz } from './fuzz.ts';
import { goalsTable, isMet } from './goals.ts';
import { requestsOf, wallTime } from './parts/commands.ts';
import { judgedRecording } from './parts/har.ts';
import { endurance, manySandboxes, recordingCounts } from './parts/scale.ts';
import { type Effort, sideBySide } from './parts/side-by-side.ts';
import { worldCosts } from './parts/world-costs.ts';
import { comparisonTable, type Figures, goalsOf } from './report.ts';
import { short, table } from './table.ts';

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, out: { type: 'string' }, fuzz: { type: 'string' }, seed: { type: 'string' } },
});

const quick: Effort = { rounds: 3, seconds: 1.5, starts: 3, millionth: 0.1 };
const full: Effort = { rounds: 5, seconds: 3, starts: 5, millionth: 1 };

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};
const progress = (text: string): void => {
  process.stderr.write(`… ${text}\n`);
};

if (flags.fuzz === undefined) await bench(flags.quick ? quick : full);
else process.exitCode = await fuzz(Number(flags.fuzz), Number(flags.seed ?? 1), say);
process.exit();

async function bench(effort: Effort): Promise<void> {
  const startedAt = new Date().toISOString();
  const from = performance.now();
  const comparison = await sideBySide(effort, progress);
  progress('100 and 100,000 recordings');
  const recordings = await recordingCounts({ ...effort, rounds: Math.min(3, effort.rounds) });
  progress('1,000 sandboxes');
  const sandboxes = await manySandboxes(effort);
  progress('reset, snapshot, sandbox');
  const costs = await worldCosts();
  progress('endurance');
  const lasting = await endurance(effort);
  progress('verify');
  const verify = await wallTime(['verify'], 3);
  const requests = { full: await requestsOf(), quick: await requestsOf('--quick') };
  progress('verify --har');
  const har = await judgedRecording(1000 * effort.millionth);
  const score = flags.quick ? Number.NaN : await wallTime(['score'], 1);
  const figures: Figures = {
    comparison,
    recordings,
    sandboxes,
    costs,
    endurance: lasting,
    verify,
    requests,
    har,
    score,
  };
  const goals = goalsOf(figures);

  say(`\n${comparisonTable(comparison)}\n`);
  say(worldTable(figures));
  say(`\n${goalsTable(goals)}\n`);
  const seconds = (performance.now() - from) / 1000;
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? '', cores: cpus().length };
  say(`${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ${short(seconds)} s`);
  if (flags.out !== undefined) {
    const judged = goals.map((goal) => ({ ...goal, met: isMet(goal) }));
    const result = { startedAt, seconds, machine, effort, figures, goals: judged };
    writeFileSync(flags.out, `${JSON.stringify(result, null, 2)}\n`);
  }
}

function worldTable({ recordings, sandboxes, costs, endurance: { requests, memory }, har }: Figures): string {
  const [at10, at50, at100] = memory.map(short);
  return table([
    ['', 'measured'],
    ['updates/s with 100 recordings', short(recordings.few)],
    ['updates/s with 100,000 recordings', short(recordings.many)],
    ['first request of a sandbox, 1,000 of them', `${short(sandboxes.firstRequest)} ms`],
    ['updates/s in the main world beside them', short(sandboxes.perSecond)],
    [
      'reset / snapshot / restore / new sandbox, 100,000 recordings',
      [costs.reset, costs.snapshot, costs.restore, costs.sandbox]
        .map((ms) => `${(ms * 1000).toFixed(1)} µs`)
        .join(' / '),
    ],
    [
      `verify --har: ${short(har.size)} MB, ${har.entries.toLocaleString('en-US')} exchanges`,
      `${short(har.perSecond)} MB/s, ${short(har.peakMemory)} MiB at most`,
    ],
    [`memory at 10 / 50 / 100 % of ${requests.toLocaleString('en-US')} updates`, `${at10} / ${at50} / ${at100} MiB`],
  ]);
}
