// What a benchmark tells of its samples: figures, goals, tables, and docs/performance.md.

/** The median of numbers; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** The nearest-rank percentile of values; `share` is from 0 to 1; NaN of none. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Sample by sample: consecutive samples met the same disturbances. The shorter one limits. */
export const ratios = (values: readonly number[], of: readonly number[]): number[] =>
  values.slice(0, of.length).map((value, at) => value / (of[at] ?? Number.NaN));

/** The least and the greatest of values: of five or more without the farthest at each end, of many without 5 % there. */
export function spreadOf(values: readonly number[]): readonly [low: number, high: number] {
  const trimmed = Math.max(values.length >= 5 ? 1 : 0, Math.floor(values.length / 20));
  const kept = values.toSorted((left, right) => left - right).slice(trimmed, values.length - trimmed);
  return [kept.at(0) ?? Number.NaN, kept.at(-1) ?? Number.NaN];
}

/** A number with three significant digits and at most two decimals. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A row of a table, by column; numbers are shown short. */
export type Row = Readonly<Record<string, string | number>>;

/** Rows as a Markdown table, aligned for a terminal as well: first column left-aligned, others right-aligned. */
export function table(rows: readonly Row[]): string {
  const cells = [
    Object.keys(rows[0] ?? {}),
    ...rows.map((row) => Object.values(row).map((cell) => (typeof cell === 'number' ? short(cell) : cell))),
  ];
  const widths = (cells[0] ?? []).map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const padded = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return cells
    .toSpliced(1, 0, rule)
    .map((row) => `| ${row.map(padded).join(' | ')} |`)
    .join('\n');
}

/** What is wanted of a figure. Its value is the median of the samples. */
export interface Goal {
  readonly name: string;
  readonly samples: readonly number[];
  readonly unit: string;
  /** Samples of another server, measured in turn. Their ratios are judged, sample by sample. */
  readonly of?: readonly number[];
  readonly atLeast?: number;
  readonly atMost?: number;
  /** Whether it is missed only if the spread excludes 1 as well; of one or two samples, it never does. */
  readonly isNoisy?: boolean;
}

export interface Settled {
  readonly goal: Goal;
  readonly rounds: number;
}

const judged = ({ samples, of }: Goal): readonly number[] => (of ? ratios(samples, of) : samples);

/** Whether the median meets the goal; a missing value does not. */
export function isMet(goal: Goal): boolean {
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = goal;
  const values = judged(goal);
  const value = median(values);
  const [low, high] = spreadOf(values);
  const isBeyondSpread = values.length > 2 && (low > 1 || high < 1);
  return (value >= atLeast && value <= atMost) || (goal.isNoisy === true && values.length > 0 && !isBeyondSpread);
}

export const goalsTable = (settled: readonly Settled[]): string =>
  table(
    settled.map(({ goal, rounds }) => {
      const unit = goal.of ? 'x' : goal.unit;
      const [low, high] = spreadOf(judged(goal));
      const wanted = goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;
      return {
        goal: goal.name,
        measured: `${short(median(goal.samples))} ${goal.unit}`,
        other: goal.of ? short(median(goal.of)) : '',
        ratio: goal.of ? `${median(judged(goal)).toFixed(3)} x` : '',
        spread: goal.samples.length < 2 ? '' : `${short(low)}–${short(high)}`,
        wanted: `${wanted} ${unit}`,
        '': isMet(goal) ? `met${rounds > 1 ? `, round ${rounds}` : ''}` : `MISSED in ${rounds} rounds`,
      };
    }),
  );

/** One line about the goals that were missed in every round; undefined where there are none. */
export function missedLine(settled: readonly Settled[]): string | undefined {
  const missed = settled.filter(({ goal }) => !isMet(goal));
  const names = missed.map(({ goal }) => `${goal.name} (${short(median(judged(goal)))} ${goal.of ? 'x' : goal.unit})`);
  if (missed.length === 0) return undefined;
  return `FAILED: ${missed.length} of ${settled.length} goals missed in ${maxRounds} rounds: ${names.join(', ')}`;
}

