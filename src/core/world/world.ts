import { LoadedRoutes } from '../custom-routes/loaded-routes.ts';
import type { RouteRule } from '../custom-routes/route.ts';
import { type JwtCodec, portableJwt } from '../jwt.ts';
import type { MockRequest } from '../message.ts';
import type { Answers } from '../profiles/answers.ts';
import { systemNow } from '../real-time.ts';
import type { components } from '../spec/control-types.ts';
import type { ApiDocument } from '../spec/document.ts';
import type { GapId } from '../spec/gaps.ts';
import type { Immutable } from '../spec/json.ts';
import { Clock } from './clock.ts';
import { Ids, signingKey } from './ids.ts';
import { Journal, JournalBudget } from './journal.ts';
import {
  type AdHocRoute,
  type FaultArm,
  type InitialWorld,
  initialImage,
  type PlannedStatus,
  type RoutesState,
  rebased,
  stateOf,
  type WorldImage,
  type WorldState,
} from './state.ts';
import { type SeedLayer, type Store, type StoreChange, Tables } from './store.ts';
import { type Keepable, type RateCount, RateCounter, type Rest, type WorldChange } from './world-change.ts';
import type { WorldStore } from './world-store.ts';

/** Logs a message for the operator of the mock. */
export type Log = (level: 'info' | 'error', message: string) => void;

/** Whether an independent validator accepts a request. It must agree with the compiled validators, which word the refusal. */
export type Judge = (
  document: ApiDocument,
  request: { readonly received: Pick<MockRequest, 'method' | 'url' | 'headers'>; readonly body: unknown },
) => Promise<boolean>;

/** Which requests go to the service behind the mock. */
export type Split = Immutable<components['schemas']['UpstreamSplit']>;

/** The service behind the mock, and which requests it gets: those that the mock does not know, unless the split says more. */
export interface Upstream {
  readonly url: string;
  /** Whether requests that may change something go there if it is on another machine. */
  readonly allowsWrites: boolean;
  split: Split;
}

/** Services shared by the worlds of one mock, and those that depend on the platform. */
export interface WorldServices {
  readonly jwt: JwtCodec;
  readonly log: Log;
  readonly judge?: Judge;
  readonly journalBudget: JournalBudget;
  readonly routes: LoadedRoutes;
  upstream?: Upstream;
  /** Keeps the worlds beyond this process. */
  store?: WorldStore;
  /** Why no requests should be sent here: the store is away, or the process ends; undefined otherwise. No secrets. */
  ready?: () => Promise<string | undefined>;
  /** Distinguishes this process from others that serve the same worlds: hexadecimal digits. */
  replica?: string;
  /** Milliseconds since 1970 where several machines serve the same worlds, whose clocks may differ. */
  now?: () => number;
  metrics?: ServiceMetrics;
  /** Sees each request of the API when its response is decided. */
  onAnswer?: ((exchange: Answered) => void) | undefined;
}

/** A request whose response is decided. */
export interface Answered {
  readonly operation: string | undefined;
  /** The gaps that affected the response, or would under another answer, and that no profile answers. */
  readonly assumptions: readonly GapId[];
}

/** Counters of one process. Each call is synchronous and cheap. */
export interface ServiceMetrics {
  storeRoundTrip(seconds: number, outcome: 'ok' | 'failed'): void;
  /** Another replica changed the world first: the requests ran again. */
  storeConflict(): void;
  /** All values in Prometheus' text format. */
  text(): Promise<{ readonly mediaType: string; readonly text: string }>;
}

export interface WorldCounts {
  readonly rates: readonly RateCount[];
  readonly faultHits: Readonly<Record<string, number>>;
  readonly faultTurns: Readonly<Record<string, number>>;
  readonly ownViolations: number;
  /** Memory of faults, as JSON. */
  readonly memories: string;
}

/** Services that run on any platform, without a log. */
export const portableServices = (): WorldServices => ({
  jwt: portableJwt,
  log: () => {},
  journalBudget: new JournalBudget(),
  routes: new LoadedRoutes(),
});

/** JSON has neither maps nor sets. */
const writeCollections = (_key: string, value: unknown): unknown =>
  value instanceof Map ? { $map: [...value] } : value instanceof Set ? { $set: [...value] } : value;

function readCollections(_key: string, value: unknown): unknown {
  const { $map, $set } = (value ?? {}) as { $map?: [unknown, unknown][]; $set?: unknown[] };
  return $map ? new Map($map) : $set ? new Set($set) : value;
}

