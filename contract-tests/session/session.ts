import { PAT_CREATION_PATH } from '../api/operations.ts';
import { untested } from '../errors.ts';
import type { RequestCounts } from '../model.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { type RequestKey, requestKey } from '../wire/write-guard.ts';
import { Connection } from './connection.ts';
import { DisposableRecording } from './disposable-recording.ts';
import { Pats } from './pats.ts';
import { SigningIn } from './signing-in.ts';
import { TokenScopes } from './token-scopes.ts';

type Allowed = 'writes' | 'unrepeatable' | 'sessionRequests';

/** The suite's dealings with one target, as its actors; keeps what several phases share, so that the target sees few requests. */
export class Session extends Connection {
  readonly signIn = new SigningIn(this);
  recording = new DisposableRecording(this);
  otherRecording = new DisposableRecording(this, 'otherRecordingId');
  readonly scopes: TokenScopes = new TokenScopes(this);
  readonly pats = new Pats(this);

  /** Sends a request, with another token where its own was refused and may have ended, and again while its token is new. */
  override async send(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    let answer = await this.sendAsIs(request, isCleanUp);
    const token = /^Bearer (.+)$/.exec(request.headers?.Authorization ?? '')?.[1];
    // 403 says who it is, and 404 is what hides who is not let in.
    if (token === undefined || ![401, 404].includes(answer.response.status)) return answer;
    for (const other of [await this.signIn.replacementFor(token), this.pats.newerThan(token)]) {
      if (other === undefined) continue;
      const headers = { ...request.headers, Authorization: `Bearer ${other}` };
      answer = await this.sendAsIs({ ...request, headers }, isCleanUp);
      if (!isSuccess(answer)) continue;
      this.signIn.replace(token, other);
      return answer;
    }
    return this.sendWhileNew(request, token, answer);
  }

  /** Sends what the write guard lets through only for so long, as what it says. */
  async allowing<T>(key: RequestKey, as: readonly Allowed[], send: () => Promise<T>): Promise<T> {
    const sets = as.map((name) => this.policy[name]).filter((keys) => !keys.has(key));
    for (const keys of sets) keys.add(key);
    try {
      return await send();
    } finally {
      for (const keys of sets) keys.delete(key);
    }
  }

  /** The same of an update of another recording. */
  allowingUpdate<T>(path: string, send: () => Promise<T>): Promise<T> {
    return this.allowing(requestKey({ method: 'PATCH', path }), ['writes'], send);
  }

  /** Goes on at the other recording, as if the target file named no more; what was written to both is put back at the end. */
  moveOn(): void {
    [this.recording, this.otherRecording] = [this.otherRecording, this.recording];
    const [now, before] = [this.recording.id, this.otherRecording.id];
    this.told.add(`updates of ${before}, where another run of the suite was noticed: this run went on at ${now}`);
    const { otherRecordingId: _, ...resources } = { ...this.target.resources, recordingId: now };
    this.target = { ...this.target, resources };
  }

  /** Puts titles back; gives whether all are that had to be. Never throws for what the target does. */
  async restore(): Promise<boolean> {
    const isRestored = await this.recording.restore().catch(() => false);
    return (await this.otherRecording.restore().catch(() => false)) && isRestored;
  }

  async tearDown(): Promise<void> {
    for (const line of (await this.config.tearDown?.()) ?? []) this.told.add(line);
  }

  /** Ends the run: puts titles back; gives leftovers, requests and credentials. Never throws for what the target does. */
  async finish(): Promise<{ leftovers: string[]; requests: RequestCounts; secrets: Secrets }> {
    await this.restore();
    await this.tearDown();
    const counts = this.requests.counts(this.target.baseUrl, this.scopes.foundPath);
    const requests = { ...counts, slowedTo: this.pace.slowedTo };
    return { leftovers: this.leftovers, requests, secrets: this.secrets };
  }

  override get leftovers(): string[] {
    return [...this.recording.left, ...this.otherRecording.left, ...super.leftovers];
  }

  get isChanged(): boolean {
    return [this.recording, this.otherRecording].some(({ undo }) => undo !== undefined);
  }

  async refresh(path: string, request: Pick<ClientRequest, 'json' | 'headers'>): Promise<Answer> {
    if (path === PAT_CREATION_PATH)
      throw untested(`${path} is where PATs are created, so no refresh token is sent there`);
    this.policy.sessionRequests.add(requestKey({ method: 'POST', path }));
    return this.send({ method: 'POST', path, ...request });
  }
}