export const maxRounds = 3;

/** Measures parts, and those with a missed goal again, up to three rounds: in these, only the goals missed before are judged. */
export async function settle<Part>(
  parts: readonly Part[],
  measure: (part: Part, round: number) => Promise<readonly Goal[]>,
): Promise<Settled[]> {
  const settled = new Map<Part, Settled[]>();
  for (let rounds = 1; rounds <= maxRounds; rounds += 1)
    for (const part of parts) {
      const before = settled.get(part);
      if (before?.every(({ goal }) => isMet(goal))) continue;
      const now = new Map((await measure(part, rounds)).map((goal) => [goal.name, { goal, rounds }]));
      const judge = (one: Settled) => (isMet(one.goal) ? one : (now.get(one.goal.name) ?? { ...one, rounds }));
      settled.set(part, before?.map(judge) ?? [...now.values()]);
    }
  return [...settled.values()].flat();
}

/** What `npm run bench -- --plots` keeps in docs/plots/data.json. */
export interface PlotData {
  readonly startedAt: string;
  readonly seconds: number;
  readonly effort: string;
  readonly commit: string;
  readonly machine: { readonly node: string; readonly cpu: string; readonly cores: number; readonly memory: number };
  readonly versions: Readonly<Record<string, string>>;
  /** The points by the name of the curve, as parts.ts measures them. */
  readonly [curve: string]: unknown;
}

/** Figures of points: title and unit, the field of a point, and what tells it in a table from another figure of that unit. */
const figures = {
  throughput: { title: 'Throughput', unit: 'requests/s', field: 'perSecond', sign: '' },
  p99: { title: '99th percentile of response times', unit: 'ms', field: 'p99', sign: 'p99 ' },
  memory: { title: 'Memory', unit: 'MiB', field: 'memory', sign: '' },
  start: { title: 'Time to the first response', unit: 'ms', field: 'start', sign: 'start ' },
  reading: { title: 'Time to read the journal', unit: 'ms', field: 'milliseconds', sign: '' },
  'verify-time': { title: 'Time of a verdict', unit: 's', field: 'seconds', sign: '' },
  'verify-requests': { title: 'Requests of a verdict', unit: 'requests', field: 'requests', sign: '' },
  'kill-rate': { title: 'Faults caught', unit: '%', field: 'caught', sign: '' },
};

/** Pictures of the points of a curve, one for each figure. The first field of a point names its line, the second is its place on the axis. */
interface Section {
  readonly over: string;
  readonly how: string;
  readonly scale?: 'linear';
  readonly shows: readonly (keyof typeof figures)[];
}

