import type { World } from './world.ts';

/** A fault that is armed in a world, and for which requests. */
export interface FaultArm {
  readonly id: string;
  /** Only for requests of that operation. */
  readonly operation?: string | undefined;
  /** Only for so many requests from now on. */
  readonly left?: number | undefined;
  /** How many of the requests it meets, from 0 to 1. */
  readonly probability: number;
}

/** Counts, in each world, how often a fault really changed something; remembers which ones just did. */
export class FaultHits extends Map<string, number> {
  private recent: string[] = [];

  override set(id: string, count: number): this {
    this.recent.push(id);
    return super.set(id, count);
  }

  /** Ids of the faults that hit since the last call. */
  take(): readonly string[] {
    if (this.recent.length === 0) return nothing;
    const taken = this.recent;
    this.recent = [];
    return taken;
  }
}

const nothing: readonly string[] = [];

/**
 * Which of the armed faults apply to a request. Counts them down, and draws where chance decides.
 * @param operationOf tells the request's operation; asked only where an arm is for one operation
 */
export function armedFaults(world: World, operationOf: () => string | undefined): readonly string[] {
  if (world.arms.length === 0) return nothing;
  if (world.arms.every(isPlain)) return world.faults;
  const operation = world.arms.some((arm) => arm.operation !== undefined) ? operationOf() : undefined;
  const met = world.arms.filter(
    (arm) =>
      (arm.operation === undefined || arm.operation === operation) &&
      (arm.probability >= 1 || world.draw() < arm.probability),
  );
  if (met.some((arm) => arm.left !== undefined)) world.arm(world.arms.flatMap((arm) => countedDown(arm, met)));
  return met.map((arm) => arm.id);
}

const isPlain = ({ operation, left, probability }: FaultArm): boolean =>
  operation === undefined && left === undefined && probability >= 1;

function countedDown(arm: FaultArm, met: readonly FaultArm[]): FaultArm[] {
  if (arm.left === undefined || !met.includes(arm)) return [arm];
  return arm.left > 1 ? [{ ...arm, left: arm.left - 1 }] : [];
}

/** The `at`th random number of a seed, from 0 to below 1 (mulberry32): the same for the same world, whatever the machine. */
export function randomAt(seed: number, at: number): number {
  let mixed = (seed ^ Math.floor(seed / 2 ** 32) ^ Math.imul(at + 1, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
