import { randomBytes } from 'node:crypto';
import { type ActorCredentials, namedActors } from '../api/named-actors.ts';
import { isPathOf, OPERATION_IDS, OPERATIONS, PAT_NAME, recordingPath } from '../api/operations.ts';
import { TransportError } from '../errors.ts';
import { type Asked, type Entry, isOk } from '../log/entry.ts';
import { LogBuilder } from '../log/log.ts';
import type { Actor, Exchange, RecordedRequest, RequestCounts } from '../model.ts';
import type { Model } from '../plan/model.ts';
import { Secrets } from '../secrets/secrets.ts';
import { gapOf } from '../spec-data.ts';
import type { Answer } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { findStrings, parseJson } from '../values/json.ts';
import { relativeTo } from '../values/url.ts';
import { Client } from '../wire/client.ts';
import type { Carried, ClientRequest } from '../wire/exchange.ts';
import { isThrottled, Pace } from '../wire/pace.ts';
import { now, sleep } from '../wire/time.ts';
import { CREATE_PAT, requestKey, SIGN_INS, type WritePolicy } from '../wire/write-guard.ts';
import { assumedIn, candidatePaths } from './gap-answers.ts';
import type { Target } from './target-file.ts';

export interface SessionConfig {
  target: Target;
  /** Answers to gaps that a profile gives; all others are assumed. */
  answers: Record<string, unknown>;
  allowWrites: boolean;
  /** Whether writes are allowed because the target is on this machine: what counts is the address of each connection. */
  loopbackOnly?: boolean;
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
  seed?: number;
  explore?: number;
  /** Runs what the target file wants at the end; gives what it leaves behind. */
  tearDown?: () => Promise<string[]>;
  /** That of the requests before the session: a run has one budget of waits. */
  pace?: Pace;
}

const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]));

/** What a run sends: every attempt, retries and redirects included. */
class SentRequests {
  readonly #sent: Pick<RecordedRequest, 'method' | 'url'>[] = [];
  readonly #trouble: string[] = [];

  get total(): number {
    return this.#sent.length;
  }

  note({ request, followed = [] }: Exchange): void {
    for (const each of [request, ...followed.map(() => request)]) this.#sent.push(each);
  }

  /** Notes a request that is sent again because of what it met on the way. */
  noteTrouble({ response }: Pick<Exchange, 'response'>): void {
    this.#trouble.push(String(response?.status ?? 'none'));
  }

  counts(baseUrl: string, scopesPath?: string): RequestCounts {
    const operations = this.#sent.map(({ method, url }) => {
      const path = relativeTo(baseUrl, url).replace(/[?#].*/, '');
      if (method === 'GET' && path === scopesPath) return 'scopes';
      return OPERATION_IDS.find((id) => OPERATIONS[id].method === method && isPathOf(id, path)) ?? 'other';
    });
    const writes = this.#sent.filter(({ method }, at) => method === 'PATCH' || operations[at] === 'pat').length;
    const trouble = this.#trouble.length > 0 ? countBy(this.#trouble) : undefined;
    return { total: this.total, writes, byOperation: countBy(operations), trouble };
  }
}