const sections: Readonly<Record<string, Section>> = {
  connections: {
    over: 'concurrent connections',
    how: 'Updates (`PATCH /v1/echo/recordings/{id}`), all servers running, loaded one after the other.',
    shows: ['throughput', 'p99'],
  },
  recordings: {
    over: 'the number of recordings',
    how: 'Sixteen connections; another mock for each number (`serve --recordings N`). The others keep no records.',
    shows: ['throughput', 'p99', 'memory', 'start'],
  },
  sandboxes: {
    over: 'the number of sandboxes in use',
    how: `Sixteen connections, which send to all sandboxes in turn (\`serve --sandboxes N\`), after the first request of each. The
others have no sandboxes.`,
    shows: ['throughput', 'p99', 'memory'],
  },
  faults: {
    over: 'the number of armed faults',
    how: 'Sixteen connections. No fault hits, and each looks at every request; the others have none.',
    scale: 'linear',
    shows: ['throughput', 'p99'],
  },
  bodies: {
    over: 'the size of a body in characters',
    how: `Updates of a summary over sixteen connections, each server alone. The mock validates and stores it, and sends it back; the
bare servers parse it and answer a constant.`,
    shows: ['throughput', 'memory'],
  },
  journal: {
    over: 'the entries of the journal',
    how: 'It keeps the last 500 requests of a world; its texts are made when they are read.',
    shows: ['reading'],
  },
  memory: {
    over: 'requests answered',
    how: `Updates over sixteen connections, each server alone, its resident memory sampled four times a second: the mock for all
requests, the others for a limited time, so that the slower ones end earlier.`,
    scale: 'linear',
    shows: ['memory'],
  },
  latency: {
    over: "the target's latency in milliseconds",
    how: '`verify` and `verify --quick` at a mock that delays each response (`serve --latency MS`); process start included.',
    scale: 'linear',
    shows: ['verify-time', 'verify-requests'],
  },
  limits: {
    over: "the target's limit of requests a second",
    how: `A target that refuses more requests in a second with 429, \`Retry-After\` and \`RateLimit-*\` headers: a small proxy before the
mock, because the limit of the gap \`rate-limit\` counts by the minute and by the caller. The suite does not know the limit and
finds out; \`verify --rps\` gets the same limit as an option, at a mock without one.`,
    shows: ['verify-time', 'verify-requests'],
  },
  killRate: {
    over: 'the requests of a run',
    how: 'Each fault of the mock that breaks a requirement, and `verify --requests N` (`npm run score -- --curve`).',
    shows: ['kill-rate'],
  },
};

/** A curve with fewer points has a tick, a mark and a row in the table for each. */
const manyPoints = 30;
/** Shares of the longest line at which those are shown that have too many points for a row each. */
const shares = [0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9];
/** Pictures of so few lines have one table for all of a section. */
const fewLines = 3;
/** Values so far apart need a logarithmic axis. */
const wideRange = 20;
const ink = '#24292f';
// Okabe and Ito's colours, which people with any colour vision tell apart; each line has a symbol and its name as well.
const color = ['#0072b2', '#d55e00', '#cc79a7', '#009e73', '#b07d00', '#56606b'];
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow'];

const pointsOf = (data: PlotData, curve: string): readonly Row[] => (data[curve] ?? []) as readonly Row[];
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const onAxis = (value: number): string => value.toLocaleString('en-US', { notation: 'compact' });

type Chart = ReturnType<typeof chartOf>;

/** A picture: its name in docs/plots, the points of its lines, and options of ECharts. */
function chartOf(rows: readonly Row[], { over, scale }: Section, name: keyof typeof figures) {
  const [line = '', x = ''] = Object.keys(rows[0] ?? {});
  const { field, unit, sign, title: subject } = figures[name];
  const points = rows.filter((row) => row[field] !== undefined);
  const lines = unique(points.map((row) => String(row[line]))).map((label) => ({
    label,
    column: `${label}, ${sign}${unit}`,
    data: points.filter((row) => row[line] === label).map((row) => [Number(row[x]), Number(row[field])] as const),
  }));
  const xs = unique(points.map((row) => Number(row[x]))).sort((left, right) => left - right);
  const customValues = xs.length > manyPoints ? undefined : xs;
  const values = points.map((row) => Number(row[field]));
  const isWide = scale !== 'linear' && Math.max(...values) > wideRange * Math.min(...values);
  const title = `${subject} over ${over}`;
  const axis = { nameLocation: 'middle', axisLabel: { formatter: onAxis, customValues }, axisTick: { customValues } };
  const options = {
    animation: false,
    backgroundColor: '#ffffff',
    color,
    textStyle: { color: ink },
    title: { text: title, textStyle: { color: ink, fontSize: 15 } },
    grid: { top: 60, right: 150, bottom: 48, left: 70 },
    xAxis: { ...axis, name: over, nameGap: 30, type: scale ? 'value' : 'log', logBase: 2, splitLine: { show: false } },
    yAxis: { name: unit, type: isWide ? 'log' : 'value', axisLabel: { formatter: onAxis } },
    // The first one is emphasised.
    series: lines.map(({ label, data }, at) => ({
      type: 'line',
      name: label,
      data,
      symbol: symbols[at],
      symbolSize: 7,
      showSymbol: customValues !== undefined,
      lineStyle: { width: at === 0 ? 3 : 1.7 },
      endLabel: {
        show: true,
        formatter: '{a}',
        color: 'inherit',
        distance: 12,
        fontWeight: at === 0 ? 'bold' : 'normal',
      },
      labelLayout: { moveOverlap: 'shiftY' },
    })),
  };
  return {
    file: `${name}-${x}`,
    title,
    x,
    xs: customValues ?? shares.map((share) => share * (xs.at(-1) ?? 0)),
    lines,
    options,
  };
}

