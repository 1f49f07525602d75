import { randomBytes } from 'node:crypto';
import { type ActorCredentials, namedActors } from '../api/named-actors.ts';
import {
  isPathOf,
  LOGIN_PATH,
  OPERATIONS,
  type OperationId,
  PAT_NAME,
  recordingPath,
  SSO_PATH,
} from '../api/operations.ts';
import { TransportError } from '../errors.ts';
import type { Actor, Exchange, RequestCounts } from '../model.ts';
import type { Model } from '../plan/model.ts';
import { Secrets } from '../secrets/secrets.ts';
import { loadGaps } from '../spec-data.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { findStrings, parseJson } from '../values/json.ts';
import { relativeTo } from '../values/url.ts';
import { Client } from '../wire/client.ts';
import type { Carried, ClientRequest } from '../wire/exchange.ts';
import { isThrottled, Pace } from '../wire/pace.ts';
import { now, sleep } from '../wire/time.ts';
import { CREATE_PAT, requestKey, SIGN_INS, type WritePolicy } from '../wire/write-guard.ts';
import { assumedIn } from './gap-answers.ts';
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
  /** For how many seconds a short-lived access token is waited for to expire; default 5. */
  wait?: number;
  /** Whether each requirement is tested in few conditions only, without waiting or guessing (`--quick`). */
  quick?: boolean;
  /** Maximum requests of the run, probes not counted; by default as many as the model takes, about 200. */
  requests?: number;
  /** What is asked; by default our model. */
  model?: Model;
  /** Which of the plans of that size is sent; default 1. */
  seed?: number;
  /** How many generated requests of each kind are sent, too. */
  explore?: number;
  /** Runs what the target file wants at the end; gives what it leaves behind. */
  tearDown?: () => Promise<string[]>;
  /** How long the target was waited for before the session, in milliseconds: a run has one budget for that. */
  waitedMs?: number;
}

const IDS = Object.keys(OPERATIONS) as OperationId[];

/** Counts what a run sends: every attempt, retries included. */
class RequestCounter {
  total = 0;
  readonly #sent = new Map<string, number>();
  readonly #trouble: Record<string, number> = {};

  /** Notes a request that is sent again because of what it met on the way. */
  noteTrouble({ response }: Pick<Exchange, 'response'>): void {
    const met = response?.status ?? 'none';
    this.#trouble[met] = (this.#trouble[met] ?? 0) + 1;
  }

  note({ request, followed = [] }: Exchange, baseUrl: string): void {
    const key = `${request.method} ${relativeTo(baseUrl, request.url).replace(/[?#].*/, '')}`;
    const count = 1 + followed.length;
    this.#sent.set(key, (this.#sent.get(key) ?? 0) + count);
    this.total += count;
  }

  /** The requests so far; `scopesPath` is where the token scopes were found. */
  counts(scopesPath?: string): RequestCounts {
    const trouble = Object.keys(this.#trouble).length > 0 ? this.#trouble : undefined;
    const counts: RequestCounts = { total: this.total, writes: 0, byOperation: {}, trouble };
    for (const [key, count] of this.#sent) {
      const [method, path = ''] = key.split(' ');
      const known = IDS.find((id) => OPERATIONS[id].method === method && isPathOf(id, path));
      const operation = key === `GET ${scopesPath}` ? 'scopes' : (known ?? 'other');
      if (operation === 'pat' || method === 'PATCH') counts.writes += count;
      counts.byOperation[operation] = (counts.byOperation[operation] ?? 0) + count;
    }
    return counts;
  }
}

/** What a run leaves behind at the target, a sentence each. */
class Leftovers {
  readonly #lines = new Map<symbol, string>();

  /** Adds what is left, or may be left by a request that is about to be sent; the result takes that back. */
  add(line: string): () => void {
    const key = Symbol(line);
    this.#lines.set(key, line);
    return () => this.#lines.delete(key);
  }

