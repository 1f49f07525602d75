import { expect, test } from 'vitest';
import {
  allCharts,
  type Goal,
  goalsTable,
  isMet,
  median,
  missedLine,
  percentile,
  ratios,
  settle,
  spreadOf,
  table,
} from './report.ts';

const goal: Goal = { name: 'speed', samples: [2.8, 2.9, 5], unit: 'x', atLeast: 3 };
const before = [100, 102, 98, 101, 99];
/** What `--against` wants of a speed. */
const pair: Goal = { name: 'update', unit: 'requests/s', samples: before, of: before, atLeast: 0.95, isNoisy: true };
const times = (factor: number) => before.map((value) => value * factor);

test.each<[string, boolean, Partial<Goal>]>([
  ['the median is judged', false, {}],
  ['and not the other samples', true, { samples: [2, 3, 4] }],
  ['one that is not measured is missed', false, { samples: [] }],
  ['or that is no number', false, { samples: [Number.NaN] }],
  ['a limit', false, { samples: [251], atLeast: 0, atMost: 250 }],
  ['a ratio, sample by sample', true, { samples: [3, 30, 300], of: [1, 10, 100] }],
  ['a gain', true, { ...pair, samples: times(1.2) }],
  ['a loss', false, { ...pair, samples: times(0.8) }],
  ['a gain of what should be less', false, { ...pair, samples: times(1.2), atLeast: 0, atMost: 1.05 }],
  ['up to 5 % beyond the spread', true, { ...pair, samples: times(0.96) }],
  ['a loss within the spread', true, { ...pair, samples: [80, 110, 85, 115, 80] }],
  ['a loss that one stray sample of five hides', false, { ...pair, samples: [80, 81, 79, 150, 80] }],
  ['a loss that one stray sample of five makes', true, { ...pair, samples: [100, 30, 98, 101, 99] }],
  ['one or two samples, which prove nothing', true, { ...pair, samples: [50, 50], of: [100, 100] }],
  ['a disturbance that both met', false, { ...pair, samples: [80, 40, 80, 40, 80], of: [100, 50, 100, 50, 100] }],
])('%s: %s', (_case, expected, changed) => {
  expect(isMet({ ...goal, ...changed })).toBe(expected);
});

test('the table shows median, spread and rounds, and the last line names the missed goals', () => {
  const settled = [
    { goal, rounds: 3 },
    { goal: { ...pair, samples: times(0.8) }, rounds: 3 },
    { goal: { ...goal, name: 'list', samples: [4] }, rounds: 2 },
  ];
  expect(goalsTable(settled).split('\n').slice(2)).toEqual([
    '| speed  |          2.90 x |       |         | 2.80–5.00 |    >= 3 x | MISSED in 3 rounds |',
    '| update | 80.0 requests/s |   100 | 0.800 x | 0.80–0.80 | >= 0.95 x | MISSED in 3 rounds |',
    '| list   |          4.00 x |       |         |           |    >= 3 x |       met, round 2 |',
  ]);
  expect(missedLine(settled)).toBe('FAILED: 2 of 3 goals missed in 3 rounds: speed (2.90 x), update (0.80 x)');
  expect(missedLine(settled.slice(2))).toBeUndefined();
});

test('only parts with a missed goal are measured again, up to three rounds, and a goal once met stays met', async () => {
  // For each goal, the rounds in which it is met.
  const parts: Record<string, Record<string, number[]>> = {
    start: { a: [1] },
    load: { b: [1], c: [2], d: [] },
    late: { e: [3], f: [1, 2] },
  };
  const measured: string[] = [];
  const settled = await settle(Object.keys(parts), async (part, round) => {
    measured.push(`${part} ${round}`);
    return Object.entries(parts[part] ?? {}).map(([name, met]) => ({
      ...goal,
      name,
      samples: [met.includes(round) ? 4 : 1],
    }));
  });
  expect(measured).toEqual(['start 1', 'load 1', 'late 1', 'load 2', 'late 2', 'load 3', 'late 3']);
  expect(settled.map(({ goal: { name, samples }, rounds }) => `${name} ${samples} ${rounds}`)).toEqual([
    'a 4 1',
    'b 4 1',
    'c 4 2',
    'd 1 3',
    'e 4 3',
    'f 4 1',
  ]);
});

test('figures of few, many and no samples', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([[3, 1, 2], [4, 1, 3, 2], [7], []].map(median)).toEqual([2, 2.5, 7, Number.NaN]);
  // A percentile is a value that was measured.
  expect([0.5, 0.99].map((share) => percentile(hundred, share))).toEqual([50, 99]);
  expect([percentile([5], 0.99), percentile([], 0.5)]).toEqual([5, Number.NaN]);
  expect(ratios([6, 1], [2])).toEqual([3]);
  // A spread leaves out one of five at each end, and 5 % of many.
  const samples = [[3, 10, 2, 1], [3, 10, 2, 1, 5], hundred, []];
  expect(samples.map(spreadOf)).toEqual([
    [1, 10],
    [2, 5],
    [6, 95],
    [Number.NaN, Number.NaN],
  ]);
  expect(table([{ '': 'bcd', n: Number.NaN }])).toBe(['|     |   n |', '| --- | --: |', '| bcd |   - |'].join('\n'));
});

test('a line for each server, and a tick for each number of connections', () => {
  const point = (server: string, connections: number) => ({ server, connections, perSecond: 100 * connections });
  const connections = [point('platform-mock', 1), point('Prism', 1), point('platform-mock', 512)];
  const rates = [{ requests: 30, faults: 200, killed: 150 }];
  const charts = allCharts({ measured: '', connections }, rates);
  expect(charts['throughput-connections']).toMatchObject({
    xAxis: { axisTick: { customValues: [1, 512] } },
    series: [
      {
        name: 'platform-mock',
        data: [
          [1, 100],
          [512, 51_200],
        ],
      },
      { name: 'Prism' },
    ],
  });
  expect(charts['kill-rate-requests'].series).toMatchObject([{ data: [[30, 75]] }]);
});
