import { isProtected, type Method, PAT_CREATION_PATH, PAT_NAME } from '../api/operations.ts';
import { isRecording } from '../api/records.ts';
import { CannotAsk } from '../errors.ts';
import { type Asked, type Entry, isOk, jsonIn, sentObject, sentOf } from '../log/entry.ts';
import { countRefused, isGood, LAG_MS, mayHaveEnded, placeOf, usesOf } from '../log/lives.ts';
import type { RequestCounts } from '../model.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { acceptedBy } from '../values/accept.ts';
import { type Answer, isSuccess, jsonOf } from '../values/answer.ts';
import { groupBy } from '../values/group.ts';
import { asText, findStrings, memberOf } from '../values/json.ts';
import { trimmedBase } from '../values/url.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { now, sleep } from '../wire/time.ts';
import { CREATE_PAT, type Effect, type RequestKey, requestKey } from '../wire/write-guard.ts';
import { AcceptTurns, AXIOS } from './accept-turns.ts';
import { Connection } from './connection.ts';
import { DisposableRecording } from './disposable-recording.ts';
import { Pats } from './pats.ts';
import { SigningIn } from './signing-in.ts';
import { TokenScopes } from './token-scopes.ts';

/** Waits between two looks, in milliseconds: a deployment may need that long until all its instances know a token or a write. */
export const WAITS = [100, 200, 400, 800, 1_500];
/** How often a run waits to see whether a token that was accepted is refused for good. */
const MAX_LOOKS = 4;

/** How long a fresh token is watched after the one before it died. */
const LONGEST_WATCH_MS = 15_000;

/** How many requests are sent again to see whether one of them ends a token. */
const MOST_REPEATED = 12;

const LOOK: Asked = { for: 'whether a token is still accepted', odd: [] };

/** Whether a client that does not name JSON in Accept got something else than an error in JSON. */
function isRefusalToOthers(answer: Answer): boolean {
  const { request, response } = answer;
  const isOther = acceptedBy(request.headers.Accept) !== 'json' && !isSuccess(answer);
  return isOther && (response.status < 400 || jsonOf(answer) === undefined);
}

/** How many pairs of exchanges overlap; they are in the order of their answers. */
function overlapsIn(entries: readonly Entry[]): number {
  const inOrder = entries.toSorted((a, b) => a.begin - b.begin);
  return inOrder.reduce((sum, entry, at) => {
    const next = inOrder.findIndex((other, place) => place > at && other.begin > entry.end);
    return sum + (next < 0 ? inOrder.length : next) - at - 1;
  }, 0);
}

const isRead = ({ answer }: Entry): boolean => answer.request.method === 'GET';

const sameRead = ({ path }: Entry, token: string): ClientRequest => ({
  ...{ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } },
  note: LOOK,
});

const countBy = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]));

/** The suite's dealings with one target, as its actors; keeps what several phases share, so that the target sees few requests. */
export class Session extends Connection {
  readonly signIn = new SigningIn(this);
  recording = new DisposableRecording(this);
  otherRecording = new DisposableRecording(this, 'otherRecordingId');
  readonly scopes: TokenScopes = new TokenScopes(this);
  readonly pats = new Pats(this);
  /** How long instances needed to know a new token, in milliseconds; infinite where waiting was in vain. */
  #lag = 0;
  #looks = 0;
  /** Which token is sent instead of one that is not accepted any more. */
  readonly #replaced = new Map<string, string>();
  readonly #accepts = new AcceptTurns();
  /** Requests that may have made a PAT, without an answer so far. */
  readonly #unanswered = new Set<ClientRequest>();

