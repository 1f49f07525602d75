import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EffortName } from '../effort.ts';
import { machine, machineLine } from '../machine.ts';
import { installPeers, peerFile } from '../peers.ts';
import { extraNames, Peers, serverNames } from '../servers.ts';
import type { Chart } from './charts.ts';
import type { PlotData } from './data.ts';
import { overConnections, overRecordings, overRequests, overSandboxes } from './measure-load.ts';
import { overLatency, overLimits } from './measure-verify.ts';
import { chartsOf, pageOf } from './page.ts';
import { scopes } from './scope.ts';

type Say = (text: string) => void;

/** Where the page goes. A trial (an effort other than `full`) must not replace it. */
const folderOf = (effort: EffortName) => join(process.cwd(), effort === 'full' ? 'docs' : `.cache/plots-${effort}`);

/**
 * Measures all curves, keeps the figures, and makes the page of them.
 * @returns the exit code: 1 if the pictures could not be drawn
 */
export async function runPlots(effort: EffortName, say: Say, progress: Say): Promise<number> {
  const startedAt = new Date().toISOString();
  const from = performance.now();
  const reason = await installPeers(progress);
  const names = reason === undefined ? [...serverNames, ...extraNames] : serverNames;
  const scope = scopes[effort];
  using peers = await Peers.prepare();
  const curves = {
    connections: await overConnections(peers, names, scope, progress),
    recordings: await overRecordings(scope, progress),
    sandboxes: await overSandboxes(scope, progress),
    memory: await overRequests(peers, names, scope, progress),
    latency: await overLatency(scope, progress),
    limits: await overLimits(scope, progress),
  };
  const seconds = (performance.now() - from) / 1000;
  const data: PlotData = {
    startedAt,
    seconds,
    effort,
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim(),
    machine: machine(),
    versions: versions(reason === undefined),
    skipped: reason === undefined ? [] : extraNames.map((name) => `${name}: ${reason}`),
    ...curves,
  };
  mkdirSync(join(folderOf(effort), 'plots'), { recursive: true });
  writeFileSync(join(folderOf(effort), 'plots/data.json'), `${JSON.stringify(data)}\n`);
  say(machineLine(seconds));
  return makePage(effort, say, progress);
}

/** Makes pictures and page of the figures that were kept. */
export async function makePage(effort: EffortName, say: Say, progress: Say): Promise<number> {
  const folder = folderOf(effort);
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, 'plots', name), 'utf8'));
  const killRate = existsSync(join(folder, 'plots/kill-rate.json')) ? read('kill-rate.json') : [];
  const data = { ...(read('data.json') as PlotData), killRate } as PlotData;
  const reason = await installPeers(progress);
  if (reason !== undefined) {
    say(`FAILED: no pictures: ${reason}`);
    say(`The figures are kept in ${folder}/plots/data.json; npm run bench -- --replot makes the page of them.`);
    return 1;
  }
  const { svgOf } = (await import(pathToFileURL(peerFile('plot.js')).href)) as { svgOf: (chart: Chart) => string };
  for (const chart of chartsOf(data)) writeFileSync(join(folder, `plots/${chart.file}.svg`), svgOf(chart));
  writeFileSync(join(folder, 'performance.md'), pageOf(data));
  say(`${folder}/performance.md`);
  return 0;
}

/** The versions in the lock files of what is measured beside the mock. */
function versions(withExtras: boolean): Record<string, string> {
  const inLock = (folder: string, name: string) => {
    const lock = JSON.parse(readFileSync(join(process.cwd(), folder, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    return lock.packages[`node_modules/${name}`]?.version ?? '';
  };
  return {
    Prism: inLock('', '@stoplight/prism-cli'),
    Express: inLock('', 'express'),
    ...(withExtras && {
      fastify: inLock('bench/peers', 'fastify'),
      Mockoon: inLock('bench/peers', '@mockoon/commons-server'),
    }),
    'node:http': process.version,
  };
}
