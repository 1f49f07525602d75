import type { Goal } from './goals.ts';
import { operationNames, requests } from './operations.ts';
import type { HarFigures } from './parts/har.ts';
import type { EnduranceFigures, SandboxFigures } from './parts/scale.ts';
import type { Comparison } from './parts/side-by-side.ts';
import type { WorldCosts } from './parts/world-costs.ts';
import { type ServerName, serverNames } from './servers.ts';
import { ratio } from './statistics.ts';
import { short, table } from './table.ts';

/** The measurements of one run. */
export interface Figures {
  readonly comparison: Comparison;
  readonly recordings: { readonly few: number; readonly many: number };
  readonly sandboxes: SandboxFigures;
  readonly costs: WorldCosts;
  readonly endurance: EnduranceFigures;
  /** Seconds; NaN if not measured. */
  readonly verify: number;
  /** How many requests a verdict needs, with everything and with `--quick`. */
  readonly requests: { readonly full: number; readonly quick: number };
  readonly har: HarFigures;
  readonly score: number;
}

const mock = 'platform-mock';

/** The servers compared. */
export function comparisonTable({ speeds, memory, memoryIdle, start }: Comparison): string {
  const head = ['', 'requests/s', 'p50 ms', 'p99 ms', 'ours is'];
  const parts = operationNames.map((operation) => {
    const { method, path } = requests[operation];
    const rows = serverNames.map((name) => {
      const { perSecond, p50, p99 } = speeds[name][operation];
      const ours = name === mock ? '' : `${short(ratio(speeds[mock][operation].perSecond, perSecond))}x`;
      return [name, short(perSecond), short(p50), short(p99), ours];
    });
    return `${method} ${path}\n${table([head, ...rows])}`;
  });
  const share = (name: ServerName, of: Readonly<Record<ServerName, number>>) =>
    name === mock ? '' : `${short(ratio(of[mock], of[name]))}x`;
  const rest = serverNames.map((name) => [
    name,
    short(start[name]),
    share(name, start),
    short(memoryIdle[name]),
    short(memory[name]),
    share(name, memory),
  ]);
  const restHead = ['', 'start ms', 'ours is', 'MiB at start', 'MiB after load', 'ours is'];
  return [...parts, table([restHead, ...rest])].join('\n\n');
}

/** The goals of DESIGN.md, part 8, that this run measures. */
export function goalsOf({
  comparison,
  recordings,
  sandboxes,
  costs,
  endurance,
  verify,
  requests,
  har,
  score,
}: Figures): Goal[] {
  const { speeds, memory, start } = comparison;
  const perOperation = operationNames.flatMap((operation): Goal[] => {
    const ours = speeds[mock][operation];
    const { Prism: prism, 'bare Express': express } = speeds;
    return [
      {
        name: `${operation}: requests/s of Prism's`,
        measured: ratio(ours.perSecond, prism[operation].perSecond),
        unit: 'x',
        atLeast: 3,
      },
      {
        name: `${operation}: requests/s of bare Express's`,
        measured: ratio(ours.perSecond, express[operation].perSecond),
        unit: 'x',
        atLeast: 1,
      },
      {
        name: `${operation}: p99 of Prism's`,
        measured: ratio(ours.p99, prism[operation].p99),
        unit: 'x',
        atMost: 0.33,
      },
    ];
  });
  const [at10, , at100] = endurance.memory;
  const goals: Goal[] = [
    ...perOperation,
    { name: "start of Prism's", measured: ratio(start[mock], start.Prism), unit: 'x', atMost: 0.5 },
    { name: 'start to first answer', measured: start[mock], unit: 'ms', atMost: 500 },
    { name: "memory under load of Prism's", measured: ratio(memory[mock], memory.Prism), unit: 'x', atMost: 0.6 },
    {
      name: '100,000 recordings: requests/s of that with 100',
      measured: ratio(recordings.many, recordings.few),
      unit: 'x',
      atLeast: 0.9,
    },
    { name: 'reset', measured: costs.reset, unit: 'ms', atMost: 1 },
    { name: 'snapshot', measured: costs.snapshot, unit: 'ms', atMost: 1 },
    { name: 'restore', measured: costs.restore, unit: 'ms', atMost: 1 },
    { name: 'new sandbox', measured: costs.sandbox, unit: 'ms', atMost: 1 },
    { name: `${sandboxes.sandboxes} sandboxes: memory each`, measured: sandboxes.memoryEach, unit: 'KiB', atMost: 100 },
    {
      name: `${endurance.requests.toLocaleString('en-US')} requests: memory at the end of that at 10 %`,
      measured: ratio(at100, at10),
      unit: 'x',
      atMost: 1.1,
    },
    { name: 'verify', measured: verify, unit: 's', atMost: 2 },
    { name: 'verify: requests', measured: requests.full, unit: 'requests', atMost: 150 },
    { name: 'verify --har: memory at most', measured: har.peakMemory, unit: 'MiB', atMost: 400 },
    { name: 'verify --quick: requests', measured: requests.quick, unit: 'requests', atMost: 60 },
  ];
  return Number.isNaN(score) ? goals : [...goals, { name: 'score', measured: score, unit: 's', atMost: 120 }];
}