  /** Sends a request, with another token where its own was refused and may have ended, and again while its token is new. */
  override async send(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    let token = /^Bearer (.+)$/.exec(request.headers?.Authorization ?? '')?.[1];
    if (token === undefined) return this.sendAsIs(request, isCleanUp);
    for (let next = this.#replaced.get(token); next !== undefined; next = this.#replaced.get(token)) token = next;
    const sendWith = async (bearer: string): Promise<Answer> => {
      const own = { ...request, headers: { ...request.headers, Authorization: `Bearer ${bearer}` } };
      const answer = await this.sendAsIs(own, isCleanUp);
      // What follows depends on the refusal, which may be a page or a redirect to others (gap error-accept).
      return isRefusalToOthers(answer) ? this.sendAsIs({ ...own, accept: AXIOS }, isCleanUp) : answer;
    };
    let answer = await sendWith(token);
    // 403 says who it is, and 404 is what hides who is not let in: one of whom that may be has no better token.
    const mayLackRight = this.askedOf(request).odd.includes('caller');
    if (answer.response.status !== 401 && (answer.response.status !== 404 || mayLackRight)) return answer;
    for (const other of [await this.signIn.replacementFor(token), this.pats.newerThan(token)]) {
      if (other === undefined) continue;
      answer = await sendWith(other);
      if (!isSuccess(answer)) continue;
      this.#replace(token, other);
      return answer;
    }
    const own = token;
    answer = await this.#sendWhileNew(() => sendWith(own), own, answer);
    const entry = this.entryOf(answer);
    if (answer.response.status !== 401 || !entry || !isProtected(entry.operation) || !isGood(entry)) return answer;
    const again = await this.#lookAgain(() => sendWith(own), entry);
    if (again !== 'gone' && again !== 'ended') return again ?? answer;
    const isPat = entry.credential.kind === 'pat';
    const fresh = await this.once(`after ${own}`, () => (isPat ? this.pats : this.signIn).renewed(own));
    // A target may hand out the same one again.
    if (fresh === undefined || fresh === own) return answer;
    const renewed = await sendWith(fresh);
    // Of one that was never accepted it is not known whether it would be elsewhere: the new one serves as well.
    if (isSuccess(renewed) || this.acceptedAt(own) === undefined) this.#replace(own, fresh);
    if (isSuccess(renewed) && again === 'gone') await this.#watch(sendWith, entry, fresh);
    return renewed;
  }

  #replace(token: string, by: string): void {
    if (token === by) return;
    // The newest ends the chain, which must not lead back to itself.
    this.#replaced.delete(by);
    this.#replaced.set(token, by);
    this.signIn.replace(token, by);
  }

