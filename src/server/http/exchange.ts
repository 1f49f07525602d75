import { isDeepStrictEqual } from 'node:util';
import type { Request } from 'express';
import type { ApiError } from '../../core/operations/api-error.ts';
import type { Arrival, Behaviour } from '../../core/operations/behaviour.ts';
import type { Caller } from '../../core/operations/operation.ts';
import type { GapAnswers, GapId } from '../../core/spec/gaps.ts';
import type { JournalAnswer, JournalChange, Journalled, JournalRecord } from '../../core/world/journal.ts';
import type { StoreChange } from '../../core/world/store.ts';
import type { World } from '../../core/world/world.ts';
import type { Api, OperationPlan } from './compiled-api.ts';
import { asExpress } from './plain.ts';

/** One request and its answer, on their way through the pipeline. */
export class Exchange implements Journalled {
  /** Set once the operation is found. */
  plan: OperationPlan | undefined;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>> = {};
  caller: Caller | undefined;
  bearer: string | undefined;
  /** Why authentication failed; the validator passes on only a status. */
  authError: ApiError | undefined;
  /** `Prefer: code=…` decided the status. */
  forced = false;

  // For the journal.
  /** 0: the journal does not hold it. */
  number = 0;
  readonly startedAt = Date.now();
  readonly worldTime: number;
  milliseconds: number | undefined;
  isDropped = false;
  /** Parameters and body were found valid. */
  isValid = false;
  sentBytes: Buffer | undefined;
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
    /** What the client sent, without that prefix. */
    readonly arrival: Arrival,
    readonly rawHeaders: readonly string[],
  ) {
    this.worldTime = world.clock.now();
  }

  /** The answer in force to a gap; notes that it decided this response. */
  assume<Gap extends GapId>(gap: Gap): GapAnswers[Gap] {
    this.gaps.add(gap);
    return this.world.answers.get(gap);
  }

  /** Value of the header X-Mock-Basis. */
  get basis(): string {
    return this.gaps.size === 0 ? 'documented' : `assumed; gaps=${[...this.gaps].join(',')}`;
  }

  /** Notes the faults that hit since the last time. Right after they were asked, as requests go on side by side. */
  noteHits(): void {
    const hits = this.world.faultHits.take();
    if (hits.length > 0) this.faults = [...new Set([...this.faults, ...hits])];
  }

  /** Notes the answer as it goes out. */
  noteAnswer(status: number, headers: Readonly<Record<string, unknown>>, text?: string): void {
    this.answered = { status, headers };
    this.answeredText = text;
    this.end();
  }

  /** Notes that the connection was closed without a whole answer. */
  noteDrop(): void {
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
      rawHeaders: this.rawHeaders,
      isJson: this.isJson,
      answered,
      basis: String(answered?.headers['X-Mock-Basis'] ?? answered?.headers['x-mock-basis'] ?? this.basis),
      caller: caller && { user: caller.user.id, username: caller.user.username, via: caller.via },
      operation: plan?.id,
      isProtected: plan?.isProtected === true,
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
  for (const field in is) if (is[field] !== was[field] && !isDeepStrictEqual(is[field], was[field])) fields.push(field);
  for (const field in was) if (!(field in is)) fields.push(field);
  return { resource: table, id, change: 'updated', fields };
}

const key = Symbol('exchange');

interface Begun {
  [key]?: Exchange;
}

export const beginExchange = (request: Request, exchange: Exchange): void => {
  (request as Begun)[key] = exchange;
};

/** The exchange that a request belongs to. */
export function exchangeOf(request: Request): Exchange {
  const exchange = (request as Begun)[key];
  if (!exchange) throw new Error('This request went past the beginning of the pipeline.');
  return exchange;
}

/** The query, which Express would read anew each time, also where there is none. */
export function queryOf(request: Request): Request['query'] {
  if (!request.url.includes('?')) return {};
  asExpress(request);
  return request.query;
}

/** As exchangeOf, for errors that came before the exchange began. */
export const exchangeOrNone = (request: Request): Exchange | undefined => (request as Begun)[key];
