/** Which requests an armed fault is for. In texts, `*` matches anything. */
export interface RequestMatch {
  readonly method?: string;
  /** Without the prefix of a sandbox. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Members that the body must have; it may have more. */
  readonly body?: Readonly<Record<string, unknown>>;
}

export interface FaultArm {
  readonly id: string;
  /** The fault's parameters, such as `ms`. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** Only requests of that operation. */
  readonly operation?: string | undefined;
  readonly request?: RequestMatch | undefined;
  /** Only that many more hits. */
  readonly left?: number | undefined;
  /** Only every nth request that it could hit. */
  readonly every?: number | undefined;
  /** Share of the requests, from 0 to 1. */
  readonly probability: number;
}

/** The arms after one of them had an effect. */
export const afterHit = (arms: readonly FaultArm[], id: string): readonly FaultArm[] =>
  arms.flatMap((arm) => {
    if (arm.id !== id || arm.left === undefined) return [arm];
    return arm.left > 1 ? [{ ...arm, left: arm.left - 1 }] : [];
  });

/** The `at`th random number of a seed, in [0, 1) (mulberry32): reproducible on any machine. */
export function randomAt(seed: number, at: number): number {
  let mixed = (seed ^ Math.floor(seed / 2 ** 32) ^ Math.imul(at + 1, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
