import { short } from '../table.ts';
import type { Line } from './charts.ts';
import type { PlotData } from './data.ts';

/** What the curves say, in sentences that are made from their figures. */

const count = (value: number) => value.toLocaleString('en-US');
const first = (line: Line | undefined) => line?.points.at(0) ?? { x: Number.NaN, y: Number.NaN };
const last = (line: Line | undefined) => line?.points.at(-1) ?? { x: Number.NaN, y: Number.NaN };
const most = ({ points }: Line) =>
  points.reduce((best, point) => (point.y > best.y ? point : best), first({ name: '', points }));

export function connectionsSay([throughput, p99]: readonly [readonly Line[], readonly Line[]]): string[] {
  const [ours, ...others] = throughput;
  if (!ours) return [];
  const peak = most(ours);
  const beside = others.map((line) => {
    const there = line.points.find(({ x }) => x === peak.x) ?? last(line);
    return `${short(peak.y / there.y)}x ${line.name}`;
  });
  const end = last(ours);
  const slow = last(p99[0]);
  return [
    `Most with ${count(peak.x)} connections: ${short(peak.y)} requests a second, ${beside.join(', ')}.`,
    `With ${count(end.x)} connections it is ${short((end.y / peak.y) * 100)} % of that, and the 99th percentile is ${short(slow.y)} ms, ` +
      `${p99
        .slice(1)
        .map((line) => `${short(slow.y / last(line).y)}x ${line.name}'s`)
        .join(', ')}.`,
  ];
}

/** `what` is growing: recordings, or sandboxes. */
export function growthSays(what: string, lines: readonly Line[], memory: readonly Line[]): string[] {
  const kept = lines.map((line) => {
    const [from, to] = [first(line), last(line)];
    return `${line.name}: ${short(to.y / from.y)}x the throughput with ${count(to.x)} of that with ${count(from.x)}`;
  });
  const [from, to] = [first(memory[0]), last(memory[0])];
  const each = ((to.y - from.y) * 1024) / (to.x - from.x);
  return [
    `${kept.join('; ')}.`,
    `Each of the ${what} takes ${short(each)} KiB: ${short(from.y)} MiB become ${short(to.y)} MiB.`,
  ];
}

/** Growth is judged from a tenth of the requests on, when all code is compiled. */
export function memorySays(lines: readonly Line[]): string[] {
  return lines.map((line) => {
    const end = last(line);
    const tenth = line.points.find(({ x }) => x >= end.x / 10) ?? first(line);
    return `${line.name}: ${short(tenth.y)} MiB after ${count(tenth.x)} requests, ${short(end.y)} MiB after ${count(end.x)} (${short(end.y / tenth.y)}x), ${short(most(line).y)} MiB at most.`;
  });
}

export function latencySays(lines: readonly Line[]): string[] {
  return lines.map((line) => {
    const [from, to] = [first(line), last(line)];
    const each = ((to.y - from.y) / (to.x - from.x)) * 1000;
    return `${line.name}: ${short(from.y)} s without latency, ${short(to.y)} s at ${to.x} ms: each millisecond costs ${short(each)} ms.`;
  });
}

export function limitsSay(limits: PlotData['limits']): string[] {
  const kinds = [...new Set(limits.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const [least, ...more] = limits
      .filter((row) => row.kind === kind)
      .toSorted((left, right) => left.limit - right.limit);
    if (!least) return '';
    const verdicts = [...new Set([least, ...more].map(({ verdict }) => verdict))].join(', ');
    const paced = least.seconds * least.limit;
    return `${kind}: ${short(least.seconds)} s and ${least.requests} requests at ${least.limit} a second, where ${short(paced)} requests would have had room; the verdict: ${verdicts}.`;
  });
}

/** Who was at the limit of its core. */
export function busySays(connections: PlotData['connections']): string[] {
  const servers = [...new Set(connections.map(({ server }) => server))];
  const full = 0.9;
  return servers.map((server) => {
    const rows = connections.filter((row) => row.server === server);
    const peak = rows.reduce((best, row) => (row.perSecond > best.perSecond ? row : best));
    const cpu = `server ${short(peak.serverCpu)}, load generator ${short(peak.loadCpu)} of a core`;
    const limit =
      peak.serverCpu >= full
        ? 'the server limits'
        : peak.loadCpu >= full
          ? 'THE LOAD GENERATOR LIMITS: the server could do more'
          : 'neither is full: the two wait for each other, or for cores that others used';
    return `${server}, ${short(peak.perSecond)} requests a second with ${peak.connections} connections: ${cpu}: ${limit}.`;
  });
}
