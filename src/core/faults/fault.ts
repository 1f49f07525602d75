import type { Behaviour } from '../operations/behaviour.ts';
import { type Hooks, wrapWith } from './hooks.ts';

/** The families of faults, in the order of the catalogue. */
export const families = [
  'status and protocol',
  'response shape',
  'request handling',
  'state',
  'authentication and tokens',
  'collections',
  'time',
  'environment',
  'variation',
] as const;
export type Family = (typeof families)[number];

/** `line` is method and path: `GET /v1/…`. */
interface Request {
  readonly line: string;
  readonly json?: object;
}

/** A named, deliberate deviation of the mock. */
export interface Fault {
  readonly id: string;
  readonly family: Family;
  readonly description: string;
  /**
   * Ids of the violated requirements, the main one first. Empty for faults of the environment and for variations, which
   * violate none.
   */
  readonly requirements: readonly string[];
  /** What an administrator sends to see it, where the tests' usual requests do not show it. */
  readonly shownBy?: Request;
  /** Adds the fault to a behaviour. */
  readonly wrap: (behaviour: Behaviour) => Behaviour;
}

/** A fault as written in its family's file: id, violated requirements, description, hooks, and what shows it. */
export type FaultRow = readonly [
  id: string,
  requirements: readonly string[],
  description: string,
  hooks: Hooks,
  shownBy?: Request,
];

/** A fault that violates no requirement. */
export type ConformingRow = readonly [id: string, description: string, hooks: Hooks];

/** The faults of one family. */
export const family = (name: Family, rows: readonly FaultRow[]): readonly Fault[] =>
  rows.map(([id, requirements, description, hooks, shownBy]) => ({
    id,
    family: name,
    description,
    requirements,
    ...(shownBy !== undefined && { shownBy }),
    wrap: wrapWith(id, hooks),
  }));

/** The faults of a family that violates no requirement. */
export const conformingFamily = (name: Family, rows: readonly ConformingRow[]): readonly Fault[] =>
  family(
    name,
    rows.map(([id, ...rest]) => [id, [], ...rest]),
  );
