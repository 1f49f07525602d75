import { cellsOf, type Row, short } from './statistics.ts';

/** What `npm run bench -- --plots` keeps in docs/plots/data.json. */
export interface PlotData {
  readonly startedAt: string;
  readonly seconds: number;
  readonly effort: string;
  readonly commit: string;
  readonly machine: { readonly node: string; readonly cpu: string; readonly cores: number; readonly memory: number };
  readonly versions: Readonly<Record<string, string>>;
  readonly skipped: readonly string[];
  /** The points by the name of the curve, as curves.ts measures them. */
  readonly [curve: string]: unknown;
}

/** A picture; bench/peers/plot.js draws it. */
export type Chart = ReturnType<typeof chartsOf>[number][0];

/** A figure of a point: what it is called, and its unit. */
interface Figure {
  readonly title: string;
  readonly unit: string;
  readonly field: string;
  /** What tells it in a table from another figure of that unit. */
  readonly sign?: string;
  /** Where the lines are alike, one of them is drawn, by this name. */
  readonly alike?: string;
}

const throughput = { title: 'Throughput', unit: 'requests/s', field: 'perSecond' };
const p99 = { title: '99th percentile of response times', unit: 'ms', field: 'p99', sign: 'p99 ' };
const memory = { title: 'Memory', unit: 'MiB', field: 'memory' };
const start = {
  title: 'Time to the first response',
  unit: 'ms',
  field: 'start',
  sign: 'start ',
  alike: 'platform-mock',
};
const time = { title: 'Time of a verdict', unit: 's', field: 'seconds' };
const requests = { title: 'Requests of a verdict', unit: 'requests', field: 'requests' };
const reading = { title: 'Time to read the journal', unit: 'ms', field: 'milliseconds' };
const caught = { title: 'Faults caught', unit: '%', field: 'caught' };

/** Curves over the same thing: points of a name in the data, drawn by several of their figures. */
interface Section {
  readonly curve: string;
  readonly over: string;
  readonly how: string;
  /** Fields of the points. */
  readonly line: string;
  /** Default: the name of the curve. */
  readonly x?: string;
  readonly scale?: 'linear';
  /** Pictures by name. */
  readonly figures: Readonly<Record<string, Figure>>;
}

const sections: readonly Section[] = [
  {
    curve: 'connections',
    over: 'concurrent connections',
    how: 'Updates (`PATCH /v1/echo/recordings/{id}`), all servers running, loaded one after the other.',
    line: 'server',
    figures: { 'throughput-connections': throughput, 'p99-connections': p99 },
  },
  {
    curve: 'recordings',
    over: 'the number of recordings',
    how: 'Sixteen connections; another mock for each number (`serve --recordings N`). The others keep no records.',
    line: 'operation',
    figures: {
      'throughput-recordings': throughput,
      'p99-recordings': p99,
      'memory-recordings': memory,
      'start-recordings': start,
    },
  },
  {
    curve: 'sandboxes',
    over: 'the number of sandboxes in use',
    how: `Sixteen connections, which send to all sandboxes in turn (\`serve --sandboxes N\`), after the first request of each. The
others have no sandboxes.`,
    line: 'operation',
    figures: { 'throughput-sandboxes': throughput, 'p99-sandboxes': p99, 'memory-sandboxes': memory },
  },
  {
    curve: 'faults',
    over: 'the number of armed faults',
    how: 'Sixteen connections. No fault hits, and each looks at every request; the others have none.',
    line: 'operation',
    scale: 'linear',
    figures: { 'throughput-faults': throughput, 'p99-faults': p99 },
  },
  {
    curve: 'bodies',
    over: 'the size of a body in characters',
    how: `Updates of a summary over sixteen connections, each server alone. The mock validates and stores it, and sends it back; the
bare servers parse it and answer a constant.`,
    line: 'server',
    x: 'characters',
    figures: { 'throughput-bodies': throughput, 'memory-bodies': memory },
  },
  {
    curve: 'journal',
    over: 'the entries of the journal',
    how: 'It keeps the last 500 requests of a world; its texts are made when they are read.',
    line: 'kind',
    x: 'entries',
    figures: { 'reading-journal': reading },
  },
  {
    curve: 'memory',
    over: 'requests answered',
    how: `Updates over sixteen connections, each server alone, its resident memory sampled four times a second: the mock for all
requests, the others for a limited time, so that the slower ones end earlier.`,
    line: 'server',
    x: 'requests',
    scale: 'linear',
    figures: { 'memory-requests': memory },
  },
  {
    curve: 'latency',
    over: "the target's latency in milliseconds",
    how: '`verify` and `verify --quick` at a mock that delays each response (`serve --latency MS`); process start included.',
    line: 'kind',
    x: 'latency',
    scale: 'linear',
    figures: { 'verify-time-latency': time, 'verify-requests-latency': requests },
  },
  {
    curve: 'limits',
    over: "the target's limit of requests a second",
    how: `A target that refuses more requests in a second with 429, \`Retry-After\` and \`RateLimit-*\` headers: a small proxy before the
mock, because the limit of the gap \`rate-limit\` counts by the minute and by the caller. The suite does not know the limit and
finds out; \`verify --rps\` gets the same limit as an option, at a mock without one.`,
    line: 'kind',
    x: 'limit',
    figures: { 'verify-time-limit': time, 'verify-requests-limit': requests },
  },
  {
    curve: 'killRate',
    over: 'the requests of a run',
    how: 'Each fault of the mock that breaks a requirement, and `verify --requests N` (`npm run score -- --curve`).',
    line: 'curve',
    x: 'requests',
    figures: { 'kill-rate-requests': caught },
  },
];

