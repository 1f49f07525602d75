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

/** What `npm run bench -- --plots` keeps in docs/plots/data.json: a point for each server and number of connections. */
export interface PlotData {
  readonly measured: string;
  readonly connections: readonly {
    readonly server: string;
    readonly connections: number;
    readonly perSecond: number;
  }[];
}

/** What `npm run score -- --curve` keeps in docs/plots/kill-rate.json. */
export type KillRates = readonly { readonly requests: number; readonly faults: number; readonly killed: number }[];

type Point = readonly [x: number, y: number];

const ink = '#24292f';
// Okabe and Ito's colours, which people with any colour vision tell apart; each line has a symbol and its name as well.
const color = ['#0072b2', '#d55e00', '#cc79a7', '#009e73'];
const symbols = ['circle', 'rect', 'triangle', 'diamond'];

/** A line chart with a logarithmic axis, as options of ECharts. */
function chartOf(
  title: string,
  axes: readonly [x: string, y: string],
  lines: Readonly<Record<string, readonly Point[]>>,
) {
  const [x, y] = axes;
  const customValues = [...new Set(Object.values(lines).flatMap((points) => points.map(([at]) => at)))];
  const formatter = (value: number): string => value.toLocaleString('en-US', { notation: 'compact' });
  return {
    animation: false,
    backgroundColor: '#ffffff',
    color,
    textStyle: { color: ink },
    title: { text: title, textStyle: { color: ink, fontSize: 15 } },
    grid: { top: 60, right: 150, bottom: 48, left: 70 },
    xAxis: {
      name: x,
      nameLocation: 'middle',
      nameGap: 30,
      type: 'log',
      logBase: 2,
      splitLine: { show: false },
      axisLabel: { formatter, customValues },
      axisTick: { customValues },
    },
    yAxis: { name: y, type: 'value', axisLabel: { formatter } },
    series: Object.entries(lines).map(([name, data], at) => ({
      type: 'line',
      name,
      data,
      symbol: symbols[at],
      symbolSize: 7,
      endLabel: { show: true, formatter: '{a}', color: 'inherit', distance: 12 },
      labelLayout: { moveOverlap: 'shiftY' },
    })),
  };
}

/** The pictures of docs/performance.md, by the name of their file. */
export function allCharts(data: PlotData, rates: KillRates) {
  const throughput: Record<string, Point[]> = {};
  for (const { server, connections, perSecond } of data.connections) {
    throughput[server] ??= [];
    throughput[server].push([connections, perSecond]);
  }
  const caught = rates.map(({ requests, faults, killed }): Point => [requests, (100 * killed) / faults]);
  return {
    'throughput-connections': chartOf('Updates a second over connections', ['connections', 'requests/s'], throughput),
    'kill-rate-requests': chartOf('Faults found over requests sent', ['requests of a run', '%'], { faults: caught }),
  };
}
