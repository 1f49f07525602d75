import { PAT_CREATION_PATH, PAT_NAME } from '../api/operations.ts';
import { isRecording } from '../api/records.ts';
import { CannotAsk } from '../errors.ts';
import { type Entry, isOk, jsonIn, sentOf } from '../log/entry.ts';
import type { RequestCounts } from '../model.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { asText, findStrings } from '../values/json.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { now, sleep } from '../wire/time.ts';
import { CREATE_PAT, type Effect, type RequestKey, requestKey } from '../wire/write-guard.ts';
import { Connection } from './connection.ts';
import { DisposableRecording } from './disposable-recording.ts';
import { Pats } from './pats.ts';
import { SigningIn } from './signing-in.ts';
import { TokenScopes } from './token-scopes.ts';

/** Waits between two looks, in milliseconds: a deployment may need that long until all its instances know a token or a write. */
export const WAITS = [100, 200, 400, 800, 1_500];
const PATIENCE_MS = 3_000;

const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]));

/** The suite's dealings with one target, as its actors; keeps what several phases share, so that the target sees few requests. */
export class Session extends Connection {
  readonly signIn = new SigningIn(this);
  recording = new DisposableRecording(this);
  otherRecording = new DisposableRecording(this, 'otherRecordingId');
  readonly scopes: TokenScopes = new TokenScopes(this);
  readonly pats = new Pats(this);
  /** Whether waiting for a new token helped; undefined where none was waited for. */
  #isLagging: boolean | undefined;
  /** Requests that may have made a PAT, without an answer so far. */
  readonly #unanswered = new Set<ClientRequest>();

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
    return this.#sendWhileNew(request, token, answer);
  }

  /** The same as it is: a refusal may be what is looked for. */
  async sendAsIs(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    if (requestKey(request) === CREATE_PAT && this.config.allowWrites) this.#unanswered.add(request);
    const answer = await this.client.send(request, isCleanUp);
    this.#unanswered.delete(request);
    return answer;
  }

  /** Repeats a refused request while its token is new, and gives the last answer; waits no more once that was in vain. */
  async #sendWhileNew(request: ClientRequest, token: string, refusal: Answer): Promise<Answer> {
    const since = this.builder.known.get(token)?.issued?.at ?? Number.NEGATIVE_INFINITY;
    let answer = refusal;
    for (const wait of this.#isLagging === false ? [] : WAITS) {
      if (answer.response.status !== 401 || now() - since > PATIENCE_MS) break;
      await sleep(wait);
      answer = await this.sendAsIs(request);
    }
    if (answer !== refusal) this.#isLagging ||= answer.response.status !== 401;
    return answer;
  }

  /** Sends what the write guard lets through only for so long. */
  async allowing<T>(key: RequestKey, effect: Effect, send: () => Promise<T>): Promise<T> {
    const { planned } = this.policy;
    if (planned.has(key)) return send();
    planned.set(key, effect);
    return send().finally(() => planned.delete(key));
  }

  allowingUpdate<T>(path: string, send: () => Promise<T>): Promise<T> {
    return this.allowing(requestKey({ method: 'PATCH', path }), 'change', send);
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
    return { leftovers: this.leftovers, requests: this.#counts(), secrets: this.secrets };
  }

  #counts(): RequestCounts {
    const operations = this.sent.map((request) => this.builder.operations.find(request)?.operation ?? 'other');
    const writes = operations.filter((id, at) => id === 'pat' || this.sent[at]?.method === 'PATCH').length;
    const trouble = this.trouble.length > 0 ? countBy(this.trouble) : undefined;
    const { slowedTo } = this.pace;
    return { total: this.sent.length, writes, byOperation: countBy(operations), trouble, slowedTo };
  }

  get leftovers(): string[] {
    const made = this.entries.filter((entry) => entry.operation === 'pat' && isOk(entry)).map(patLeft);
    if (this.#unanswered.size > 0)
      made.unshift('a personal access token may have been made by a request that was not answered');
    return [...this.recording.left, ...this.otherRecording.left, ...this.#strayed, ...new Set([...made, ...this.told])];
  }

  /** What updates left at another recording than their path names, unless a later one put its title back. */
  get #strayed(): string[] {
    const own = [this.recording, this.otherRecording];
    const strayed = this.entries.flatMap((entry) => {
      const json = jsonIn(entry);
      if (entry.operation !== 'recording' || !isOk(entry) || !isRecording(json)) return [];
      const [sent, answered] = [String(entry.resource), asText(json.id)];
      const isSame = sent.toLowerCase() === answered.toLowerCase();
      return isSame || own.some((each) => each.givenId === answered && each.isTitleRestored) ? [] : { sent, answered };
    });
    return [...groupBy(strayed, ({ answered }) => answered)].map(([id, updates]) => {
      const sent = [...new Set(updates.map((update) => update.sent))].join(' and of ');
      return `the recording ${id}: it was the answer to an update of ${sent}, which may have changed it`;
    });
  }

  get isChanged(): boolean {
    return [this.recording, this.otherRecording].some(({ undo }) => undo !== undefined);
  }

  async refresh(path: string, request: Pick<ClientRequest, 'json' | 'headers'>): Promise<Answer> {
    if (path === PAT_CREATION_PATH)
      throw new CannotAsk(`${path} is where PATs are created, so no refresh token is sent there`);
    this.policy.planned.set(requestKey({ method: 'POST', path }), 'session');
    return this.send({ method: 'POST', path, ...request });
  }
}

function patLeft(entry: Entry): string {
  const name = findStrings(sentOf(entry)).find(({ value }) => value.startsWith(PAT_NAME))?.value;
  const which = name ? `named "${name}"` : `without a name, made at ${new Date(entry.date).toISOString()}`;
  return `a personal access token ${which}: no documented operation revokes it`;
}
