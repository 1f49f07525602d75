/** How long the parts measure. */
export interface Effort {
  /** Samples of each figure, interleaved with those of the other servers. */
  readonly samples: number;
  /** Seconds of load for one sample. */
  readonly seconds: number;
  /** Starts of each server, and first calls. */
  readonly starts: number;
  /** Requests of the endurance part, in millions. */
  readonly millions: number;
  /** Whether the score is measured, which takes a minute. */
  readonly score: boolean;
}

/** `tiny` proves that everything runs; its figures mean nothing. */
export const efforts = {
  tiny: { samples: 1, seconds: 1, starts: 1, millions: 0.01, score: false },
  quick: { samples: 3, seconds: 1.5, starts: 5, millions: 0.1, score: false },
  full: { samples: 5, seconds: 3, starts: 7, millions: 1, score: true },
} as const satisfies Record<string, Effort>;
export type EffortName = keyof typeof efforts;

/** @throws Error with the names there are, if there is none of this name */
export function effortNamed(name: string): EffortName {
  if (Object.hasOwn(efforts, name)) return name as EffortName;
  throw new Error(`--effort ${name}: expected one of ${Object.keys(efforts).join(', ')}`);
}
