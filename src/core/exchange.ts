import { acceptedBy } from '../../contract-tests/values/accept.ts';
import { asText, hasMember, isEqual, memberOf } from '../../contract-tests/values/json.ts';
import type { Api, OperationPlan } from './api.ts';
import type { Route, RouteRequest } from './custom-routes/route.ts';
import { bodyGaps, type ErrorContent, type ErrorOccasion, errorForOthers, renderError } from './error-body.ts';
import type { Steps } from './faults/fault.ts';
import { type Turn, withFaults } from './faults/turn.ts';
import { countOf, type Delivery, headerOf, type MockRequest, pathOf, type ReadBody } from './message.ts';
import { ApiError, apiError } from './operations/api-error.ts';
import type { Answer, Arrival } from './operations/behaviour.ts';
import type { Caller } from './operations/caller.ts';
import type { OperationRequest } from './operations/operation.ts';
import { authenticate } from './operations/tokens.ts';
import { systemNow } from './real-time.ts';
import type { OperationId } from './spec/document.ts';
import type { GapAnswers, GapId } from './spec/gaps.ts';
import type { JournalAnswer, JournalChange, Journalled, JournalOutline } from './world/journal.ts';
import { plainName, type StoreChange } from './world/store.ts';
import type { World } from './world/world.ts';

/** One request and its response while handle.ts processes them. */
export class Exchange implements Journalled {
  /** The request as the service sees it: as sent, unless a fault changed it. */
  received: Arrival;
  plan: OperationPlan | undefined;
  /** Set once a custom route takes the request. */
  route: Route | undefined;
  /** The request as custom routes see it, once one was tried. */
  routeRequest: RouteRequest | undefined;
  /** For a request that no custom route took: the methods at its path, and how the nearest route differs. */
  unmatched: { readonly methods: readonly string[]; readonly nearest: () => string } | undefined;
  failure: string | undefined;
  /** The body, once read; reading it again is impossible. */
  readBody: ReadBody | undefined;
  /** Path parameters, decoded. */
  params: Readonly<Record<string, string>> = {};
  query: Readonly<Record<string, unknown>> = {};
  /** Equal parameters were valid before. */
  hasValidParameters = false;
  body: unknown;
  caller: Caller | undefined;
  /** The bearer token as sent, for profiles that send the refresh token there. */
  bearer: string | undefined;
  /** The status was chosen by `Prefer: code=…`. */
  forced = false;
  /** Delay of the response in milliseconds, from `Prefer: wait=…` or a custom route. */
  waitMs = 0;
  readonly headers: Record<string, string> = {};

  // For the journal.
  /** 0: not in the journal. */
  number = 0;
  /** When the request arrived. */
  readonly startedAt: number;
  readonly worldTime: number;
  milliseconds: number | undefined;
  isDropped = false;
  isValid = false;
  sentBytes: Uint8Array | undefined;
  answeredText: string | undefined;
  isJson = false;
  answered: JournalAnswer | undefined;
  error: ApiError | undefined;
  readonly changes: StoreChange[] = [];
  private readonly started: number;
  private readonly gaps = new Set<GapId>();
  /** Gaps whose default answer, which is in force, has no visible effect. */
  private readonly silent = new Set<GapId>();

  constructor(
    readonly world: World,
    readonly api: Api,
    /** Path prefix of the sandbox, '' for the main world. */
    readonly prefix: string,
    readonly request: MockRequest,
    /** What the client sent, without that prefix. */
    readonly arrival: Arrival,
    private readonly turns: readonly Turn[] = [],
  ) {
    const { waitedMs = 0 } = request;
    this.started = performance.now() - waitedMs;
    this.startedAt = systemNow() - waitedMs;
    this.received = arrival;
    this.worldTime = world.clock.now();
  }

  /** What a step made, as the faults of this request change it. */
  changed<Step extends keyof Steps>(step: Step, made: Steps[Step]): Steps[Step] {
    return this.turns.length === 0 ? made : this.step(step, () => made);
  }

  /** Runs a step of the service with the faults of this request. */
  step<Step extends keyof Steps>(step: Step, faithful: (changes?: object) => Steps[Step]): Steps[Step] {
    if (this.turns.length === 0) return faithful();
    const { world, received, plan, params, query, caller, body } = this;
    const request = { params, query, caller, body };
    const context = { world, arrival: received, operation: plan?.id, occasion: () => this.occasion, request };
    return withFaults(this.turns, step, context, faithful);
  }

  /** The answer in force to a gap; records that it affected this response. */
  assume<Gap extends GapId>(gap: Gap): GapAnswers[Gap] {
    this.gaps.add(gap);
    return this.world.answers.get(gap);
  }

  /** Records gaps that affect this response visibly only under other answers than the default. */
  leanOn(...gaps: readonly GapId[]): void {
    for (const gap of gaps) (this.world.answers.isDefault(gap) ? this.silent : this.gaps).add(gap);
  }

