import { randomBytes } from 'node:crypto';
import { type ActorCredentials, namedActors } from '../api/named-actors.ts';
import { LOGIN_PATH, PAT_NAME, recordingPath, SSO_PATH } from '../api/operations.ts';
import { TransportError } from '../errors.ts';
import type { Actor, Exchange } from '../model.ts';
import type { Model } from '../plan/model.ts';
import { Secrets } from '../secrets/secrets.ts';
import { loadGaps } from '../spec-data.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { isObject, parseJson } from '../values/json.ts';
import { Client } from '../wire/client.ts';
import type { Carried, ClientRequest } from '../wire/exchange.ts';
import { isThrottled, Pace } from '../wire/pace.ts';
import { now } from '../wire/time.ts';
import { CREATE_PAT, type RequestKey, requestKey, SIGN_INS, type WritePolicy } from '../wire/write-guard.ts';
import { assumedIn } from './gap-answers.ts';
import { Leftovers, RequestCounter } from './ledger.ts';
import { NewTokens } from './new-tokens.ts';
import type { Target } from './target-file.ts';

export interface SessionConfig {
  target: Target;
  /** Answers to gaps that a profile gives; all others are assumed. */
  answers: Record<string, unknown>;
  allowWrites: boolean;
  /** Whether writes are allowed because the target is on this machine: what counts is the address of each connection. */
  loopbackOnly?: boolean;
  probing?: boolean;
  /** Whether the one PAT is requested with as little as the target accepts, to learn its request; else with all scopes. */
  leanPat?: boolean;
  /** Whether each gap is observed twice, and not only one whose answer is not the assumed one, to learn from it. */
  learns?: boolean;
  /** How many requests may be under way at once; default DEFAULT_CONCURRENCY, and 1 with a limit of requests a second. */
  concurrency?: number;
  /** For how many seconds a short-lived access token is waited for to expire; default DEFAULT_WAIT_SECONDS. */
  waitSeconds?: number;
  /** Whether each requirement is tested in few conditions only, without waiting or guessing (`--quick`). */
  quick?: boolean;
  /** How many requests the run may send, probes not counted; by default as many as the model takes, about 200. */
  requests?: number;
  /** What is asked; by default our model. */
  model?: Model;
  /** Which of the plans of that size is sent; default 1. */
  seed?: number;
  /** Generated requests beyond the model: how many of each kind, and by which seed. */
  exploration?: { runs: number; seed: number };
  /** Runs what the target file wants at the end; gives what it leaves behind. */
  tearDown?: () => Promise<string[]>;
  /** How long the target was waited for before the session, in milliseconds: a run has one budget for that. */
  waitedMs?: number;
}

/** The sentence about a PAT that was made: by its name, which the suite chose. */
function patLeft({ request }: Answer): string {
  const body = parseJson(request.body ?? '');
  const name = isObject(body) && Object.values(body).find((value) => String(value).startsWith(PAT_NAME));
  const which = name ? `named "${name}"` : `without a name, made at ${new Date().toISOString()}`;
  return `a personal access token ${which}: no documented operation revokes it`;
}

/** What every part of a session shares: the way to the target, the target file, and the credentials seen so far. */
export class Connection {
  /** The target file: its resources change where the run goes on at another recording. */
  target: Target;
  /** Names this run among others at the same target: in the name of its PAT, and in the titles that it writes. */
  readonly mark = randomBytes(4).toString('hex');
  /** The credentials of the run: those of the target file, and what the answers showed of more. */
  readonly secrets: Secrets;
  readonly leftovers = new Leftovers();
  readonly policy: WritePolicy & { unrepeatable: Set<RequestKey> };
  /** Authorization headers that a protected operation accepted, and when it last did, in milliseconds of this process. */
  readonly acceptedAt = new Map<string, number>();
  /** Authorization headers that the suite made, and what they are. */
  readonly forged = new Map<string, string>();
  /** Whether the target ever answered 429. */
  limited = false;
  readonly newTokens = new NewTokens();
  readonly requests = new RequestCounter();
  /** The tokens to send instead of a refused one that may have ended; set by SigningIn, as is what follows. */
  replacements: (token: string) => Promise<string[]> = async () => [];
  /** Called when a token was refused, and one that replaces it was accepted. */
  replaced: (token: string, by: string) => void = () => {};
  /** Called with each answer, in the order in which they come. */
  onAnswer: (answer: Answer, carried: Carried) => void = () => {};
  readonly #made = new Map<string, Promise<unknown>>();
  readonly #client: Client;
  readonly #basePath: string;

