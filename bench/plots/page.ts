import { short } from '../table.ts';
import {
  type Chart,
  connectionCharts,
  killChart,
  latencyCharts,
  limitCharts,
  linesOf,
  memoryChart,
  recordingCharts,
  sandboxCharts,
} from './charts.ts';
import type { PlotData } from './data.ts';
import { busySays, connectionsSay, growthSays, latencySays, limitsSay, memorySays } from './says.ts';

interface Section {
  readonly title: string;
  readonly how: string;
  readonly pictures: readonly Picture[];
  readonly says: readonly string[];
}

/** A chart with its numbers. */
interface Picture {
  readonly chart: Chart;
  readonly rows: readonly (readonly string[])[];
}

type Column = { readonly unit: string; readonly lines: Chart['lines'] };

const count = (value: number) => value.toLocaleString('en-US');
const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join('\n');

/** A Markdown table; the first row is the head. */
const markdown = ([head = [], ...rows]: readonly (readonly string[])[]) =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** One row for each x, one column for each line of the chart; then what belongs to them, but not into the chart. */
function picture(chart: Chart, x: string, unit: string, ...more: readonly Column[]): Picture {
  const columns = [{ unit, lines: chart.lines }, ...more].flatMap(({ unit, lines }) =>
    lines.map((line) => ({ head: `${line.name}, ${unit}`, line })),
  );
  const xs = [...new Set(columns.flatMap(({ line }) => line.points.map((point) => point.x)))].sort((a, b) => a - b);
  const cell = ({ line }: (typeof columns)[number], at: number) =>
    short(line.points.find((point) => point.x === at)?.y ?? Number.NaN);
  const rows = xs.map((at) => [count(at), ...columns.map((column) => cell(column, at))]);
  return { chart, rows: [[x, ...columns.map(({ head }) => head)], ...rows] };
}

/** Memory is sampled by time: the table shows each line at shares of its requests. */
function memoryRows(lines: Chart['lines']): string[][] {
  const shares = [0, 0.1, 0.25, 0.5, 0.75, 1];
  const rows = lines.map(({ name, points }) => {
    const total = points.at(-1)?.x ?? 0;
    const at = (share: number) => points.find(({ x }) => x >= total * share)?.y ?? Number.NaN;
    return [name, count(total), ...shares.map((share) => short(at(share)))];
  });
  return [['', 'requests', ...shares.map((share) => `MiB at ${share * 100} %`)], ...rows];
}

