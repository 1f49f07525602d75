// `npm run bench`: measures the goals of docs/performance.md, and fails where one is missed in three rounds.
//   --quick             shorter; or --effort tiny|quick|full
//   --against REF       this tree and that commit in the same run; fails where this one loses
//   --scale             replicas on one Redis instead, for docs/scaling.md
//   --plots             the pictures of docs/performance.md (2 minutes); --replot draws them from their figures again
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  againstParts,
  buildOther,
  type EffortName,
  efforts,
  goalParts,
  measureConnections,
  type Parts,
} from './parts.ts';
import {
  allCharts,
  goalsTable,
  type KillRates,
  maxRounds,
  missedLine,
  type PlotData,
  type Row,
  settle,
  short,
  table,
} from './report.ts';
import { scaleParts } from './scale.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const progress = (line: string): void => void process.stderr.write(`… ${line}\n`);

const machine = {
  node: process.version,
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
};
const plots = join(process.cwd(), 'docs/plots');
const from = performance.now();
const secondsSoFar = (): number => (performance.now() - from) / 1000;
const sayWhere = (): void =>
  say(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; ${short(secondsSoFar())} s`);

let run: () => Promise<number>;
try {
  run = commandOf(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(2);
}
process.exit(await run());

function commandOf(args: readonly string[]): () => Promise<number> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = { quick: flag, effort: text, against: text, scale: flag, plots: flag, replot: flag };
  const { values } = parseArgs({ args: [...args], options });
  const effort = (values.effort ?? (values.quick ? 'quick' : 'full')) as EffortName;
  if (!Object.hasOwn(efforts, effort))
    throw new Error(`--effort ${effort}: expected one of ${Object.keys(efforts).join(', ')}`);
  if (values.plots) return () => plot(effort);
  if (values.replot) return () => draw();
  const { against } = values;
  if (against !== undefined) return () => judge(againstParts(buildOther(against, progress)), effort);
  return () => judge(values.scale ? scaleParts() : goalParts, effort);
}

/** Measures all parts; those of missed goals again. @returns the exit code: 1 if a goal is missed in all rounds */
async function judge(parts: Parts, effort: EffortName): Promise<number> {
  const tables: Record<string, readonly (readonly Row[])[]> = {};
  const settled = await settle(Object.entries(parts), async ([name, measure], round) => {
    progress(round === 1 ? name : `${name}, round ${round} of ${maxRounds}: a goal was missed`);
    const { goals = [], tables: found = [] } = await measure(efforts[effort]);
    tables[name] = found;
    return goals;
  });
  for (const rows of Object.values(tables).flat()) say(`\n${table(rows)}`);
  if (settled.length > 0) say(`\n${goalsTable(settled)}`);
  sayWhere();
  const failure = missedLine(settled);
  if (failure !== undefined) say(failure);
  return failure === undefined ? 0 : 1;
}

/** Measures the curve of docs/performance.md, and draws the pictures. */
async function plot(effort: EffortName): Promise<number> {
  const connections = await measureConnections(efforts[effort]);
  const commit = execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
  const measured = `${new Date().toISOString().slice(0, 10)}, commit ${commit}, ${machine.cpu}, Node ${machine.node}`;
  const data: PlotData = { measured, connections };
  writeFileSync(join(plots, 'data.json'), `${JSON.stringify(data)}\n`);
  sayWhere();
  return draw();
}

/** Draws the pictures from their figures. The plot library is installed where it is missing: nothing else needs it. */
async function draw(): Promise<number> {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(plots, name), 'utf8'));
  const library = join(process.cwd(), '.cache/echarts');
  if (!existsSync(library)) execFileSync('npm', ['install', '--silent', '--prefix', library, 'echarts@6.1.0']);
  const { init } = createRequire(join(library, 'package.json'))('echarts');
  for (const [file, options] of Object.entries(
    allCharts(read('data.json') as PlotData, read('kill-rate.json') as KillRates),
  )) {
    const drawing = init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 420 });
    drawing.setOption(options);
    const svg: string = drawing.renderToSVGString();
    const labelled = svg.replace('<svg', `<svg role="img" aria-label="${options.title.text}"`);
    writeFileSync(join(plots, `${file}.svg`), `${labelled}\n`);
  }
  return 0;
}