/** Waits between two looks, in milliseconds: a deployment may need that long until all its instances know a token or a write. */
export const WAITS = [100, 200, 400, 800, 1_500];
const PATIENCE_MS = 3_000;
const isUnknown = ({ response }: Answer): boolean => response.status === 401;

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
  limited = false;
  readonly requests = new SentRequests();
  /** The exchanges so far, in the order in which they were answered, but for trouble on the way: rules do not judge that. */
  readonly builder: LogBuilder;
  /** Requests that may have made a PAT, and were not answered. */
  #unansweredPats = 0;
  /** For what a request is sent that does not say so itself. */
  askedFor: (request: ClientRequest) => Asked = () => ({ for: 'set-up', odd: [] });
  onEntry: (entry: Entry) => void = () => {};
  readonly client: Client;
  readonly pace: Pace;
  readonly #made = new Map<string, Promise<unknown>>();
  /** Whether waiting for a new token helped; undefined where none was waited for. */
  #isLagging: boolean | undefined;

  constructor(readonly config: SessionConfig) {
    this.target = config.target;
    this.secrets = new Secrets(config.target);
    const { recordingId, otherRecordingId } = config.target.resources ?? {};
    const recordings = [recordingId, otherRecordingId].filter((id) => id !== undefined);
    const updates = recordings.map((id) => requestKey({ method: 'PATCH', path: recordingPath(id) }));
    this.policy = {
      allowWrites: config.allowWrites,
      loopbackOnly: config.loopbackOnly,
      sessionRequests: new Set(SIGN_INS),
      writes: new Set([CREATE_PAT, ...updates]),
      unrepeatable: new Set([CREATE_PAT]),
    };
    this.builder = new LogBuilder({
      scopesPaths: candidatePaths('scopes-path', config.answers).concat(candidatePaths('scopes-path', {})),
      ...{ baseUrl: config.target.baseUrl, actors: config.target.actors, reads: config.target.reads, isPartial: false },
    });
    this.pace = config.pace ?? new Pace(config.target.limits);
    this.client = new Client(config.target, this.policy, (...noted) => this.#note(...noted), this.pace);
  }

  /** Computed once a run; a failure is kept as well. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const made = this.#made.get(key) ?? compute();
    this.#made.set(key, made);
    return made as Promise<T>;
  }

  close(): void {
    this.client.close();
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

  get leftovers(): string[] {
    const made = this.entries.filter((entry) => entry.operation === 'pat' && isOk(entry)).map(patLeft);
    const unanswered = 'a personal access token may have been made by a request that was not answered';
    return [...new Set([...(this.#unansweredPats > 0 ? [unanswered] : []), ...made, ...this.told])];
  }

  /** Any request that the write guard accepts; a refused token is replaced. */
  abstract send(request: ClientRequest, isCleanUp?: boolean): Promise<Answer>;

  /** The same as it is: a refusal may be what is looked for. A PAT is reported even if its answer is not seen. */
  async sendAsIs(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    const lasting = requestKey(request) === CREATE_PAT ? 1 : 0;
    this.#unansweredPats += lasting;
    let isUnknown = false;
    try {
      return await this.client.send(request, isCleanUp);
    } catch (error) {
      isUnknown = error instanceof TransportError;
      throw error;
    } finally {
      if (!isUnknown) this.#unansweredPats -= lasting;
    }
  }

  /** Repeats a refused request while its token is new, and gives the last answer; waits no more once that was in vain. */
  async sendWhileNew(request: ClientRequest, token: string, refusal: Answer): Promise<Answer> {
    const since = this.builder.known.get(token)?.issued?.at ?? Number.NEGATIVE_INFINITY;
    const mayPass = (): boolean => isUnknown(answer) && now() - since <= PATIENCE_MS;
    let answer = refusal;
    if (this.#isLagging === false || !mayPass()) return answer;
    for (const wait of WAITS) {
      if (!mayPass()) break;
      await sleep(wait);
      answer = await this.sendAsIs(request);
    }
    this.#isLagging ||= !isUnknown(answer);
    return answer;
  }

  credentials(actor: Actor): ActorCredentials {
    return namedActors(this.target.actors)[actor] ?? {};
  }

  assumed<T>(gapId: string): T {
    return assumedIn(this.config.answers, gapOf(gapId)) as T;
  }

  #note(exchange: Exchange, { request, begin, end, isTrouble }: Carried): void {
    const asked = (request.note as Asked | undefined) ?? this.askedFor(request);
    if (asked.flaw && request.headers?.Authorization) exchange.credential = asked.flaw.what;
    this.secrets.learnFrom(exchange);
    this.requests.note(exchange);
    const { response } = exchange;
    const isRepeated = isTrouble || (response !== undefined && isThrottled(response));
    if (isRepeated) this.requests.noteTrouble(exchange);
    if (response?.status === 429) this.limited = true;
    if (!response || isRepeated) return;
    const at = now();
    const whole = { hasRequestBody: true, hasBody: true, hasCookies: false };
    const times = { begin, end, startedAt: at - exchange.durationMs, endedAt: at, date: Date.now() };
    const entry = this.builder.add({ answer: { ...exchange, response }, ...times, ...whole }, asked);
    if (entry) this.onEntry(entry);
  }
}

function patLeft({ answer: { request }, date }: Entry): string {
  const name = findStrings(parseJson(request.body ?? '')).find(({ value }) => value.startsWith(PAT_NAME))?.value;
  const which = name ? `named "${name}"` : `without a name, made at ${new Date(date).toISOString()}`;
  return `a personal access token ${which}: no documented operation revokes it`;
}