  constructor(readonly config: SessionConfig) {
    this.target = config.target;
    this.secrets = new Secrets(config.target);
    this.#basePath = new URL(config.target.baseUrl).pathname.replace(/\/$/, '');
    const { recordingId, otherRecordingId } = config.target.resources ?? {};
    const recordings = [recordingId, otherRecordingId].filter((id) => id !== undefined);
    this.policy = {
      allowWrites: config.allowWrites,
      loopbackOnly: config.loopbackOnly,
      sessionRequests: new Set(SIGN_INS),
      writes: new Set([
        CREATE_PAT,
        ...recordings.map((id) => requestKey({ method: 'PATCH', path: recordingPath(id) })),
      ]),
      unrepeatable: new Set([CREATE_PAT]),
    };
    const pace = new Pace(config.target.limits, undefined, config.waitedMs);
    this.#client = new Client(config.target, this.policy, (exchange, carried) => this.#note(exchange, carried), pace);
  }

  get requestCount(): number {
    return this.requests.counts().total;
  }

  /** The value of `compute`, made once a run; a failure is kept as well. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    const made = this.#made.get(key) ?? compute();
    this.#made.set(key, made);
    return made as Promise<T>;
  }

  /** The pace that the target seems to allow. */
  get slowedTo(): number | undefined {
    return this.#client.slowedTo;
  }

  close(): void {
    this.#client.close();
  }

  /** Sends nothing from now on; resolves once no request is under way. */
  halt(): Promise<void> {
    return this.#client.halt();
  }

  /**
   * Any request that the write guard accepts; repeated with another token where its own was refused and may have ended. One
   * that puts back what the run changed may wait longer than any other.
   */
  async send(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    const answer = await this.sendAsIs(request, isCleanUp);
    const token = /^Bearer (.+)$/.exec(request.headers?.Authorization ?? '')?.[1];
    // 403 says who it is, and 404 is what hides who is not let in.
    if (token === undefined || ![401, 404].includes(answer.response.status)) return answer;
    const replaced = await this.#sendWithOther(request, token, answer);
    return this.newTokens.askAgain(token, replaced, () => this.sendAsIs(request));
  }

  async #sendWithOther(request: ClientRequest, token: string, answer: Answer): Promise<Answer> {
    let last = answer;
    for (const other of await this.replacements(token)) {
      last = await this.sendAsIs({ ...request, headers: { ...request.headers, Authorization: `Bearer ${other}` } });
      if (isSuccess(last)) {
        this.replaced(token, other);
        return last;
      }
    }
    return last;
  }

  /**
   * The same as it is: a refused token is not replaced, since the refusal may be what is looked for. What the request makes
   * that cannot be taken back is reported even if its answer is not seen.
   */
  async sendAsIs(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    if (requestKey(request) !== CREATE_PAT) return this.#client.send(request, isCleanUp);
    const answered = this.leftovers.expect(
      'a personal access token may have been made by a request that was not answered',
    );
    try {
      const answer = await this.#client.send(request, isCleanUp);
      if (isSuccess(answer)) this.leftovers.add(patLeft(answer));
      answered();
      return answer;
    } catch (error) {
      if (!(error instanceof TransportError)) answered();
      throw error;
    }
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
    const credential = this.forged.get(request.headers.Authorization ?? '');
    if (credential !== undefined) exchange.credential = credential;
    this.secrets.learnFrom(exchange);
    for (const _ of [exchange, ...(exchange.followed ?? [])]) this.requests.note(exchange, this.#basePath);
    if (carried.isTrouble || (response && isThrottled(response))) this.requests.noteTrouble(exchange);
    if (response?.status === 429) this.limited = true;
    if (response && isSuccess({ response })) {
      const { Authorization } = request.headers;
      const isSignIn = [SSO_PATH, LOGIN_PATH].some((path) => new URL(request.url).pathname.endsWith(path));
      if (Authorization && !isSignIn) this.acceptedAt.set(Authorization, now());
    }
    if (response) this.onAnswer(exchange as Answer, carried);
  }
}