  /** Answers with an error; records the gaps that decide its body. */
  refuse(content: ErrorContent, headers: Answer['headers'] = {}): Answer {
    const { world, occasion } = this;
    const accepted = acceptedBy(headerOf(this.received.headers, 'accept'));
    if (accepted !== 'json') {
      this.leanOn('error-accept');
      const other = errorForOthers(content, accepted, world.answers);
      if (other) return { ...other, headers: { ...headers, ...other.headers } };
    }
    for (const gap of bodyGaps(content, world.answers, occasion.operation)) this.assume(gap);
    return { status: content.status, headers, ...renderError(content, world, occasion) };
  }

  get occasion(): ErrorOccasion {
    // Processes that serve the same world each have their own count.
    const { replica = '' } = this.world.services;
    return {
      method: this.arrival.method,
      path: pathOf(this.arrival.url),
      id: replica + this.number.toString(16).padStart(32 - replica.length, '0'),
      operation: this.operation,
    };
  }

  /** The operation that the request is for, even if a fault or a route answers it. */
  get operation(): OperationId | undefined {
    const { plan, api, arrival } = this;
    return (plan ?? api.operationAt(arrival.method, pathOf(arrival.url)))?.id;
  }

  refuseRepeatedCredentials(): void {
    if (countOf(this.request.rawHeaders, 'authorization') > 1)
      throw apiError(this.world.answers, 'invalid-credentials', 'The header Authorization was sent more than once.');
  }

  /** Identifies the caller by its bearer token (part 5). */
  identify(): void {
    this.refuseRepeatedCredentials();
    this.caller = this.step('authenticate', () => this.authenticated(this.received, (gap) => this.assume(gap)));
  }

  private authenticated({ headers }: Arrival, assume: OperationRequest['assume']): Caller {
    return authenticate(this.world, headerOf(headers, 'authorization'), assume);
  }

  /** Identifies the caller of a request that its operation does not answer; its token may be any. */
  noteCaller(): void {
    try {
      this.caller ??= this.authenticated(this.arrival, (gap) => this.world.answers.get(gap));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  get basis(): string {
    if (this.route) return 'yours';
    return this.gaps.size === 0 ? 'documented' : `assumed; gaps=${[...this.gaps].join(',')}`;
  }

  /** The gaps that affected this response, or would under another answer, and that no profile answers. */
  get assumptions(): GapId[] {
    return [...this.gaps, ...this.silent].filter((id) => this.world.answers.originOf(id) === 'default');
  }

  get isFaulty(): boolean {
    return this.turns.some(({ isHit }) => isHit);
  }

  get faults(): readonly string[] {
    return this.turns.filter(({ isHit }) => isHit).map(({ arm }) => arm.id);
  }

  /** Called by the door once the response is sent, with all its headers. */
  sent(status: number, headers: Readonly<Record<string, unknown>>, text?: string): void {
    this.answered = { status, headers };
    this.answeredText = text;
    this.end();
  }

  /** Called by the door if the connection closes before the whole response is sent. */
  dropped(): void {
    if (this.milliseconds !== undefined) return;
    this.isDropped = true;
    this.end();
  }

  outline(): JournalOutline {
    const { answered, caller, plan, route, error, failure, arrival } = this;
    const answers = this.api.answers;
    return {
      isDropped: this.isDropped,
      method: arrival.method,
      url: this.prefix + arrival.url,
      rawHeaders: this.request.rawHeaders,
      isJson: this.isJson,
      answered,
      basis: asText(answered?.headers['X-Mock-Basis'] ?? this.basis),
      caller: caller && { user: caller.user.id, username: caller.user.username, via: caller.via },
      operation: this.operation,
      route: route?.source,
      isProtected: plan?.security !== undefined || (route !== undefined && route.auth !== 'none'),
      isValid: this.isValid,
      forced: this.forced,
      error:
        failure === undefined
          ? error && { kind: error.kind.kind, message: error.message }
          : { kind: 'internal', message: failure },
      gaps: Array.from(this.gaps, (id) => ({ id, answer: answers.get(id) })),
      faults: this.faults,
      changes: this.changes.map(changeOf),
    };
  }

  private end(): void {
    this.milliseconds = performance.now() - this.started;
    if (this.number > 0) this.world.journal.end(this.number, this);
  }
}

/** The response to a request. The door that sends it then calls `exchange.sent()` or `exchange.dropped()`. */
export interface Outgoing {
  readonly delivery: Delivery;
  readonly exchange?: Exchange;
}

function changeOf({ table, id, before, record }: StoreChange): JournalChange {
  const resource = plainName(table);
  if (!record) return { resource, id, change: 'deleted' };
  if (!before) return { resource, id, change: 'created' };
  const [old, current] = [before as Record<string, unknown>, record as Record<string, unknown>];
  const fields: string[] = [];
  for (const field in current) if (!isEqual(memberOf(current, field), memberOf(old, field))) fields.push(field);
  for (const field in old) if (!hasMember(current, field)) fields.push(field);
  return { resource, id, change: 'updated', fields };
}
