import { expect, test } from 'vitest';
import { allCharts, type PlotData, pageOf } from './page.ts';

const data: PlotData = {
  startedAt: '2026-11-22T02:00:00.000Z',
  seconds: 600,
  effort: 'full',
  commit: 'abc1234',
  machine: { node: 'v20.20.2', cpu: 'A processor', cores: 2, memory: 24 },
  versions: { Prism: '5.14.2' },
  skipped: ['Mockoon: offline'],
  connections: [
    { server: 'platform-mock', connections: 1, perSecond: 10_000, p99: 0.2, serverCpu: 0.98, loadCpu: 0.95 },
    { server: 'Prism', connections: 1, perSecond: 1000, p99: 2, serverCpu: 0.6, loadCpu: 0.95 },
    { server: 'platform-mock', connections: 512, perSecond: 9000, p99: 30, serverCpu: 0.6, loadCpu: 0.7 },
    { server: 'Prism', connections: 512, perSecond: 900, p99: 300, serverCpu: 0.6, loadCpu: 0.7 },
  ],
  recordings: [100, 1000].flatMap((recordings) =>
    ['update', 'list'].map((operation) => ({ operation, recordings, perSecond: 5, p99: 3, memory: 80, start: 300 })),
  ),
  bodies: ['one', 'two', 'three', 'four'].map((server) => ({ server, characters: 100, perSecond: 5, memory: 80 })),
  memory: Array.from({ length: 101 }, (_, at) => ({ server: 'platform-mock', requests: 1000 * at, memory: 60 + at })),
  limits: [{ kind: 'verify', limit: 2, seconds: 80, requests: 152, verdict: 'conforms' }],
};

test('a chart for each figure of each curve that has points: a line of each name, and a tick for each of few points', () => {
  const charts = new Map(allCharts(data).map((chart) => [chart.file, chart]));
  expect(charts.size).toBe(11);
  expect(charts.get('p99-connections')).toMatchObject({
    x: { scale: 'log', ticks: [1, 512] },
    // Its values are far apart.
    y: { label: 'ms', scale: 'log' },
    lines: [
      {
        name: 'platform-mock',
        points: [
          { x: 1, y: 0.2 },
          { x: 512, y: 30 },
        ],
      },
      { name: 'Prism' },
    ],
  });
  expect(charts.get('start-recordings')?.lines.map(({ name }) => name)).toEqual(['platform-mock']);
  expect(charts.get('memory-requests')?.x.ticks).toBeUndefined();
});

test('the page shows every picture with its numbers, and says what limited, and what it could not measure', () => {
  const page = pageOf(data);
  for (const { file } of allCharts(data)) expect(page).toContain(`](plots/${file}.svg)`);
  for (const row of [
    '| 512 | 9,000 | 900 | 30.0 | 300 |',
    // Of so many servers, each picture has a table.
    '| 100 | 80.0 | 80.0 | 80.0 | 80.0 |',
    '| 25,000 | 85.0 |',
    '| platform-mock | 1 | 10,000 | 1.00 | 0.98 | 0.95 | server |',
    '| Prism | 1 | 1,000 | 10.0 | 0.60 | 0.95 | **load generator** |',
  ])
    expect(page).toContain(row);
  for (const text of ['Verdicts: conforms.', 'Not measured: Mockoon', '2026-11-22, commit abc1234'])
    expect(page).toContain(text);
  expect(page).not.toMatch(/NaN|undefined|mean little/);
  expect(pageOf({ ...data, effort: 'tiny' })).toContain('`--effort tiny`: the figures mean little');
});
