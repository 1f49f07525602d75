import type { ActorCredentials } from '../api/named-actors.ts';
import { PAT_CREATION_PATH } from '../api/operations.ts';
import { untested } from '../failure.ts';
import type { Actor, RequestCounts } from '../model.ts';
import type { Answer } from '../values/answer.ts';
import type { Carried, ClientRequest } from '../wire/exchange.ts';
import type { NamedSecret, Secrets } from '../wire/secrets.ts';
import { type RequestKey, requestKey } from '../wire/write-guard.ts';
import { Connection, type SessionConfig } from './connection.ts';
import { DisposableRecording, type Undo } from './disposable-recording.ts';
import type { Leftovers } from './leftovers.ts';
import { Pats } from './pats.ts';
import { SigningIn } from './signing-in.ts';
import type { Target } from './target-file.ts';
import { TokenScopes } from './token-scopes.ts';

/**
 * The suite's dealings with one target: acts as its actors, and keeps what several phases share (a sign-in, a list), so
 * that the target sees few requests. Knows nothing of what is right: checks judge the answers.
 */
export class Session {
  readonly signIn: SigningIn;
  readonly pats: Pats;
  readonly recording: DisposableRecording;
  /** A second disposable recording, where the target file names one. */
  readonly otherRecording: DisposableRecording;
  readonly scopes: TokenScopes;
  readonly #connection: Connection;

  constructor(config: SessionConfig) {
    const connection = new Connection(config);
    this.#connection = connection;
    this.signIn = new SigningIn(connection);
    this.recording = new DisposableRecording(connection, this.signIn);
    this.otherRecording = new DisposableRecording(connection, this.signIn, 'otherRecordingId');
    this.scopes = new TokenScopes(connection, this.signIn, (actor) => this.pats.of(actor));
    this.pats = new Pats(connection, this.signIn, this.scopes);
    const { replacements } = connection;
    connection.replacements = async (token) => [...(await replacements(token)), ...this.pats.newerThan(token)];
  }

  get config(): SessionConfig {
    return this.#connection.config;
  }

  get target(): Target {
    return this.#connection.target;
  }

  /** The value of `compute`, made once a run; a failure is kept as well. */
  once<T>(key: string, compute: () => Promise<T>): Promise<T> {
    return this.#connection.once(key, compute);
  }

  /** What the run leaves behind at the target, a sentence each. */
  get leftovers(): Leftovers {
    return this.#connection.leftovers;
  }

  /** The credentials of the run so far. */
  get secrets(): Secrets {
    return this.#connection.secrets;
  }

  /** Every success of the run so far. */
  get successes(): readonly Answer[] {
    return this.#connection.successes;
  }

  /** Says what an Authorization header is that the suite made, for whoever reads the report. */
  noteForged(authorization: string, what: string): void {
    this.#connection.forged.set(authorization, what);
  }

  /** Every answer of the run so far, and when it came. */
  get traffic(): readonly { at: number; answer: Answer }[] {
    return this.#connection.traffic;
  }

  /** Whether the target ever answered that there were too many requests. */
  get limited(): boolean {
    return this.#connection.limited;
  }

  /** How many requests the run has sent. */
  get requestCount(): number {
    return this.#connection.requests.counts().total;
  }

  /** Calls `listener` with each answer, in the order in which they come. */
  onAnswer(listener: (answer: Answer, carried: Carried) => void): void {
    this.#connection.onAnswer = listener;
  }

  /** Sends what updates a recording at a path of its own, which the write guard lets through only for so long. */
  allowingUpdate<T>(path: string, send: () => Promise<T>): Promise<T> {
    return this.allowing(requestKey({ method: 'PATCH', path }), ['writes'], send);
  }

  /** Sends what the write guard lets through only for so long, as what it says. */
  async allowing<T>(
    key: RequestKey,
    as: readonly ('writes' | 'unrepeatable' | 'sessionRequests')[],
    send: () => Promise<T>,
  ): Promise<T> {
    const sets = as.map((name) => this.#connection.policy[name]).filter((keys) => !keys.has(key));
    for (const keys of sets) keys.add(key);
    try {
      return await send();
    } finally {
      for (const keys of sets) keys.delete(key);
    }
  }

  close(): void {
    this.#connection.close();
  }

  /**
   * Ends the run: puts the title of the recording back that checks and probes wrote. Gives what is left at the target, and
   * what was sent and which credentials were seen. Never throws for what the target does.
   */
  async finish(): Promise<{ leftovers: string[]; requests: RequestCounts; secrets: NamedSecret[] }> {
    await this.restoreTitles().catch(() => undefined);
    const requests = this.#connection.requests.counts(this.scopes.foundPath);
    return { leftovers: [...this.leftovers], requests, secrets: this.secrets.all };
  }

  /** Sends nothing from now on; resolves once nothing is under way any more. */
  halt(): Promise<void> {
    return this.#connection.halt();
  }

  credentials(actor: Actor): ActorCredentials {
    return this.#connection.credentials(actor);
  }

  resource(name: 'recordingId' | 'otherRecordingId' | 'tenantId' | 'otherTenantId'): string {
    return this.#connection.resource(name);
  }

  /** Any request that the write guard lets through. */
  send(request: ClientRequest): Promise<Answer> {
    return this.#connection.send(request);
  }

  /** The same, and a token that may have expired is not replaced by a new one. */
  sendAsIs(request: ClientRequest): Promise<Answer> {
    return this.#connection.sendAsIs(request);
  }

  /** Calls `listener` with the requests that would restore the titles that the run has changed, whenever they change. */
  onUndo(listener: (undos: Undo[]) => void): void {
    const undos = new Map<DisposableRecording, Undo>();
    for (const recording of [this.recording, this.otherRecording]) {
      recording.onUndo = (undo) => {
        if (undo) undos.set(recording, undo);
        else undos.delete(recording);
        listener([...undos.values()]);
      };
    }
  }

  /** Puts back the titles that the run has changed. */
  async restoreTitles(): Promise<void> {
    await this.recording.restoreTitle();
    await this.otherRecording.restoreTitle();
  }

  /** The answer to a gap that the profile gives, else the ledger's default. */
  assumed<T>(gapId: string): T {
    return this.#connection.assumed<T>(gapId);
  }

  /** POST to a path at which refresh tokens may be exchanged. */
  async refresh(path: string, request: Pick<ClientRequest, 'json' | 'headers'>): Promise<Answer> {
    if (path === PAT_CREATION_PATH)
      throw untested(`${path} is where PATs are created, so no refresh token is sent there`);
    this.#connection.policy.sessionRequests.add(requestKey({ method: 'POST', path }));
    return this.#connection.send({ method: 'POST', path, ...request });
  }
}
