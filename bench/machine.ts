import { cpus, totalmem } from 'node:os';
import { short } from './table.ts';

/** Where figures come from. */
export interface Machine {
  readonly node: string;
  readonly cpu: string;
  readonly cores: number;
  /** GiB. */
  readonly memory: number;
}

export const machine = (): Machine => ({
  node: process.version,
  cpu: cpus()[0]?.model ?? '',
  cores: cpus().length,
  memory: Math.round(totalmem() / 1024 ** 3),
});

/** The machine and how long it took, as one line. */
export function machineLine(seconds: number): string {
  const { cpu, cores, node } = machine();
  return `${cpu}, ${cores} cores, Node ${node}; ${short(seconds)} s`;
}