function sections(data: PlotData): Section[] {
  const [connectionSpeed, connectionP99] = connectionCharts(data);
  const [recordingSpeed, recordingP99] = recordingCharts(data);
  const [sandboxSpeed, sandboxP99] = sandboxCharts(data);
  const memory = memoryChart(data);
  const { killRate = [] } = data;
  const [latencyTime, latencyRequests] = latencyCharts(data);
  const [limitTime, limitRequests] = limitCharts(data);
  // The list comes last at each number: what it finds is after all load.
  const grown = (
    rows: readonly { readonly operation: string; readonly x: number; readonly y: number }[],
    name: string,
  ) =>
    linesOf(
      rows.filter(({ operation }) => operation === 'list'),
      () => name,
      ({ x }) => x,
      ({ y }) => y,
    );
  const recordingMemory = grown(
    data.recordings.map((row) => ({ ...row, x: row.recordings, y: row.memory })),
    'memory',
  );
  const recordingStart = grown(
    data.recordings.map((row) => ({ ...row, x: row.recordings, y: row.start })),
    'start',
  );
  const sandboxMemory = grown(
    data.sandboxes.map((row) => ({ ...row, x: row.sandboxes, y: row.memory })),
    'memory',
  );
  return [
    {
      title: 'Over connections',
      how: 'Updates (`PATCH /v1/echo/recordings/{id}`), all servers running, loaded one after the other.',
      pictures: [picture(connectionSpeed, 'connections', 'requests/s'), picture(connectionP99, 'connections', 'ms')],
      says: connectionsSay([connectionSpeed.lines, connectionP99.lines]),
    },
    {
      title: 'Over recordings',
      how: 'Sixteen connections; a mock of its own for each number (`serve --recordings N`). The others keep no records.',
      pictures: [
        picture(recordingSpeed, 'recordings', 'requests/s'),
        picture(
          recordingP99,
          'recordings',
          'ms',
          { unit: 'MiB', lines: recordingMemory },
          { unit: 'ms', lines: recordingStart },
        ),
      ],
      says: growthSays('recordings', recordingSpeed.lines, recordingMemory),
    },
    {
      title: 'Over sandboxes',
      how:
        'Sixteen connections, which send to all sandboxes in turn (`serve --sandboxes N`), after the first request of each. The ' +
        'others have no sandboxes.',
      pictures: [
        picture(sandboxSpeed, 'sandboxes', 'requests/s'),
        picture(sandboxP99, 'sandboxes', 'ms', { unit: 'MiB', lines: sandboxMemory }),
      ],
      says: growthSays('sandboxes', sandboxSpeed.lines, sandboxMemory),
    },
    {
      title: 'Memory over requests',
      how:
        'Updates over sixteen connections, each server alone, its resident memory sampled four times a second: the mock for all ' +
        'requests, the others for a limited time, so that the slower ones end earlier.',
      pictures: [{ chart: memory, rows: memoryRows(memory.lines) }],
      says: memorySays(memory.lines),
    },
    {
      title: 'A verdict over latency',
      how: '`verify` and `verify --quick` at a mock that delays each response (`serve --latency MS`); process start included.',
      pictures: [picture(latencyTime, 'latency, ms', 's'), picture(latencyRequests, 'latency, ms', 'requests')],
      says: latencySays(latencyTime.lines),
    },
    {
      title: 'A verdict over limits',
      how:
        'A target that refuses more requests in a second with 429, `Retry-After` and `RateLimit-*` headers: a small proxy before the ' +
        'mock, because the limit of the gap `rate-limit` counts by the minute and by the caller. The suite is not told and finds ' +
        'out; `verify --rps` is told the same limit, at a mock without one.',
      pictures: [picture(limitTime, 'requests/s', 's'), picture(limitRequests, 'requests/s', 'requests')],
      says: limitsSay(data.limits),
    },
    ...(killRate.length === 0
      ? []
      : [
          {
            title: 'Faults caught over requests',
            how: 'Each fault of the mock that breaks a requirement, and `verify --requests N` (`npm run score -- --curve`).',
            pictures: [picture(killChart(data), 'requests', '%')],
            says: killRate.map(
              ({ requests, killed, faults }) => `${count(requests)} requests: ${killed} of ${faults} faults.`,
            ),
          },
        ]),
  ];
}

/** All pictures of the page. */
export const chartsOf = (data: PlotData): Chart[] =>
  sections(data).flatMap(({ pictures }) => pictures.map(({ chart }) => chart));

/** docs/performance.md. Nothing in it is written by hand. */
export function pageOf(data: PlotData): string {
  const { machine, versions } = data;
  const isMeasured = data.effort === 'full';
  const others = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const parts = sections(data).map(({ title, how, pictures, says }) =>
    [
      `## ${title}`,
      how,
      bullets(says),
      ...pictures.flatMap(({ chart, rows }) => [`![${chart.title}](plots/${chart.file}.svg)`, markdown(rows)]),
    ].join('\n\n'),
  );
  return `${[
    '# Performance',
    `Made by \`npm run bench -- --plots\`, with all text, from [plots/data.json](plots/data.json); \`npm run bench -- --replot\` makes it again from there. The goals, with medians and spread: \`npm run bench\`.`,
    ...(isMeasured ? [] : [`**Made with \`--effort ${data.effort}\`: the figures mean little.**`]),
    bullets([
      `${data.startedAt.slice(0, 10)}, commit ${data.commit}, ${short(data.seconds / 60)} minutes.`,
      `${machine.cpu}, ${machine.cores} cores, ${machine.memory} GiB, Node ${machine.node}. Server and load generator run on this machine, a process each.`,
      `Beside the mock (\`serve\` with its defaults: validation both ways, JWT, state and journal on): ${others.join(', ')}. The bare servers and Mockoon give the mock's answers as constants and check nothing; Prism and Mockoon run without logs.`,
      'Load: a process with a client of its own (bench/load-connection.ts), one request at a time on each connection; a response other than 2xx stops the run.',
      ...data.skipped.map((reason) => `Not measured: ${reason}`),
    ]),
    '## What limits',
    'CPU time of both processes at the best point of each curve below. One server process cannot use more than one core.',
    bullets(busySays(data.connections)),
    ...parts,
  ].join('\n\n')}\n`;
}