  /** The same as it is: a refusal may be what is looked for. */
  async sendAsIs(request: ClientRequest, isCleanUp = false): Promise<Answer> {
    if (requestKey(request) === CREATE_PAT && this.config.allowWrites) this.#unanswered.add(request);
    const answer = await this.client.send({ ...request, accept: request.accept ?? this.#acceptOf(request) }, isCleanUp);
    this.#unanswered.delete(request);
    return answer;
  }

  #acceptOf(request: ClientRequest): string {
    const url = trimmedBase(this.target.baseUrl) + request.path;
    const { operation } = this.builder.operations.find({ method: request.method, url }) ?? {};
    const { odd, flaw } = this.askedOf(request);
    const hasSucceeded = this.entries.some((entry) => entry.operation === operation && isOk(entry));
    // Its body is not documented, and no other operation is asked so seldom.
    const mayBeRefused = operation !== 'pat' && odd.some((part) => part !== 'overlap');
    return this.#accepts.next({ operation, flaw: flaw?.kind, mayBeRefused }, hasSucceeded);
  }

  /** Repeats a refused request while its token is new, and gives the last answer; waits no more once that was in vain. */
  async #sendWhileNew(send: () => Promise<Answer>, token: string, refusal: Answer): Promise<Answer> {
    const since = this.builder.known.get(token)?.issued?.at ?? Number.NEGATIVE_INFINITY;
    let answer = refusal;
    for (const wait of this.#lag === Number.POSITIVE_INFINITY ? [] : WAITS) {
      const left = since + LAG_MS - now();
      if (answer.response.status !== 401 || left <= 0) break;
      await sleep(Math.ceil(Math.min(left, Math.max(wait, since + this.#lag - now()))));
      answer = await send();
    }
    if (answer === refusal) return answer;
    if (answer.response.status !== 401) this.#lag = Math.max(this.#lag, now() - since);
    else if (this.#lag === 0) this.#lag = Number.POSITIVE_INFINITY;
    return answer;
  }

  /**
   * What a request is answered 3 s after its token was refused; `gone` where that is refused for good, `ended` where something may have ended it, or
   * it was never accepted. A token that was accepted at other operations only is sent to one of these: where it still is, the refusal is about the operation.
   */
  async #lookAgain(send: () => Promise<Answer>, entry: Entry): Promise<Answer | 'gone' | 'ended' | undefined> {
    const { log } = this.builder;
    const { token = '', kind, issued } = entry.credential;
    const accepted = (usesOf(log).get(token) ?? []).filter(isOk);
    const last = accepted.at(-1);
    if (!last) return issued && kind !== 'pat' ? 'ended' : undefined;
    if (mayHaveEnded(log, last.n, entry)) return this.signIn.isInUse(token) ? 'ended' : undefined;
    const isHere = accepted.some((use) => placeOf(use) === placeOf(entry));
    const elsewhere = accepted.findLast(isRead);
    if (!isHere && !elsewhere) return 'ended';
    const look = isHere || !elsewhere ? send : () => this.sendAsIs(sameRead(elsewhere, token));
    if (!isHere && isSuccess(await look())) return undefined;
    if (this.#looks >= MAX_LOOKS) return 'ended';
    this.#looks += 1;
    await sleep(LAG_MS);
    const answer = await look();
    if (!isSuccess(answer)) return 'gone';
    return isHere ? answer : send();
  }

  /**
   * Once for each kind: uses a fresh token after the requests between which the one before it died, and after as long as that
   * lived. Where it is refused as well, uses the token of a sign-in after another one: a client that signs in as the same user
   * may have ended those before.
   */
  async #watch(send: (token: string) => Promise<Answer>, refused: Entry, token: string): Promise<void> {
    const { kind, issued } = refused.credential;
    await this.once(`whether a fresh ${kind} lives longer`, async () => {
      const isDead = async (): Promise<boolean> => {
        if ((await send(token)).response.status !== 401) return false;
        await sleep(LAG_MS);
        return (await send(token)).response.status === 401;
      };
      const lived = now() - (issued?.at ?? refused.endedAt);
      await this.#repeatBefore(refused, token);
      if (!(await isDead())) {
        await sleep(Math.ceil(Math.min(lived, LONGEST_WATCH_MS)));
        if (!(await isDead())) return;
      }
      const earlier = kind === 'pat' ? undefined : await this.signIn.renewed(token);
      const later = earlier && (await this.signIn.renewed(earlier));
      if (!earlier || !later) return;
      await send(earlier);
      this.#replace(token, later);
    });
  }

  /** Sends again what lay between the last success of a token and its refusal, with a fresh token in its place: one of these requests may have ended it. */
  async #repeatBefore({ n, credential }: Entry, fresh: string): Promise<void> {
    const { token = '' } = credential;
    const since =
      usesOf(this.builder.log)
        .get(token)
        ?.findLast((use) => use.n < n && isOk(use))?.n ?? n;
    // No documented operation removes a PAT, and a refresh token may be exchanged once.
    const isRepeatable = ({ operation }: Entry): boolean => operation !== undefined && operation !== 'pat';
    const between = this.entries.filter((entry) => entry.n >= since && entry.n < n && isRepeatable(entry));
    for (const { answer, asked } of between.slice(-MOST_REPEATED)) {
      const { method, url, headers, body } = answer.request;
      const path = url.slice(trimmedBase(this.target.baseUrl).length);
      const own = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(token, () => fresh)]);
      const raw = body === undefined ? undefined : { text: body, contentType: headers['Content-Type'] ?? '' };
      const accept = headers.Accept ?? '';
      const request = { method: method as Method, path, headers: Object.fromEntries(own), accept, raw, note: asked };
      const send = () => this.sendAsIs(request);
      await (method === 'PATCH' ? this.allowingUpdate(path, send) : send());
    }
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

  /** Goes on at the other recording, as if the target file named no more; both get their values back at the end. */
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
  async finish(): Promise<Session['left']> {
    await this.restore();
    await this.tearDown();
    return this.left;
  }

  get left(): { leftovers: string[]; requests: RequestCounts; secrets: Secrets; unanswered: readonly string[] } {
    const { leftovers, secrets, unanswered } = this;
    return { leftovers, requests: this.#counts(), secrets, unanswered };
  }

  #counts(): RequestCounts {
    const operations = this.sent.map((request) => this.builder.operations.find(request)?.operation ?? 'other');
    const writes = operations.filter((id, at) => id === 'pat' || this.sent[at]?.method === 'PATCH').length;
    const refused = countRefused(this.builder.log);
    const met = [
      ...this.trouble,
      ...Array<string>(refused.new).fill('401 to a new token'),
      ...Array<string>(refused.unexplained).fill('401 to a good token'),
    ];
    const trouble = met.length > 0 ? countBy(met) : undefined;
    const replaced = refused.replaced || undefined;
    const { slowedTo } = this.pace;
    const overlaps = overlapsIn(this.entries) || undefined;
    return { total: this.sent.length, writes, overlaps, byOperation: countBy(operations), trouble, replaced, slowedTo };
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
  const own = findStrings(sentOf(entry)).find(({ value }) => value.startsWith(PAT_NAME))?.value;
  // In a replay, the app has named it.
  const name = own ?? memberOf(sentObject(entry), 'name');
  const which = name ? `named "${asText(name)}"` : `without a name, made at ${new Date(entry.date).toISOString()}`;
  return `a personal access token ${which}: no documented operation revokes it`;
}