const sectionsOf = (data: PlotData) =>
  Object.entries(sections).flatMap(([curve, section]) => {
    const rows = pointsOf(data, curve);
    return rows.length === 0
      ? []
      : [{ ...section, rows, charts: section.shows.map((name) => chartOf(rows, section, name)) }];
  });

export const allCharts = (data: PlotData): Chart[] => sectionsOf(data).flatMap(({ charts }) => charts);

const numbers = (charts: readonly Chart[]): string =>
  table(
    (charts[0]?.xs ?? []).map((tick) => {
      const cells = charts.flatMap(({ lines }) =>
        lines.map(({ column, data }) => [column, data.find(([x]) => x >= tick)?.[1] ?? Number.NaN]),
      );
      return { [charts[0]?.x ?? '']: tick.toLocaleString('en-US'), ...Object.fromEntries(cells) };
    }),
  );

/** CPU time of each server and of its load at its best. */
function limits(data: PlotData): string {
  const points = pointsOf(data, 'connections');
  const byRate = points.toSorted((left, right) => Number(right.perSecond) - Number(left.perSecond));
  const bests = unique(points.map(({ server }) => server)).map(
    (name): Row => byRate.find(({ server }) => server === name) ?? {},
  );
  const full = 0.9;
  return table(
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
  const parts = sectionsOf(data).flatMap(({ over, how, rows, charts }) => {
    const verdicts = unique(rows.flatMap(({ verdict }) => verdict ?? [])).join(', ');
    const isJoined = charts.every(({ lines }) => lines.length <= fewLines);
    return [
      `## Over ${over}`,
      how + (verdicts === '' ? '' : ` Verdicts: ${verdicts}.`),
      ...charts.flatMap((chart) => [
        `![${chart.title}](plots/${chart.file}.svg)`,
        ...(isJoined ? [] : [numbers([chart])]),
      ]),
      ...(isJoined ? [numbers(charts)] : []),
    ];
  });
  return `${[
    '# Performance',
    'Made by `npm run bench -- --plots`, with all text, from [plots/data.json](plots/data.json); `npm run bench -- --replot` makes it again from there. The goals, with medians and spread: `npm run bench`.',
    ...(effort === 'full' ? [] : [`**Made with \`--effort ${effort}\`: the figures mean little.**`]),
    [
      `${data.startedAt.slice(0, 10)}, commit ${data.commit}, ${short(data.seconds / 60)} minutes.`,
      `${machine.cpu}, ${machine.cores} cores, ${machine.memory} GiB, Node ${machine.node}. Server and load generator run on this machine, a process each.`,
      `The mock runs with the defaults of \`serve\`: validation both ways, JWT, state and journal on. The others: ${others.join(', ')}. The bare servers and Mockoon give the mock's answers as constants and check nothing; Prism and Mockoon run without logs.`,
      'Load: a process with a client made for it (bench/load-connection.ts), one request at a time on each connection; a response other than 2xx stops the run.',
    ]
      .map((line) => `- ${line}`)
      .join('\n'),
    '## What limits',
    'CPU time of both processes, in cores, with the number of connections at which each server is fastest. One server process cannot use more than one core.',
    limits(data),
    ...parts,
  ].join('\n\n')}\n`;
}
