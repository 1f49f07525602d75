import type { LoadPoint, PlotData } from './data.ts';

/** A picture; bench/peers/plot.js draws it. */
export interface Chart {
  /** Name in docs/plots, without `.svg`. */
  readonly file: string;
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  /** The first one is ours, and stands out. */
  readonly lines: readonly Line[];
}

export interface Axis {
  readonly label: string;
  /** `log` where values are powers, or far apart. */
  readonly scale: 'log' | 'linear';
  readonly base?: number;
  readonly ticks?: readonly number[];
}

export interface Line {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Rows as lines: one for each name, in the order in which they come first. */
export function linesOf<Row>(
  rows: readonly Row[],
  name: (row: Row) => string,
  x: (row: Row) => number,
  y: (row: Row) => number,
): Line[] {
  const lines = new Map<string, { x: number; y: number }[]>();
  for (const row of rows) {
    const points = lines.get(name(row)) ?? [];
    lines.set(name(row), [...points, { x: x(row), y: y(row) }]);
  }
  return [...lines].map(([lineName, points]) => ({ name: lineName, points }));
}

const unique = (values: readonly number[]): number[] => [...new Set(values)].sort((left, right) => left - right);
const speedAxis: Axis = { label: 'requests a second', scale: 'log' };
const fromZero = (label: string): Axis => ({ label, scale: 'linear' });

/** Two pictures of the same load: throughput and p99. */
function loadCharts<Row extends LoadPoint>(
  about: { file: string; title: string; x: Axis; speed: Axis; p99: Axis },
  rows: readonly Row[],
  name: (row: Row) => string,
  x: (row: Row) => number,
): [Chart, Chart] {
  const { file, title } = about;
  return [
    {
      file: `throughput-${file}`,
      title: `Throughput over ${title}`,
      x: about.x,
      y: about.speed,
      lines: linesOf(rows, name, x, (row) => row.perSecond),
    },
    {
      file: `p99-${file}`,
      title: `99th percentile of response times over ${title}`,
      x: about.x,
      y: about.p99,
      lines: linesOf(rows, name, x, (row) => row.p99),
    },
  ];
}

export const connectionCharts = ({ connections }: PlotData) =>
  loadCharts(
    {
      file: 'connections',
      title: 'concurrent connections (updates)',
      x: { label: 'connections', scale: 'log', base: 2, ticks: unique(connections.map((row) => row.connections)) },
      speed: speedAxis,
      p99: { label: 'milliseconds', scale: 'log' },
    },
    connections,
    ({ server }) => server,
    (row) => row.connections,
  );

export const recordingCharts = ({ recordings }: PlotData) =>
  loadCharts(
    {
      file: 'recordings',
      title: 'the number of recordings',
      x: { label: 'recordings', scale: 'log', ticks: unique(recordings.map((row) => row.recordings)) },
      speed: fromZero('requests a second'),
      p99: fromZero('milliseconds'),
    },
    recordings,
    ({ operation }) => operation,
    (row) => row.recordings,
  );

export const sandboxCharts = ({ sandboxes }: PlotData) =>
  loadCharts(
    {
      file: 'sandboxes',
      title: 'the number of sandboxes in use',
      x: { label: 'sandboxes', scale: 'log', ticks: unique(sandboxes.map((row) => row.sandboxes)) },
      speed: fromZero('requests a second'),
      p99: fromZero('milliseconds'),
    },
    sandboxes,
    ({ operation }) => operation,
    (row) => row.sandboxes,
  );

export const memoryChart = ({ memory }: PlotData): Chart => ({
  file: 'memory-requests',
  title: 'Memory over requests answered (updates)',
  x: fromZero('requests'),
  y: fromZero('MiB, resident'),
  lines: linesOf(
    memory,
    ({ server }) => server,
    ({ requests }) => requests,
    (row) => row.memory,
  ),
});

export const killChart = ({ killRate = [] }: PlotData): Chart => ({
  file: 'kill-rate-requests',
  title: 'Faults that a verdict catches, over its requests',
  x: { label: 'requests (--requests N)', scale: 'log', ticks: unique(killRate.map(({ requests }) => requests)) },
  y: fromZero('per cent of the faults'),
  lines: linesOf(
    killRate,
    () => 'caught',
    ({ requests }) => requests,
    ({ killed, faults }) => (100 * killed) / faults,
  ),
});

export const latencyCharts = ({ latency }: PlotData): [Chart, Chart] => {
  const x: Axis = {
    ...fromZero('milliseconds of latency of each response'),
    ticks: unique(latency.map((row) => row.latency)),
  };
  const lines = (y: (row: PlotData['latency'][number]) => number) =>
    linesOf(
      latency,
      ({ kind }) => kind,
      (row) => row.latency,
      y,
    );
  return [
    {
      file: 'verify-time-latency',
      title: "Time of a verdict over the target's latency",
      x,
      y: fromZero('seconds'),
      lines: lines(({ seconds }) => seconds),
    },
    {
      file: 'verify-requests-latency',
      title: "Requests of a verdict over the target's latency",
      x,
      y: fromZero('requests'),
      lines: lines(({ requests }) => requests),
    },
  ];
};

export const limitCharts = ({ limits }: PlotData): [Chart, Chart] => {
  const x: Axis = { label: 'requests a second', scale: 'log', ticks: unique(limits.map((row) => row.limit)) };
  const lines = (y: (row: PlotData['limits'][number]) => number) =>
    linesOf(
      limits,
      ({ kind }) => kind,
      (row) => row.limit,
      y,
    );
  return [
    {
      file: 'verify-time-limit',
      title: "Time of a verdict over the target's limit",
      x,
      y: { label: 'seconds', scale: 'log' },
      lines: lines(({ seconds }) => seconds),
    },
    {
      file: 'verify-requests-limit',
      title: "Requests of a verdict over the target's limit",
      x,
      y: fromZero('requests'),
      lines: lines(({ requests }) => requests),
    },
  ];
};