const count = (value: number): string => value.toLocaleString('en-US');
const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');
/** A curve with fewer points has a tick, a mark and a row in the table for each. */
const manyPoints = 30;
/** Pictures of so few lines have one table for all of a section. */
const fewLines = 3;
/** Values so far apart need a logarithmic axis. */
const wideRange = 20;

const pointsOf = (data: PlotData, curve: string): readonly Row[] => (data[curve] ?? []) as readonly Row[];

function chartsOf(data: PlotData, { curve, over, line, x = curve, scale, figures }: Section) {
  const rows = pointsOf(data, curve);
  const names = [...new Set(rows.map((row) => String(row[line])))];
  const xs = [...new Set(rows.map((row) => Number(row[x])))].sort((left, right) => left - right);
  return Object.entries(figures).map(([file, figure]) => {
    const drawn = figure.alike === undefined ? names : names.slice(0, 1);
    const lines = drawn.map((name) => {
      const own = rows.filter((row) => row[line] === name);
      return {
        name: figure.alike ?? name,
        points: own.map((row) => ({ x: Number(row[x]), y: Number(row[figure.field]) })),
      };
    });
    const values = lines.flatMap(({ points }) => points.map(({ y }) => y));
    const isWide = scale !== 'linear' && Math.max(...values) > wideRange * Math.min(...values);
    const chart = {
      /** Name in docs/plots, without `.svg`. */
      file,
      title: `${figure.title} over ${over}`,
      /** `ticks`: the values of the points, where they are few. */
      x: { label: over, scale: scale ?? 'log', ...(xs.length <= manyPoints && { ticks: xs }) },
      y: { label: figure.unit, scale: isWide ? 'log' : 'linear' },
      /** The first one is emphasised. */
      lines,
    };
    return [chart, figure] as const;
  });
}

export const allCharts = (data: PlotData): Chart[] =>
  sections
    .flatMap((section) => chartsOf(data, section))
    .map(([chart]) => chart)
    .filter(({ lines }) => lines.length > 0);

/** Shares of the longest line at which those are shown that have too many points for a row each. */
const shares = [0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9];

