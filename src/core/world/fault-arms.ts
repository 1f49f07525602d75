import type { World } from './world.ts';

/** An armed fault and the requests that it applies to. */
export interface FaultArm {
  readonly id: string;
  /** Only requests of that operation. */
  readonly operation?: string | undefined;
  /** Only that many more requests. */
  readonly left?: number | undefined;
  /** Share of the requests, from 0 to 1. */
  readonly probability: number;
}

/** Counts how often each fault of a world had an effect; collects the latest ones. */
export class FaultHits extends Map<string, number> {
  private recent: string[] = [];

  override set(id: string, count: number): this {
    this.recent.push(id);
    return super.set(id, count);
  }

  /** Ids of the faults that had an effect since the last call. */
  take(): readonly string[] {
    if (this.recent.length === 0) return nothing;
    const taken = this.recent;
    this.recent = [];
    return taken;
  }
}

const nothing: readonly string[] = [];

/**
 * The armed faults that apply to a request. Decrements counts, and draws for probabilities.
 * @param operationOf returns the request's operation; called only if a fault is limited to one
 */
export function armedFaults(world: World, operationOf: () => string | undefined): readonly string[] {
  if (world.arms.length === 0) return nothing;
  if (world.arms.every(isUnconditional)) return world.faults;
  const operation = world.arms.some((arm) => arm.operation !== undefined) ? operationOf() : undefined;
  const applied = world.arms.filter(
    (arm) =>
      (arm.operation === undefined || arm.operation === operation) &&
      (arm.probability >= 1 || world.draw() < arm.probability),
  );
  if (applied.some((arm) => arm.left !== undefined)) world.arm(world.arms.flatMap((arm) => decremented(arm, applied)));
  return applied.map((arm) => arm.id);
}

const isUnconditional = ({ operation, left, probability }: FaultArm): boolean =>
  operation === undefined && left === undefined && probability >= 1;

function decremented(arm: FaultArm, applied: readonly FaultArm[]): FaultArm[] {
  if (arm.left === undefined || !applied.includes(arm)) return [arm];
  return arm.left > 1 ? [{ ...arm, left: arm.left - 1 }] : [];
}

/** The `at`th random number of a seed, in [0, 1) (mulberry32): reproducible on any machine. */
export function randomAt(seed: number, at: number): number {
  let mixed = (seed ^ Math.floor(seed / 2 ** 32) ^ Math.imul(at + 1, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
