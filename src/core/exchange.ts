import isDeepEqual from 'fast-deep-equal';
import type { Api, OperationPlan } from './api.ts';
import type { ErrorOccasion } from './error-body.ts';
import { type MockRequest, pathOf } from './message.ts';
import type { ApiError } from './operations/api-error.ts';
import type { Arrival, Behaviour } from './operations/behaviour.ts';
import type { Caller } from './operations/operation.ts';
import { timestamp } from './operations/present.ts';
import type { GapAnswers, GapId } from './spec/gaps.ts';
import type { JournalAnswer, JournalChange, Journalled, JournalRecord } from './world/journal.ts';
import type { StoreChange } from './world/store.ts';
import type { World } from './world/world.ts';

/** One request and its answer, on their way through the steps of handle.ts. */
export class Exchange implements Journalled {
  /** What the service sees of the request: as it was sent, unless a fault changes it on the way. */
  received: Arrival;
  /** Set once the operation is found. */
  plan: OperationPlan | undefined;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>> = {};
  query: Readonly<Record<string, unknown>> = {};
  /** The body as JSON. */
  body: unknown;
  caller: Caller | undefined;
  /** The bearer token as it was sent, where the profile has the refresh token there. */
  bearer: string | undefined;
  /** `Prefer: code=…` decided the status. */
  forced = false;
  /** Headers that the answer gets, whatever it is. */
  readonly headers: Record<string, string> = {};

  // For the journal.
  /** 0: the journal does not hold it. */
  number = 0;
  readonly startedAt = Date.now();
  readonly worldTime: number;
  milliseconds: number | undefined;
  isDropped = false;
  /** Parameters and body were found valid. */
  isValid = false;
  sentBytes: Uint8Array | undefined;
  answeredText: string | undefined;
  /** The body was read as JSON. */
  isJson = false;
  answered: JournalAnswer | undefined;
  /** Why it was refused. */
  error: ApiError | undefined;
  faults: readonly string[] = [];
  readonly changes: StoreChange[] = [];
  private readonly began = performance.now();
  private readonly gaps = new Set<GapId>();

  constructor(
    readonly world: World,
    readonly api: Api,
    readonly behaviour: Behaviour,
    /** Path prefix of the sandbox, '' for the main world. */
    readonly prefix: string,
    readonly request: MockRequest,
    /** What the client sent, without that prefix. */
    readonly arrival: Arrival,
  ) {
    this.received = arrival;
    this.worldTime = world.clock.now();
  }

  /** The answer in force to a gap; records that it decided this response. */
  assume<Gap extends GapId>(gap: Gap): GapAnswers[Gap] {
    this.gaps.add(gap);
    return this.world.answers.get(gap);
  }

  /** What an error is the answer to. */
  get occasion(): ErrorOccasion {
    return {
      method: this.arrival.method,
      path: pathOf(this.arrival.url),
      time: timestamp(this.world.clock.nowIso(), this.world.answers),
      id: this.number.toString(16).padStart(32, '0'),
    };
  }

  /** Value of the header X-Mock-Basis. */
  get basis(): string {
    return this.gaps.size === 0 ? 'documented' : `assumed; gaps=${[...this.gaps].join(',')}`;
  }

  /** Records the faults that hit since the last time. Right after they were asked, as requests are handled concurrently. */
  recordHits(): void {
    const hits = this.world.faultHits.take();
    if (hits.length > 0) this.faults = [...new Set([...this.faults, ...hits])];
  }

  /** To be called by the door when the answer is out, with all its headers. */
  sent(status: number, headers: Readonly<Record<string, unknown>>, text?: string): void {
    this.answered = { status, headers };
    this.answeredText = text;
    this.end();
  }

  /** To be called by the door when the connection is closed without a whole answer. */
  dropped(): void {
    if (this.milliseconds !== undefined) return;
    this.isDropped = true;
    this.end();
  }

  /** What the journal keeps of it. */
  record(): JournalRecord {
    const { answered, caller, plan, error, arrival } = this;
    const answers = this.api.answers;
    return {
      number: this.number,
      startedAt: this.startedAt,
      worldTime: this.worldTime,
      milliseconds: this.milliseconds,
      isDropped: this.isDropped,
      method: arrival.method,
      url: this.prefix + arrival.url,
      rawHeaders: this.request.rawHeaders,
      isJson: this.isJson,
      answered,
      basis: String(answered?.headers['X-Mock-Basis'] ?? this.basis),
      caller: caller && { user: caller.user.id, username: caller.user.username, via: caller.via },
      operation: plan?.id,
      isProtected: plan?.security !== undefined,
      isValid: this.isValid,
      forced: this.forced,
      error: error && { kind: error.kind.kind, message: error.message },
      gaps: Array.from(this.gaps, (id) => ({ id, answer: answers.get(id) })),
      faults: this.faults,
      changes: this.changes.map(changeOf),
    };
  }

  private end(): void {
    this.milliseconds = performance.now() - this.began;
    if (this.number > 0) this.world.journal.end(this.number, this);
  }
}

function changeOf({ table, before, after }: StoreChange): JournalChange {
  const { id } = (after ?? before) as { id: string };
  if (!after) return { resource: table, id, change: 'deleted' };
  if (!before) return { resource: table, id, change: 'created' };
  const [was, is] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const fields: string[] = [];
  for (const field in is) if (is[field] !== was[field] && !isDeepEqual(is[field], was[field])) fields.push(field);
  for (const field in was) if (!(field in is)) fields.push(field);
  return { resource: table, id, change: 'updated', fields };
}
