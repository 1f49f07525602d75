import type { Behaviour } from '../operations/behaviour.ts';
import { type Hooks, withHooks } from './hooks.ts';
import type { Turn } from './turn.ts';

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
  /** Names of its parameters, which are described in spec/control.yaml (FaultTerms). */
  readonly parameters: readonly string[];
  /** Which of the requests that it could hit it does hit, by number, where it is armed without conditions. Default: all. */
  readonly cadence: ((at: number) => boolean) | undefined;
  /** Browsers' preflights meet it, too. */
  readonly preflights: boolean;
  /** It has to see requests that it is not armed for, too. */
  readonly observes: boolean;
  /** Adds the fault to the behaviour at one request. */
  readonly wrap: (behaviour: Behaviour, turn: Turn) => Behaviour;
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
    parameters: [],
    cadence: hooks.cadence,
    preflights: hooks.preflights ?? false,
    observes: hooks.observes ?? false,
    wrap: (behaviour, turn) => withHooks(behaviour, hooks, turn),
  }));

/** The faults of a family that violates no requirement. */
export const conformingFamily = (name: Family, rows: readonly ConformingRow[]): readonly Fault[] =>
  family(
    name,
    rows.map(([id, ...rest]) => [id, [], ...rest]),
  );

/** Parameters as they were given, valid by spec/control.yaml. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A fault with parameters: id, description, names of the parameters, and the hooks that they make. */
export type ParameterRow = readonly [
  id: string,
  description: string,
  parameters: readonly string[],
  hooks: (parameters: Parameters) => Hooks,
];

/** Faults with parameters: all have defaults. They violate no requirement. */
export const parameterFamily = (name: Family, rows: readonly ParameterRow[]): readonly Fault[] =>
  rows.map(([id, description, parameters, hooks]) => ({
    id,
    family: name,
    description,
    requirements: [],
    parameters,
    cadence: undefined,
    preflights: hooks({}).preflights ?? false,
    observes: false,
    wrap: (behaviour, turn) => withHooks(behaviour, hooks(turn.arm.parameters ?? {}), turn),
  }));
