import type { Hooks, Traits } from './hooks.ts';

export const families = [
  'environment',
  'status and protocol',
  'response shape',
  'request handling',
  'state',
  'authentication and tokens',
  'collections',
  'time',
  'variation',
] as const;
export type Family = (typeof families)[number];

/** Parameters as they were given, valid by spec/control.yaml. */
export type Parameters = Readonly<Record<string, unknown>>;

export interface Fault extends Traits {
  readonly id: string;
  readonly family: Family;
  readonly description: string;
  /** Ids of the violated requirements, the main one first; none for faults of the environment and variations. */
  readonly requirements: readonly string[];
  /** Names of its parameters, which are described in spec/control.yaml (FaultTerms). */
  readonly parameters: readonly string[];
  /** What it changes, by the values of its parameters; each has a default. */
  readonly hooks: (parameters: Parameters) => Hooks;
}

/** Faults as their files write them: `id REQUIREMENT …: Description.`, with the main requirement first, and the change. */
export type Rows<Change = Hooks> = Readonly<Record<string, Change>>;

type WithParameters = Pick<Fault, 'parameters' | 'hooks'>;

/** Rows whose changes are all of one kind. */
export const each = <Change>(hooksOf: (change: Change) => Hooks, rows: Rows<Change>): Rows =>
  Object.fromEntries(Object.entries(rows).map(([heading, change]) => [heading, hooksOf(change)]));

/** The faults of one family. */
export const family = (name: Family, rows: Rows<Hooks | WithParameters>): readonly Fault[] =>
  Object.entries(rows).map(([heading, row]) => {
    const [, id = '', requirements = '', description = ''] = /^(\S+)((?: [A-Z]+-\d+)*): (.+)$/.exec(heading) ?? [];
    const { parameters, hooks } = 'parameters' in row ? row : { parameters: [], hooks: () => row };
    const { cadence, preflights, observes, shownBy } = hooks({});
    const told = { id, family: name, description, requirements: requirements.split(' ').slice(1) };
    return { ...told, parameters, hooks, cadence, preflights, observes, shownBy };
  });
