import type { Behaviour } from '../operations/behaviour.ts';
import { type Hooks, wrapWith } from './hooks.ts';

/** What a fault concerns, in the order in which the catalogue lists them. */
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
   * Ids of the requirements that it breaks, the main one first. None: it breaks only an assumption or the environment,
   * or nothing at all (variation).
   */
  readonly requirements: readonly string[];
  /** What an administrator sends to see it, where the tests' usual requests do not show it. */
  readonly shownBy?: Request;
  /** The behaviour with this fault in it. */
  readonly wrap: (behaviour: Behaviour) => Behaviour;
}

/** A fault as a family's file writes it down: id, the requirements that it breaks, what it does, how, and what shows it. */
export type FaultLine = readonly [
  id: string,
  requirements: readonly string[],
  description: string,
  hooks: Hooks,
  shownBy?: Request,
];

/** The faults of one family. */
export const family = (name: Family, lines: readonly FaultLine[]): readonly Fault[] =>
  lines.map(([id, requirements, description, hooks, shownBy]) => ({
    id,
    family: name,
    description,
    requirements,
    ...(shownBy !== undefined && { shownBy }),
    wrap: wrapWith(id, hooks),
  }));