/** The `at`th random number of a seed, in [0, 1) (mulberry32): reproducible on any machine. */
export function randomAt(seed: number, at: number): number {
  let mixed = (seed ^ Math.floor(seed / 2 ** 32) ^ Math.imul(at + 1, 0x6d2b79f5)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

/** The complete state that one user of the mock sees. Independent of HTTP. */
export class World {
  readonly clock = new Clock(
    () => this.realNow(),
    (clock) => this.edited({ rest: { clock } }),
  );
  readonly tables: Tables;
  readonly rates = new RateCounter((count) => this.touch(count));
  readonly journal: Journal;
  /** Requests on which each fault had an effect, by its id. */
  faultHits = new Map<string, number>();
  /** Number of requests that each fault could have hit, by its id, if it is armed for some only. */
  private faultTurns = new Map<string, number>();
  private memories = new Map<string, unknown>();
  /** Responses that violated the resolved spec, and other bugs of the mock. */
  ownViolations = 0;
  ids!: Ids;
  signingKey!: string;
  /** The image that a reset restores. */
  origin: WorldImage;
  readonly snapshots = new Map<string, { readonly image: WorldImage; readonly takenAt: number }>();
  /** Number of requests to it, and time of the last one on the machine's clock. */
  uses = 0;
  usedAt = Date.now();
  readonly seed!: number;
  /** Total recordings, if configured. */
  readonly recordings: number | undefined;
  readonly answers!: Answers;
  readonly seedLayer!: SeedLayer;
  /** The armed faults and the requests that they apply to. */
  readonly arms!: readonly FaultArm[];
  readonly planned!: readonly PlannedStatus[];
  private readonly draws!: number;
  /** The added custom routes, and how often each has answered. */
  readonly routes!: RoutesState;
  /** The present image, while nothing has changed since it was taken or restored. */
  private latest: WorldImage | undefined;
  private readonly listeners = new Set<(change: WorldChange) => void>();
  private isResetting = false;
  private tracked: StoreChange[] | undefined;

  constructor(
    start: InitialWorld | WorldImage,
    readonly services: WorldServices = portableServices(),
  ) {
    this.origin = 'store' in start ? start : initialImage(start);
    this.journal = new Journal(undefined, services.journalBudget);
    this.tables = new Tables(
      () => services.routes.set.tables,
      (change) => {
        this.tracked?.push(change);
        this.edited(change);
      },
    );
    this.restore(this.origin);
  }

  get store(): Store {
    return this.tables.store;
  }

  /** Whether it has custom routes. The code that serves them is loaded only then. */
  get hasRoutes(): boolean {
    return this.routes.adHoc.length > 0 || this.services.routes.set.routes.length > 0;
  }

  set(changed: Partial<Omit<Rest, 'clock'>>, change: WorldChange = { rest: changed }): void {
    Object.assign(this, changed);
    this.edited(change);
  }

  addRoute(rule: RouteRule): AdHocRoute {
    const { adHoc, made, served } = this.routes;
    const route = { id: `route-${made + 1}`, rule };
    this.set({ routes: { adHoc: [...adHoc, route], made: made + 1, served } }, { rule });
    return route;
  }

  /** Counts an answer of a custom route, or undoes that (-1); returns the count before. */
  countServed(key: string, times: 1 | -1 = 1): number {
    const { [key]: before = 0 } = this.routes.served;
    const served = { ...this.routes.served, [key]: before + times };
    this.set({ routes: { ...this.routes, served } }, { route: key, times });
    return before;
  }

  /** The number of a fault's next turn: 1, 2, 3, … */
  nextTurn(id: string): number {
    const turn = (this.faultTurns.get(id) ?? 0) + 1;
    this.faultTurns.set(id, turn);
    this.touch('counts');
    return turn;
  }

  /** Counts a fault's turns and hits from zero; without an id, the turns of all. */
  restartTurns(id?: string): void {
    if (id === undefined) this.faultTurns.clear();
    else {
      this.faultTurns.delete(id);
      this.faultHits.delete(id);
    }
    this.touch('counts');
  }

  countHit(id: string): void {
    this.faultHits.set(id, (this.faultHits.get(id) ?? 0) + 1);
    this.touch('counts');
  }

  /** A fault's memory under that key, to read and to write. */
  remembered<T>(name: string, create: () => T): T {
    const known = this.memories.get(name) ?? create();
    this.memories.set(name, known);
    this.touch('counts');
    return known as T;
  }

  countViolation(): void {
    this.ownViolations += 1;
    this.touch('counts');
  }

  get counts(): WorldCounts {
    const { rates, faultHits, faultTurns, ownViolations, memories } = this;
    return {
      rates: rates.image(),
      faultHits: Object.fromEntries(faultHits),
      faultTurns: Object.fromEntries(faultTurns),
      ownViolations,
      memories: memories.size === 0 ? '' : JSON.stringify([...memories], writeCollections),
    };
  }

  set counts({ rates, faultHits, faultTurns, ownViolations, memories }: WorldCounts) {
    this.rates.reset();
    for (const count of rates) this.rates.set(count);
    this.faultHits = new Map(Object.entries(faultHits));
    this.faultTurns = new Map(Object.entries(faultTurns));
    this.ownViolations = ownViolations;
    this.memories = new Map(memories === '' ? [] : JSON.parse(memories, readCollections));
  }

  /** The next random number of the seed, in [0, 1). */
  draw(): number {
    const { seed, draws } = this;
    this.set({ draws: draws + 1 });
    return randomAt(seed, draws);
  }

  /** Replaces the answers in force; changed records are kept and translated to the new vocabularies. */
  setAnswers(answers: Answers, seedLayer: SeedLayer): void {
    this.restore(rebased(this.image(), answers, seedLayer), { answers });
  }

  /** The current state. O(1). */
  image(): WorldImage {
    const { seed, recordings, answers, seedLayer, arms, planned, draws, routes, tables, ids, clock } = this;
    const own = { seed, recordings, answers, seedLayer, arms, planned, draws, routes };
    this.latest ??= { ...own, store: tables.image(), counters: ids.image(), clock: clock.setting };
    return this.latest;
  }

  /** Keeps the present state under a name. The latest snapshot is listed last. */
  takeSnapshot(name: string, takenAt = this.realNow()): void {
    this.snapshots.delete(name);
    this.snapshots.set(name, { image: this.image(), takenAt });
    this.touch({ taken: name, takenAt });
  }

  deleteSnapshot(name: string): void {
    this.snapshots.delete(name);
    this.touch({ dropped: name });
  }

  /** Number of records that differ from the initial ones. */
  get changeCount(): number {
    return this.tables.changeCount;
  }

  /** Whether a new world with the same origin would be equal, except for the journal. */
  get isUnchanged(): boolean {
    return this.latest === this.origin && this.snapshots.size === 0;
  }

  /** Records that a request addresses it. */
  use(): this {
    this.uses += 1;
    this.usedAt = Date.now();
    return this;
  }

  /** Replaces the state by an image. O(1). Journal and snapshots are kept. `change`: what leads to it, if that is not new. */
  restore(image: WorldImage, change: WorldChange = 'whole'): void {
    const { seed, recordings, answers, seedLayer, arms, planned, draws, routes } = image;
    Object.assign(this, { seed, recordings, answers, seedLayer, arms, planned, draws, routes });
    this.tables.restore(image.store, seedLayer);
    this.ids = new Ids(seed, image.counters, this.counted);
    this.signingKey = signingKey(seed);
    this.clock.setting = image.clock;
    this.rates.reset();
    this.faultTurns.clear();
    this.memories.clear();
    this.latest = image;
    this.touch(change);
  }

  /** Restores an image as the new origin, and clears snapshots and journal. */
  restart(image: WorldImage): void {
    this.origin = image;
    this.snapshots.clear();
    this.journal.clear();
    this.faultHits.clear();
    this.restore(image);
  }

  /** Restores the origin, except what `keep` names. */
  reset(keep: readonly Keepable[] = []): void {
    const { answers, seedLayer, arms } = this;
    const clock = this.clock.setting;
    const kept = { ...(keep.includes('clock') && { clock }), ...(keep.includes('faults') && { arms }) };
    this.isResetting = true;
    try {
      this.restore(keep.length === 0 ? this.origin : { ...this.origin, ...kept });
      // The origin's changed records must be translated to the kept vocabularies.
      if (keep.includes('profile') && answers !== this.answers) this.setAnswers(answers, seedLayer);
      if (!keep.includes('faults')) this.faultHits.clear();
    } finally {
      this.isResetting = false;
    }
    this.touch({ reset: keep });
  }

  /** Runs `work` and appends its changes of the store to `changes`. */
  track<T>(changes: StoreChange[], work: () => T): T {
    this.tracked = changes;
    try {
      return work();
    } finally {
      this.tracked = undefined;
    }
  }

  onChange(listener: (change: WorldChange) => void): void {
    this.listeners.add(listener);
  }

  /** Of what an image holds. */
  private edited(change: WorldChange): void {
    this.latest = undefined;
    this.touch(change);
  }

  private touch(change: WorldChange): void {
    if (!this.isResetting) for (const listener of this.listeners) listener(change);
  }

  private readonly counted = (counter: string, count: number): void => this.edited({ counter, count });

  /** Where several machines serve this world, their common time. */
  private readonly realNow = (): number => this.services.now?.() ?? systemNow();

  toJSON(): WorldState {
    return stateOf(this.image());
  }
}
