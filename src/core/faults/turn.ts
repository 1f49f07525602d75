import type { RequestContext } from '../operations/behaviour.ts';
import type { FaultArm } from '../world/state.ts';
import type { World } from '../world/world.ts';
import type { Fault, Hook, Steps } from './fault.ts';

/** A step of a request; an operation takes changes of its request. */
type Work<Made> = (changes?: object) => Made;

/** Runs a step with the faults of a request; the first one is applied first. */
export function withFaults<Step extends keyof Steps>(
  turns: readonly Turn[],
  step: Step,
  context: RequestContext,
  faithful: Work<Steps[Step]>,
): Steps[Step] {
  const work = turns.reduce((inner, turn) => {
    const hook = turn.fault[step] as Hook<Steps[Step]> | undefined;
    return hook ? turn.wrap(hook, context, inner) : inner;
  }, faithful);
  return work();
}

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

  /** The step with the fault; an error that the hook throws is an effect, unless the step threw it. */
  wrap<Made>(hook: Hook<Made>, context: RequestContext, inner: Work<Made>): Work<Made> {
    const { world, arm } = this;
    const isDue = (): boolean => this.isDue();
    const remember = <Memory>(create: () => Memory): Memory => world.remembered(arm.id, create);
    return (changes) => {
      // Each of many faults may ask for it twice: it would run 2 ** n times.
      const unchanged = once(() => inner(changes));
      let thrown: unknown;
      const run: Work<Made> = (more) => {
        try {
          return more ? inner({ ...changes, ...more }) : unchanged();
        } catch (error) {
          thrown = error;
          throw error;
        }
      };
      const request = { ...context.request, ...changes };
      let made: Made | undefined;
      try {
        made = hook({ ...context, request, run, isDue, remember, parameters: arm.parameters ?? {} });
      } catch (error) {
        if (error === thrown) throw error;
        if (!this.isDue()) return unchanged();
        this.hit();
        throw error;
      }
      if (made === undefined || !this.isDue()) return unchanged();
      this.hit();
      return made;
    };
  }

  private isDue(): boolean {
    if (this.isHit) return true;
    this.isChosen ??= this.choose();
    return this.isChosen && this.isLeft();
  }

  /** Notes an effect: counted once a request. */
  private hit(): void {
    if (this.isHit) return;
    this.isHit = true;
    const { world, arm } = this;
    world.countHit(arm.id);
    if (arm.left === undefined) return;
    const left = (one: FaultArm): FaultArm => (one.id === arm.id ? { ...one, left: (one.left ?? 0) - 1 } : one);
    world.set({ arms: world.arms.map(left).filter((one) => one.left === undefined || one.left > 0) });
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

function once<T>(work: () => T): () => T {
  let known: { readonly made: T } | { readonly error: unknown } | undefined;
  return () => {
    try {
      known ??= { made: work() };
    } catch (error) {
      known = { error };
    }
    if ('error' in known) throw known.error;
    return known.made;
  };
}
