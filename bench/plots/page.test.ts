import { expect, test } from 'vitest';
import { linesOf } from './charts.ts';
import type { LoadPoint, PlotData } from './data.ts';
import { chartsOf, pageOf } from './page.ts';
import { busySays, growthSays, latencySays } from './says.ts';

const point = (perSecond: number, p99: number, serverCpu = 1, loadCpu = 0.5): LoadPoint => ({
  perSecond,
  p50: 1,
  p99,
  serverCpu,
  loadCpu,
});

const data: PlotData = {
  startedAt: '2026-11-22T02:00:00.000Z',
  seconds: 600,
  effort: 'full',
  commit: 'abc1234',
  machine: { node: 'v20.20.2', cpu: 'A processor', cores: 2, memory: 24 },
  versions: { Prism: '5.14.2' },
  skipped: ['Mockoon, because its packages could not be installed: offline'],
  connections: [
    { server: 'platform-mock', connections: 1, ...point(10_000, 0.2) },
    { server: 'Prism', connections: 1, ...point(1000, 2) },
    { server: 'platform-mock', connections: 512, ...point(20_000, 30) },
    { server: 'Prism', connections: 512, ...point(2000, 300) },
  ],
  recordings: [
    { operation: 'list', recordings: 100, memory: 80, start: 300, ...point(10_000, 2) },
    { operation: 'list', recordings: 1_000_000, memory: 580, start: 2000, ...point(9000, 3) },
  ],
  sandboxes: [
    { operation: 'list', sandboxes: 1, memory: 80, ...point(10_000, 2) },
    { operation: 'list', sandboxes: 10_000, memory: 180, ...point(5000, 4) },
  ],
  memory: [
    { server: 'platform-mock', requests: 0, memory: 60 },
    { server: 'platform-mock', requests: 100_000, memory: 80 },
    { server: 'platform-mock', requests: 1_000_000, memory: 88 },
  ],
  latency: [
    { kind: 'verify', latency: 0, seconds: 1, requests: 150, verdict: 'conforms' },
    { kind: 'verify', latency: 300, seconds: 31, requests: 150, verdict: 'conforms' },
  ],
  killRate: [{ requests: 1000, faults: 200, killed: 190 }],
  limits: [
    { kind: 'verify', limit: 2, seconds: 80, requests: 152, verdict: 'conforms' },
    { kind: 'verify', limit: 50, seconds: 4, requests: 150, verdict: 'conforms' },
  ],
};

test('rows become lines in the order in which their names come', () => {
  const rows = [
    ['b', 1, 10],
    ['a', 1, 20],
    ['b', 2, 30],
  ] as const;
  expect(
    linesOf(
      rows,
      ([name]) => name,
      ([, x]) => x,
      ([, , y]) => y,
    ),
  ).toEqual([
    {
      name: 'b',
      points: [
        { x: 1, y: 10 },
        { x: 2, y: 30 },
      ],
    },
    { name: 'a', points: [{ x: 1, y: 20 }] },
  ]);
});

test('every chart has a file of its own, labelled axes, and our line first where there are others', () => {
  const charts = chartsOf(data);
  expect(new Set(charts.map(({ file }) => file)).size).toBe(12);
  for (const { x, y } of charts) expect([x.label, y.label]).not.toContain('');
  expect(charts[0]?.lines.map(({ name }) => name)).toEqual(['platform-mock', 'Prism']);
  expect(charts[0]?.x.ticks).toEqual([1, 512]);
});

test('the page shows every picture, with the numbers beside it, and says what it could not measure', () => {
  const page = pageOf(data);
  for (const { file } of chartsOf(data)) expect(page).toContain(`](plots/${file}.svg)`);
  expect(page).toContain('| 512 | 30.0 | 300 |');
  expect(page).toContain('| 512 | 20,000 | 2,000 |');
  expect(page).toContain('| 1,000,000 | 3.00 | 580 | 2,000 |');
  expect(page).toContain('| platform-mock | 1,000,000 | 60.0 | 80.0 | 88.0 | 88.0 | 88.0 | 88.0 |');
  expect(page).toContain('- 1,000 requests: 190 of 200 faults.');
  expect(page).toContain('Not measured: Mockoon');
  expect(page).toContain('2026-11-22, commit abc1234');
  expect(page).not.toContain('NaN');
});

test('a trial says that its figures mean little', () => {
  expect(pageOf(data)).not.toContain('mean little');
  expect(pageOf({ ...data, effort: 'tiny' })).toContain('`--effort tiny`: the figures mean little');
});

test('the sentences are made from the figures', () => {
  const page = pageOf(data);
  expect(page).toContain('- Most with 512 connections: 20,000 requests a second, 10.0x Prism.');
  expect(page).toContain('0.10x Prism');
  expect(
    growthSays(
      'sandboxes',
      [],
      [
        {
          name: 'memory',
          points: [
            { x: 1, y: 80 },
            { x: 1025, y: 180 },
          ],
        },
      ],
    )[1],
  ).toBe('Each of the sandboxes takes 100 KiB: 80.0 MiB become 180 MiB.');
  expect(
    latencySays([
      {
        name: 'verify',
        points: [
          { x: 0, y: 1 },
          { x: 300, y: 31 },
        ],
      },
    ]),
  ).toEqual(['verify: 1.00 s without latency, 31.0 s at 300 ms: each millisecond costs 100 ms.']);
});

test('who limits is who uses a whole core', () => {
  const says = (serverCpu: number, loadCpu: number) =>
    busySays([{ server: 'bare node:http', connections: 16, ...point(50_000, 1, serverCpu, loadCpu) }])[0];
  expect(says(0.98, 0.95)).toContain(': the server limits');
  expect(says(0.6, 0.95)).toContain('THE LOAD GENERATOR LIMITS');
  expect(says(0.6, 0.7)).toContain('neither is full');
});
