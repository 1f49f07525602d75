import { isSuccess } from '../checks/answers.ts';
import { untested } from '../failure.ts';
import type { Actor, Exchange } from '../model.ts';
import { loadGaps } from '../spec-data.ts';
import { Client } from './client.ts';
import { LOGIN_PATH, recordingPath, SSO_PATH } from './paths.ts';
import { Recorder } from './recorder.ts';
import type { Answer, ClientRequest } from './request.ts';
import type { ActorCredentials, Target } from './target-file.ts';
import type { WritePolicy } from './write-guard.ts';

/** What a session works with: serialisable, since it is handed to the worker that runs the checks. */
export interface SessionConfig {
  target: Target;
  /** Answers to gaps that somebody gave (profile), as against those that are only assumed. */
  answers: Record<string, unknown>;
  allowWrites: boolean;
  /** Whether gaps are probed in this run. */
  probing?: boolean;
  /**
   * Whether the one PAT is asked for with as little as the target takes, so that its request can be told; else with all
   * scopes, so that it may do what the checks want to see it do.
   */
  leanPat?: boolean;
  /** Whether a violation is asked for once more before it is reported; true unless said otherwise. */
  repeatViolations?: boolean;
}

/**
 * What every part of a session shares: the way to the target, what the target file gives, and what was seen so far.
 */
export class Connection {
  readonly config: SessionConfig;
  readonly recorder = new Recorder();
  /** What the run leaves behind at the target, a sentence each. */
  readonly leftovers = new Set<string>();
  /** What the write guard lets through. */
  readonly policy: WritePolicy;
  /** Actors whose bearer a resource of the target took: proof that the credential as such is good. */
  readonly proven = new Set<Actor>();
  /** Authorization headers that a protected operation took. */
  readonly acceptedHeaders = new Set<string>();
  /** Whether the target ever answered that there were too many requests. */
  limited = false;
  /** Every success of the run so far. */
  readonly successes: Answer[] = [];
  /** The token to send in the place of one that was refused, where the one's lifetime may be over; told by who signs in. */
  renewed: (token: string) => Promise<string | undefined> = async () => undefined;
  readonly #client: Client;

  constructor(config: SessionConfig) {
    this.config = config;
    const recordingId = config.target.resources?.recordingId;
    this.policy = {
      allowWrites: config.allowWrites,
      recordingPaths: new Set(recordingId ? [recordingPath(recordingId)] : []),
      signInPaths: new Set([SSO_PATH, LOGIN_PATH]),
      refreshPaths: new Set(),
    };
    this.#client = new Client(config.target, this.policy, (exchange) => this.#note(exchange));
  }

  get target(): Target {
    return this.config.target;
  }

  close(): void {
    this.#client.close();
  }

  /** Sends nothing from now on; resolves once nothing is under way any more. */
  halt(): Promise<void> {
    return this.#client.halt();
  }

  /** Any request that the write guard lets through; once more where its token was refused since its lifetime is over. */
  async send(request: ClientRequest): Promise<Answer> {
    const answer = await this.#client.send(request);
    const { status } = answer.response;
    const token = /^Bearer (.+)$/.exec(request.headers?.Authorization ?? '')?.[1];
    if (token === undefined || status < 400 || status > 499 || status === 429) return answer;
    const renewed = await this.renewed(token);
    if (renewed === undefined) return answer;
    return this.#client.send({ ...request, headers: { ...request.headers, Authorization: `Bearer ${renewed}` } });
  }

  credentials(actor: Actor): ActorCredentials {
    return this.target.actors?.[actor] ?? {};
  }

  resource(name: 'recordingId' | 'tenantId' | 'otherTenantId'): string {
    const value = this.target.resources?.[name];
    if (!value) throw untested(`the target file has no resources.${name}`);
    return value;
  }

  /** The answer to a gap that the profile gives, else the ledger's default. */
  assumed<T>(gapId: string): T {
    if (gapId in this.config.answers) return this.config.answers[gapId] as T;
    const gap = loadGaps().find(({ id }) => id === gapId);
    if (!gap) throw new Error(`There is no gap ${gapId}.`);
    return gap.default as T;
  }

  /** Remembers that the bearer of an actor was taken, where it was; gives the answer itself. */
  noteSuccess(actor: Actor, answer: Answer): Answer {
    if (isSuccess(answer)) this.proven.add(actor);
    return answer;
  }

  #note(exchange: Exchange): void {
    const { request, response } = exchange;
    if (response?.status === 429) this.limited = true;
    if (response && isSuccess({ response })) {
      this.successes.push(exchange as Answer);
      const { Authorization } = request.headers;
      const isSignIn = [...this.policy.signInPaths].some((path) => new URL(request.url).pathname.endsWith(path));
      if (Authorization && !isSignIn) this.acceptedHeaders.add(Authorization);
    }
    this.recorder.record(exchange);
  }
}
