import { randomBytes } from 'node:crypto';
import { type ActorCredentials, namedActors } from '../api/named-actors.ts';
import { recordingPath } from '../api/operations.ts';
import { type Asked, type Entry, isOk } from '../log/entry.ts';
import { areClaimsOf, LogBuilder } from '../log/log.ts';
import type { Actor, Exchange, RecordedRequest } from '../model.ts';
import type { Model } from '../plan/model.ts';
import { Secrets } from '../secrets/secrets.ts';
import { gapOf } from '../spec-data.ts';
import type { Answer } from '../values/answer.ts';
import { memberOf } from '../values/json.ts';
import { Client } from '../wire/client.ts';
import type { Carried, ClientRequest } from '../wire/exchange.ts';
import { Pace } from '../wire/pace.ts';
import { now } from '../wire/time.ts';
import { CREATE_PAT, readOnly, requestKey, SIGN_INS, type WritePolicy } from '../wire/write-guard.ts';
import { assumedIn, candidatePaths } from './gap-answers.ts';
import type { Target } from './target-file.ts';

export interface SessionConfig {
  target: Target;
  /** Answers to gaps that a profile gives; all others are assumed. */
  answers: Record<string, unknown>;
  allowWrites: boolean;
  probing?: boolean;
  /** Whether each gap is observed twice, and not only one whose answer is not the assumed one, to learn from it. */
  learns?: boolean;
  /** Maximum requests under way at once; default DEFAULT_CONCURRENCY, and 1 with a limit of requests a second. */
  concurrency?: number;
  /** Seconds to wait for a short-lived access token to expire; default 5. */
  wait?: number;
  /** Whether each requirement is tested in few conditions only, without waiting or guessing (`--quick`). */
  quick?: boolean;
  /** Maximum requests of the run, probes not counted; by default as many as the model takes, about 200. */
  requests?: number;
  model?: Model;
  /** Whether leftovers are listed without values. */
  withoutBodies?: boolean;
  seed?: number;
  explore?: number;
  /** Runs what the target file wants at the end; gives what it leaves behind. */
  tearDown?: () => Promise<string[]>;
  /** That of the requests before the session: a run has one budget of waits. */
  pace?: Pace;
}

/** What every part of a session shares: the way to the target, the target file, and the credentials seen so far. */
export abstract class Connection {
  /** The target file: its resources change where the run goes on at another recording. */
  target: Target;
  /** Names this run among others at the same target: in the name of its PAT, and in the titles that it writes. */
  readonly mark = randomBytes(4).toString('hex');
  readonly secrets: Secrets;
  /** What stays at the target, a sentence each, as far as the log does not show it. */
  readonly told = new Set<string>();
  readonly policy: WritePolicy;
  /** Every attempt, retries and redirects included. */
  readonly sent: RecordedRequest[] = [];
  /** The statuses of those that are sent again because of what they met on the way. */
  readonly trouble: string[] = [];
  /** Why requests that must succeed got no answer: method, URL and error. */
  readonly unanswered: string[] = [];
  /** The exchanges so far, in the order in which they were answered, but for trouble on the way: rules do not judge that. */
  readonly builder: LogBuilder;
  /** For what a request is sent that does not say so itself. */
  askedFor: (request: ClientRequest) => Asked = () => ({ for: 'set-up', odd: [] });
  onEntry: (entry: Entry) => void = () => {};
  readonly client: Client;
  readonly pace: Pace;
  readonly #made = new Map<string, Promise<unknown>>();

  constructor(readonly config: SessionConfig) {
    this.target = config.target;
    const { recordingId, otherRecordingId } = config.target.resources ?? {};
    const recordings = [recordingId, otherRecordingId].filter((id) => id !== undefined);
    const { allowWrites } = config;
    const isOfActor = (claims: unknown): boolean => areClaimsOf(this.builder.log.actors, claims);
    this.policy = { ...readOnly(...SIGN_INS), allowWrites, isOfActor };
    this.policy.planned.set(CREATE_PAT, 'lasting');
    for (const id of recordings)
      this.policy.planned.set(requestKey({ method: 'PATCH', path: recordingPath(id) }), 'change');
    this.builder = new LogBuilder({
      scopesPaths: candidatePaths('scopes-path', config.answers).concat(candidatePaths('scopes-path', {})),
      ...{ baseUrl: config.target.baseUrl, actors: config.target.actors, reads: config.target.reads, isPartial: false },
    });
    this.secrets = new Secrets(config.target, this.builder.nameOf);
    this.pace = config.pace ?? new Pace(config.target.limits);
    this.client = new Client(config.target, this.policy, (...noted) => this.#note(...noted), this.pace);
  }

  /** Computed once a run; a failure is kept as well. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const made = this.#made.get(key) ?? compute();
    this.#made.set(key, made);
    return made as Promise<T>;
  }

  get entries(): readonly Entry[] {
    return this.builder.log.entries;
  }

  entryOf = (answer: Answer): Entry | undefined =>
    this.entries.findLast((each) => each.answer.request === answer.request);

  /** When a protected operation last accepted a token, in milliseconds of this process. */
  acceptedAt(token: string): number | undefined {
    const isUse = ({ operation, credential }: Entry): boolean =>
      credential.token === token && operation !== 'sso' && operation !== 'login';
    return this.entries.findLast((entry) => isUse(entry) && isOk(entry))?.endedAt;
  }

  abstract send(request: ClientRequest, isCleanUp?: boolean): Promise<Answer>;

  credentials(actor: Actor): ActorCredentials {
    return memberOf(namedActors(this.target.actors), actor) ?? {};
  }

  assumed<T>(gapId: string): T {
    return assumedIn(this.config.answers, gapOf(gapId)) as T;
  }

  askedOf = (request: ClientRequest): Asked => ({
    ...((request.note as Asked | undefined) ?? this.askedFor(request)),
    ...(request.isSegmented && { isSegmented: true }),
  });

  #note(exchange: Exchange, { request, begin, end, isTrouble }: Carried): void {
    const asked = this.askedOf(request);
    if (asked.flaw && request.headers?.Authorization) exchange.credential = asked.flaw.what;
    this.secrets.learnFrom(exchange);
    const { response, followed = [] } = exchange;
    this.sent.push(exchange.request, ...followed.map(() => exchange.request));
    if (isTrouble) this.trouble.push(String(response?.status ?? 'none'));
    if (!response || isTrouble) return;
    const at = now();
    const whole = { hasRequestBody: true, hasBody: true, hasCookies: false };
    const times = { begin, end, startedAt: at - exchange.durationMs, endedAt: at, date: Date.now() };
    const entry = this.builder.add({ answer: { ...exchange, response }, ...times, ...whole }, asked);
    if (entry) this.onEntry(entry);
  }
}
