// `npm run bench`: measures the goals of docs/performance.md, and fails where one is missed in three rounds.
//   --quick             shorter; or --effort tiny|quick|full
//   --against REF       this tree and that commit in the same run; fails where this one loses
//   --scale             replicas on one Redis instead, for docs/scaling.md
//   --plots             curves for docs/performance.md (15 minutes); --replot makes the page of the figures again
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { againstParts, buildOther, type EffortName, efforts, goalParts, measureCurves, type Parts } from './parts.ts';
import { peer } from './peer.ts';
import { installPeers } from './peers.ts';
import {
  allCharts,
  goalsTable,
  maxRounds,
  missedLine,
  type PlotData,
  pageOf,
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
  memory: Math.round(totalmem() / 2 ** 30),
};
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
  if (values.replot) return () => makePage(effort);
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

/** Where the page goes. A trial (an effort other than `full`) must not replace it. */
function folderOf(effort: EffortName): string {
  return join(process.cwd(), effort === 'full' ? 'docs' : `.cache/plots-${effort}`);
}

/** Measures all curves, and makes the page of them. */
async function plot(effort: EffortName): Promise<number> {
  const startedAt = new Date().toISOString();
  installPeers(progress);
  const curves = await measureCurves(efforts[effort], progress);
  const versionOf = (folder: string, name: string): string => {
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    return (lock as { packages: Record<string, { version: string }> }).packages[`node_modules/${name}`]?.version ?? '';
  };
  const data: PlotData = {
    startedAt,
    seconds: secondsSoFar(),
    effort,
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
    machine,
    versions: {
      Prism: versionOf('.', '@stoplight/prism-cli'),
      Express: versionOf('.', 'express'),
      fastify: versionOf('bench/peers', 'fastify'),
      Mockoon: versionOf('bench/peers', '@mockoon/commons-server'),
      'node:http': process.version,
    },
    ...curves,
  };
  mkdirSync(join(folderOf(effort), 'plots'), { recursive: true });
  writeFileSync(join(folderOf(effort), 'plots/data.json'), `${JSON.stringify(data)}\n`);
  sayWhere();
  return makePage(effort);
}

async function makePage(effort: EffortName): Promise<number> {
  const folder = folderOf(effort);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, 'plots', name), 'utf8'));
  const rates = existsSync(join(folder, 'plots/kill-rate.json')) ? (read('kill-rate.json') as Row[]) : [];
  const killRate = rates.map(({ requests = '', killed, faults }) => ({
    curve: 'faults',
    requests,
    caught: (100 * Number(killed)) / Number(faults),
  }));
  const data = { ...(read('data.json') as PlotData), killRate };
  installPeers(progress);
  const { init } = await peer('echarts');
  for (const { file, title, options } of allCharts(data)) {
    const drawing = init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 420 });
    drawing.setOption(options);
    const svg: string = drawing.renderToSVGString();
    writeFileSync(
      join(folder, `plots/${file}.svg`),
      `${svg.replace('<svg', `<svg role="img" aria-label="${title}"`)}\n`,
    );
  }
  writeFileSync(join(folder, 'performance.md'), pageOf(data));
  say(`${folder}/performance.md`);
  return 0;
}
