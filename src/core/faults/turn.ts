import { afterHit, type FaultArm } from '../world/fault-arms.ts';
import type { World } from '../world/world.ts';
import type { Fault } from './fault.ts';

/** One armed fault at one request: whether it is due is decided where it could first act, and then holds for the request. */
export class Turn {
  isHit = false;
  private isChosen: boolean | undefined;

  /** @param reason why the request has it: it is armed for it, asked for by it, or only has to see it */
  constructor(
    private readonly world: World,
    readonly arm: FaultArm,
    readonly fault: Fault,
    private readonly reason: 'armed' | 'requested' | 'observing' = 'armed',
  ) {}

  isDue(): boolean {
    if (this.isHit) return true;
    this.isChosen ??= this.choose();
    return this.isChosen && this.isLeft();
  }

  /** Notes an effect: counted once a request. */
  hit(): void {
    if (this.isHit) return;
    this.isHit = true;
    const { world, arm } = this;
    world.countHit(arm.id);
    if (arm.left !== undefined) world.arm(afterHit(world.arms, arm.id));
  }

  private choose(): boolean {
    const { world, arm } = this;
    if (this.reason === 'observing') return false;
    if (arm.probability < 1 && world.draw() >= arm.probability) return false;
    const cadence = this.cadence();
    return cadence === undefined || cadence(world.nextTurn(arm.id));
  }

  /** The cadence that was asked for, or else the fault's own where nothing was. */
  private cadence(): ((at: number) => boolean) | undefined {
    const { every, operation, request, left, probability } = this.arm;
    if (every !== undefined) return (at) => at % every === 0;
    const isPlain = operation === undefined && request === undefined && left === undefined && probability >= 1;
    return isPlain && this.reason === 'armed' ? this.fault.cadence : undefined;
  }

  /** Other requests may have used up the hits since this one came in. */
  private isLeft(): boolean {
    const { world, arm } = this;
    return arm.left === undefined || world.arms.some(({ id, left = 0 }) => id === arm.id && left > 0);
  }
}
