import type { Answers } from '../profiles/answers.ts';
import { Clock } from './clock.ts';
import { Ids, signingKey } from './ids.ts';
import { RateCounter } from './rate-counter.ts';
import type { Recording, Tenant, User } from './records.ts';
import { type SeedLayer, Store, type StoreChanges } from './store.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly answers: Answers;
  readonly seedLayer: SeedLayer;
  readonly clock?: Clock;
  /** Ids of the faults that are armed. */
  readonly faults?: readonly string[];
}

/** What a state file keeps of a world. */
export interface WorldState {
  readonly seed: number;
  readonly counters: Readonly<Record<string, number>>;
  readonly changes: Partial<StoreChanges>;
}

/** Everything that one user of the mock sees. Knows no HTTP. */
export class World {
  readonly seed: number;
  readonly clock: Clock;
  readonly store: Store;
  readonly rates = new RateCounter();
  /** Key that signs this world's JWTs. */
  readonly signingKey: string;
  readonly faults: readonly string[];
  /** Responses of ours that broke the resolved spec: bugs, each of them. */
  ownViolations = 0;
  ids: Ids;
  /** How often each armed fault really changed something, by its id. */
  readonly faultHits = new Map<string, number>();
  private readonly listeners = new Set<() => void>();

  constructor(private options: WorldOptions) {
    this.seed = options.seed;
    this.clock = options.clock ?? new Clock();
    this.faults = options.faults ?? [];
    this.signingKey = signingKey(options.seed);
    this.ids = new Ids(options.seed);
    this.store = new Store(options.seedLayer, () => this.changed());
  }

  /** The answers in force. */
  get answers(): Answers {
    return this.options.answers;
  }

  /** Goes on with other answers and seed records; what was changed stays changed. */
  adopt({ answers, seedLayer }: Pick<WorldOptions, 'answers' | 'seedLayer'>): void {
    this.options = { ...this.options, answers, seedLayer };
    this.store.rebase(seedLayer);
  }

  /** A world of its own with the same beginnings. */
  fresh(): World {
    return new World({ ...this.options, clock: new Clock() });
  }

  /** Back to the seed: records, ids and rate counts; the clock stays. */
  reset(): void {
    this.store.reset();
    this.ids = new Ids(this.seed);
    this.rates.reset();
    this.changed();
  }

  /** Calls `listener` after every change of the records. */
  onChange(listener: () => void): void {
    this.listeners.add(listener);
  }

  toJSON(): WorldState {
    return { seed: this.seed, counters: this.ids.toJSON(), changes: this.store.toJSON() };
  }

  /** Takes up what toJSON gave. */
  restore(state: WorldState): void {
    this.store.restore(state.changes);
    this.ids = new Ids(this.seed, state.counters);
  }

  private changed(): void {
    for (const listener of this.listeners) listener();
  }
}

/** Who acts and what is there, for /_mock/target and for people: chosen by the order of the fixtures. */
export interface Personas {
  readonly admin?: User;
  readonly member?: User;
  readonly others: readonly User[];
  /** A completed recording that admin owns. */
  readonly recording?: Recording;
  readonly otherTenant?: Tenant;
}

/** The first confirmed administrator, a member beside it, and what they may touch. */
export function personasOf({ store }: World): Personas {
  const users = [...store.users.all()];
  const admin = users.find((user) => user.administrator && user.confirmed);
  const member = users.find((user) => !user.administrator && user.confirmed && user.tenant === admin?.tenant);
  const owned = admin ? store.recordings.lookup('user', admin.id) : [];
  const recording = owned.find((candidate) => candidate.status === 'completed') ?? owned[0];
  const otherTenant = [...store.tenants.all()].find((tenant) => tenant.id !== admin?.tenant);
  return {
    ...(admin && { admin }),
    ...(member && { member }),
    others: users.filter((user) => user !== admin && user !== member),
    ...(recording && { recording }),
    ...(otherTenant && { otherTenant }),
  };
}