function numbers(charts: ReturnType<typeof chartsOf>, head: string): string {
  const ends = charts.flatMap(([{ lines }]) => lines.map(({ points }) => points.at(-1)?.x ?? 0));
  const ticks = charts[0]?.[0].x.ticks ?? shares.map((share) => share * Math.max(...ends));
  const rows = ticks.map((tick): Row => {
    const values = charts.flatMap(([{ lines }, { sign = '', unit }]) =>
      lines.map(({ name, points }) => [`${name}, ${sign}${unit}`, points.find(({ x }) => x >= tick)?.y ?? Number.NaN]),
    );
    return { [head]: count(tick), ...Object.fromEntries(values) };
  });
  return markdown(rows);
}

function markdown(rows: readonly Row[]): string {
  const [head = [], ...cells] = cellsOf(rows);
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'));
  return [head, rule, ...cells].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** CPU time of each server and of its load at its best. */
function limits(data: PlotData): string {
  const points = pointsOf(data, 'connections');
  const servers = [...new Set(points.map(({ server }) => String(server)))];
  const bests = servers.map((server) =>
    points
      .filter((point) => point.server === server)
      .reduce((best, point) => (Number(point.perSecond) > Number(best.perSecond) ? point : best)),
  );
  const full = 0.9;
  return markdown(
    bests.map(({ server = '', connections, perSecond = '', serverCpu = '', loadCpu = '' }) => ({
      server,
      connections: String(connections),
      'requests/s': perSecond,
      'ours is, x': Number(bests[0]?.perSecond) / Number(perSecond),
      'CPU: server': serverCpu,
      load: loadCpu,
      'at its limit':
        Number(serverCpu) >= full ? 'server' : Number(loadCpu) >= full ? '**load generator**' : 'neither, they wait',
    })),
  );
}

/** docs/performance.md. Nothing in it is written by hand. */
export function pageOf(data: PlotData): string {
  const { machine, versions, effort } = data;
  const others = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const parts = sections.flatMap((section) => {
    const { curve, x: head = curve } = section;
    const rows = pointsOf(data, curve);
    const verdicts = [...new Set(rows.flatMap(({ verdict }) => verdict ?? []))].join(', ');
    const charts = chartsOf(data, section);
    const isJoined = charts.every(([{ lines }]) => lines.length <= fewLines);
    const pictures = charts.flatMap((each) => {
      const [{ title, file }] = each;
      return [`![${title}](plots/${file}.svg)`, ...(isJoined ? [] : [numbers([each], head)])];
    });
    if (isJoined) pictures.push(numbers(charts, head));
    const how = section.how + (verdicts === '' ? '' : ` Verdicts: ${verdicts}.`);
    return rows.length === 0 ? [] : [`## Over ${section.over}`, how, ...pictures];
  });
  return `${[
    '# Performance',
    'Made by `npm run bench -- --plots`, with all text, from [plots/data.json](plots/data.json); `npm run bench -- --replot` makes it again from there. The goals, with medians and spread: `npm run bench`.',
    ...(effort === 'full' ? [] : [`**Made with \`--effort ${effort}\`: the figures mean little.**`]),
    bullets([
      `${data.startedAt.slice(0, 10)}, commit ${data.commit}, ${short(data.seconds / 60)} minutes.`,
      `${machine.cpu}, ${machine.cores} cores, ${machine.memory} GiB, Node ${machine.node}. Server and load generator run on this machine, a process each.`,
      `The mock runs with the defaults of \`serve\`: validation both ways, JWT, state and journal on. The others: ${others.join(', ')}. The bare servers and Mockoon give the mock's answers as constants and check nothing; Prism and Mockoon run without logs.`,
      'Load: a process with a client made for it (bench/load-connection.ts), one request at a time on each connection; a response other than 2xx stops the run.',
      ...data.skipped.map((reason) => `Not measured: ${reason}`),
    ]),
    '## What limits',
    'CPU time of both processes, in cores, with the number of connections at which each server is fastest. One server process cannot use more than one core.',
    limits(data),
    ...parts,
  ].join('\n\n')}\n`;
}
