import { type JwtCodec, portableJwt } from '../jwt.ts';
import type { Answers } from '../profiles/answers.ts';
import { Clock } from './clock.ts';
import { type FaultArm, FaultHits, randomAt } from './fault-arms.ts';
import { Ids, signingKey } from './ids.ts';
import { type Beginning, beginningOf, type PlannedStatus, type WorldImage } from './image.ts';
import { Journal, JournalBudget } from './journal.ts';
import { RateCounter } from './rate-counter.ts';
import { rebased, stateOf, type WorldState } from './state.ts';
import { type SeedLayer, Store, type StoreChange } from './store.ts';

/** What a reset leaves as it is. */
export const keepable = ['clock', 'faults', 'profile'] as const;
export type Keepable = (typeof keepable)[number];

/** Told of what somebody who runs the mock should know. */
export type Log = (level: 'info' | 'error', message: string) => void;

/** What the worlds of one mock share, and what depends on where it runs. */
export interface WorldServices {
  readonly jwt: JwtCodec;
  readonly log: Log;
  /** Bounds what the journals of several worlds keep together. */
  readonly journalBudget: JournalBudget;
}

/** Services that run anywhere, and tell nobody. */
export const portableServices = (): WorldServices => ({
  jwt: portableJwt,
  log: () => {},
  journalBudget: new JournalBudget(),
});

/** Everything that one user of the mock sees. Knows no HTTP. */
export class World {
  readonly clock = new Clock();
  readonly store: Store;
  readonly rates = new RateCounter();
  readonly journal: Journal;
  /** How often each armed fault really changed something, by its id. */
  readonly faultHits = new FaultHits();
  /** Responses of ours that broke the resolved spec: bugs, each of them. */
  ownViolations = 0;
  ids: Ids;
  /** Key that signs this world's JWTs. */
  signingKey: string;
  /** How it began: what a reset takes it back to. */
  origin: WorldImage;
  /** Taken by name. */
  readonly snapshots = new Map<string, { readonly image: WorldImage; readonly takenAt: number }>();
  /** How many requests addressed it, and when the last one did, on the machine's clock. */
  uses = 0;
  usedAt = Date.now();
  private now: Pick<WorldImage, 'seed' | 'recordings' | 'answers' | 'seedLayer' | 'arms' | 'planned' | 'draws'>;
  private faultIds: readonly string[] = [];
  private readonly listeners = new Set<() => void>();
  private tracked: StoreChange[] | undefined;

  constructor(
    beginning: Beginning | WorldImage,
    readonly services: WorldServices = portableServices(),
  ) {
    this.origin = 'store' in beginning ? beginning : beginningOf(beginning);
    this.journal = new Journal(undefined, services.journalBudget);
    this.store = new Store(this.origin.seedLayer, (change) => {
      this.tracked?.push(change);
      this.touch();
    });
    const { seed } = this.origin;
    this.ids = new Ids(seed);
    this.signingKey = signingKey(seed);
    this.now = this.origin;
    this.restore(this.origin);
  }

  get seed(): number {
    return this.now.seed;
  }

  /** Recordings in all, where somebody said how many. */
  get recordings(): number | undefined {
    return this.now.recordings;
  }

  /** The answers in force. */
  get answers(): Answers {
    return this.now.answers;
  }

  /** The records that it starts from. */
  get seedLayer(): SeedLayer {
    return this.now.seedLayer;
  }

  /** The faults that are armed, and for which requests. */
  get arms(): readonly FaultArm[] {
    return this.now.arms;
  }

  /** Ids of the faults that are armed. */
  get faults(): readonly string[] {
    return this.faultIds;
  }

  /** Statuses that are still to come. */
  get planned(): readonly PlannedStatus[] {
    return this.now.planned;
  }

  /** Arms these faults, and no others. */
  arm(arms: readonly FaultArm[]): void {
    this.now = { ...this.now, arms };
    this.faultIds = arms.map(({ id }) => id);
    this.touch();
  }

  plan(planned: readonly PlannedStatus[]): void {
    this.now = { ...this.now, planned };
    this.touch();
  }

  /** The next random number of the seed, from 0 to below 1. */
  draw(): number {
    const { seed, draws } = this.now;
    this.now = { ...this.now, draws: draws + 1 };
    return randomAt(seed, draws);
  }

  /** Gives other answers from now on; what was changed stays changed, in the words of the new vocabularies. */
  answer(answers: Answers, seedLayer: SeedLayer): void {
    this.restore(rebased(this.image(), answers, seedLayer));
  }

  /** This world as it is now. O(1). */
  image(): WorldImage {
    return { ...this.now, store: this.store.image(), counters: this.ids.image(), clock: this.clock.setting };
  }

  /** Whether a new world with the same origin would be the same, but for the journal. O(1). */
  get isUnchanged(): boolean {
    const { now, origin, clock } = this;
    const isSame = (['seedLayer', 'answers', 'arms', 'planned', 'draws'] as const).every(
      (part) => now[part] === origin[part],
    );
    return (
      isSame &&
      this.snapshots.size === 0 &&
      this.ids.image() === origin.counters &&
      clock.setting.offset === origin.clock.offset &&
      clock.setting.frozenAt === origin.clock.frozenAt &&
      this.store.isAt(origin.store)
    );
  }

  /** Notes that a request addresses it. */
  use(): this {
    this.uses += 1;
    this.usedAt = Date.now();
    return this;
  }

  /** Replaces everything by what the image holds. O(1). The journal and the snapshots stay. */
  restore(image: WorldImage): void {
    const { seed, recordings, answers, seedLayer, arms, planned, draws } = image;
    this.now = { seed, recordings, answers, seedLayer, arms, planned, draws };
    this.faultIds = arms.map(({ id }) => id);
    this.store.restore(image.store, seedLayer);
    this.ids = new Ids(seed, image.counters);
    this.signingKey = signingKey(seed);
    this.clock.restore(image.clock);
    this.rates.reset();
    this.touch();
  }

  /** Begins anew as the image is: a reset comes back to it. Snapshots and journal are forgotten. */
  restart(image: WorldImage): void {
    this.origin = image;
    this.snapshots.clear();
    this.journal.clear();
    this.faultHits.clear();
    this.restore(image);
  }

  /** Back to the beginning, but for what is to be kept. */
  reset(keep: readonly Keepable[] = []): void {
    const { answers, seedLayer, arms } = this.now;
    const clock = this.clock.setting;
    this.restore({
      ...this.origin,
      ...(keep.includes('clock') && { clock }),
      ...(keep.includes('faults') && { arms }),
    });
    // An origin may hold changes of its own, in the words of its own answers.
    if (keep.includes('profile') && answers !== this.answers) this.answer(answers, seedLayer);
    if (!keep.includes('faults')) this.faultHits.clear();
  }

  /** Runs `work` and notes in `changes` what it changes in the store. */
  track<T>(changes: StoreChange[], work: () => T): T {
    this.tracked = changes;
    try {
      return work();
    } finally {
      this.tracked = undefined;
    }
  }

  /** Calls `listener` after every change of what a state file keeps. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** Says that something changed. */
  touch(): void {
    for (const listener of this.listeners) listener();
  }

  /** What a state file keeps of it. */
  toJSON(): WorldState {
    return stateOf(this.image());
  }
}