  *[Symbol.iterator](): Iterator<string> {
    yield* new Set(this.#lines.values());
  }
}

/** Waits between two looks, in milliseconds: a deployment may need that long until all its instances know a token or a write. */
export const WAITS = [100, 200, 400, 800, 1_500];
const PATIENCE_MS = 3_000;
const isUnknown = ({ response }: Answer): boolean => response.status === 401;

/** What every part of a session shares: the way to the target, the target file, and the credentials seen so far. */
export class Connection {
  /** The target file: its resources change where the run goes on at another recording. */
  target: Target;
  /** Names this run among others at the same target: in the name of its PAT, and in the titles that it writes. */
  readonly mark = randomBytes(4).toString('hex');
  readonly secrets: Secrets;
  readonly leftovers = new Leftovers();
  readonly policy: WritePolicy;
  /** Authorization headers that a protected operation accepted, and when it last did, in milliseconds of this process. */
  readonly acceptedAt = new Map<string, number>();
  /** Authorization headers that the suite made, and what they are. */
  readonly forged = new Map<string, string>();
  /** Whether the target ever answered 429. */
  limited = false;
  readonly requests = new RequestCounter();
  /** Called with each answer, in the order in which they come. */
  onAnswer: (answer: Answer, carried: Carried) => void = () => {};
  readonly client: Client;
  readonly pace: Pace;
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #newSince = new Map<string, number>();
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
    this.pace = new Pace(config.target.limits, undefined, config.waitedMs);
    this.client = new Client(config.target, this.policy, (...noted) => this.#note(...noted), this.pace);
  }

  /** The value of `compute`, made once a run; a failure is kept as well. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const made = this.#made.get(key) ?? compute();
    this.#made.set(key, made);
    return made as Promise<T>;
  }

  close(): void {
    this.client.close();
  }

  /** Notes a token that was handed out now: another instance may not know it yet. */
  noteNew(token: string): void {
    if (!this.#newSince.has(token)) this.#newSince.set(token, now());
  }

  /** Any request that the write guard accepts; a session replaces a refused token. Clean-up may wait longer than others. */
  send(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    return this.sendAsIs(request, isCleanUp);
  }

  /**
   * The same as it is: a refusal may be what is looked for. What the request makes that cannot be taken back is reported even
   * if its answer is not seen.
   */
  async sendAsIs(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    if (requestKey(request) !== CREATE_PAT) return this.client.send(request, isCleanUp);
    const answered = this.leftovers.add(
      'a personal access token may have been made by a request that was not answered',
    );
    try {
      const answer = await this.client.send(request, isCleanUp);
      if (isSuccess(answer)) this.leftovers.add(patLeft(answer));
      answered();
      return answer;
    } catch (error) {
      if (!(error instanceof TransportError)) answered();
      throw error;
    }
  }

  /** Repeats a refused request while its token is new, and gives the last answer; waits no more once that was in vain. */
  async sendWhileNew(request: ClientRequest, token: string, refusal: Answer): Promise<Answer> {
    const since = this.#newSince.get(token) ?? Number.NEGATIVE_INFINITY;
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

  /** The answer to a gap that the profile gives, else the ledger's default. */
  assumed<T>(gapId: string): T {
    const gap = loadGaps().find(({ id }) => id === gapId);
    if (!gap) throw new Error(`There is no gap ${gapId}.`);
    return assumedIn(this.config.answers, gap) as T;
  }

  #note(exchange: Exchange, carried: Carried): void {
    const { request, response } = exchange;
    const { Authorization = '' } = request.headers;
    const credential = this.forged.get(Authorization);
    if (credential !== undefined) exchange.credential = credential;
    this.secrets.learnFrom(exchange);
    this.requests.note(exchange, this.target.baseUrl);
    if (carried.isTrouble || (response && isThrottled(response))) this.requests.noteTrouble(exchange);
    if (!response) return;
    if (response.status === 429) this.limited = true;
    const isSignIn = [SSO_PATH, LOGIN_PATH].includes(carried.request.path);
    if (isSuccess({ response }) && Authorization && !isSignIn) this.acceptedAt.set(Authorization, now());
    this.onAnswer({ ...exchange, response }, carried);
  }
}

/** The sentence about a PAT that was made: by its name, which the suite chose. */
function patLeft({ request }: Answer): string {
  const name = findStrings(parseJson(request.body ?? '')).find(({ value }) => value.startsWith(PAT_NAME))?.value;
  const which = name ? `named "${name}"` : `without a name, made at ${new Date().toISOString()}`;
  return `a personal access token ${which}: no documented operation revokes it`;
}
