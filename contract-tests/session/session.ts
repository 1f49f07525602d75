import { PAT_CREATION_PATH } from '../api/operations.ts';
import { untested } from '../failure.ts';
import type { RequestCounts } from '../model.ts';
import type { NamedSecret } from '../secrets/known.ts';
import type { Answer } from '../values/answer.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { type RequestKey, requestKey } from '../wire/write-guard.ts';
import { Connection, type SessionConfig } from './connection.ts';
import { DisposableRecording, type Undo } from './disposable-recording.ts';
import { Pats } from './pats.ts';
import { SigningIn } from './signing-in.ts';
import { TokenScopes } from './token-scopes.ts';

/**
 * The suite's dealings with one target: acts as its actors, and keeps what several phases share (a sign-in, a list), so
 * that the target sees few requests. Knows nothing of what is right: rules judge the answers.
 */
export class Session extends Connection {
  readonly signIn = new SigningIn(this);
  recording = new DisposableRecording(this, this.signIn);
  /** A second disposable recording, where the target file names one. */
  otherRecording = new DisposableRecording(this, this.signIn, 'otherRecordingId');
  readonly scopes: TokenScopes = new TokenScopes(this, this.signIn, (actor) => this.pats.of(actor));
  readonly pats = new Pats(this, this.signIn, this.scopes);

  constructor(config: SessionConfig) {
    super(config);
    const { replacements } = this;
    this.replacements = async (token) => [...(await replacements(token)), ...this.pats.newerThan(token)];
  }

  /** Sends what updates a recording at another path, which the write guard lets through only for so long. */
  allowingUpdate<T>(path: string, send: () => Promise<T>): Promise<T> {
    return this.allowing(requestKey({ method: 'PATCH', path }), ['writes'], send);
  }

  /** Sends what the write guard lets through only for so long, as what it says. */
  async allowing<T>(
    key: RequestKey,
    as: readonly ('writes' | 'unrepeatable' | 'sessionRequests')[],
    send: () => Promise<T>,
  ): Promise<T> {
    const sets = as.map((name) => this.policy[name]).filter((keys) => !keys.has(key));
    for (const keys of sets) keys.add(key);
    try {
      return await send();
    } finally {
      for (const keys of sets) keys.delete(key);
    }
  }

  /** Goes on at the other recording, as if the target file named no more; what was written to both is put back at the end. */
  moveOn(): void {
    [this.recording, this.otherRecording] = [this.otherRecording, this.recording];
    const [now, before] = [this.recording.id, this.otherRecording.id];
    this.leftovers.add(`updates of ${before}, where another run of the suite was noticed: this run went on at ${now}`);
    const { otherRecordingId: _, ...resources } = { ...this.target.resources, recordingId: now };
    this.target = { ...this.target, resources };
  }

  /** Ends the run: puts titles back; gives leftovers, requests and credentials. Never throws for what the target does. */
  async finish(): Promise<{ leftovers: string[]; requests: RequestCounts; secrets: NamedSecret[] }> {
    await this.restoreRecordings().catch(() => undefined);
    const requests = { ...this.requests.counts(this.scopes.foundPath), slowedTo: this.slowedTo };
    return { leftovers: [...this.leftovers], requests, secrets: this.secrets.all };
  }

  /** The requests that would restore the titles that the run has changed so far. */
  get undos(): Undo[] {
    return [this.recording, this.otherRecording].flatMap(({ undo }) => undo ?? []);
  }

  /** Puts back what the run has changed and can know. */
  async restoreRecordings(): Promise<void> {
    await this.recording.restore();
    await this.otherRecording.restore();
  }

  /** POST to a path at which refresh tokens may be exchanged. */
  async refresh(path: string, request: Pick<ClientRequest, 'json' | 'headers'>): Promise<Answer> {
    if (path === PAT_CREATION_PATH)
      throw untested(`${path} is where PATs are created, so no refresh token is sent there`);
    this.policy.sessionRequests.add(requestKey({ method: 'POST', path }));
    return this.send({ method: 'POST', path, ...request });
  }
}
