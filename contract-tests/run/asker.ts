import { SSO_PATH } from '../api/operations.ts';
import { CannotAsk, TransportError } from '../errors.ts';
import { type Asked, type Entry, isOk, isRefused, type Log, statusOf } from '../log/entry.ts';
import { areClaimsOf } from '../log/log.ts';
import type { Actor } from '../model.ts';
import type { Caller } from '../plan/questions.ts';
import { recordOf } from '../rules/documented.ts';
import { titlesOfOtherRuns } from '../rules/titles.ts';
import type { Session } from '../session/session.ts';
import { tokenIn } from '../session/signing-in.ts';
import { OF_GATEWAY } from '../values/answer.ts';
import { markIn } from '../values/run-mark.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { sleep } from '../wire/time.ts';
import { CREATE_PAT, NEEDS_WRITES, requestKey } from '../wire/write-guard.ts';

/** Requests under way at once unless a run says otherwise (`--concurrency`). */
const DEFAULT_CONCURRENCY = 4;
/** How long an unexpected refusal may pass, in milliseconds. */
const PASSING_MS = 300;
/** Server errors of one operation that may be trouble on the way. */
const MAX_TROUBLE = 2;
/** Maximum unexpected refusals that are asked again. */
const MAX_REPEATS = 12;
/** How long a client who sent bad credentials may be locked out, and how many exchanges before count for that. */
const LOCK_MS = 5_000;
const MAX_FORGED = 20;

/** A request, and what of it a conforming target may refuse. */
export interface Asking extends ClientRequest {
  odd?: readonly string[];
}

interface Sent {
  request: ClientRequest;
  isAsIs: boolean;
  entry: Entry | undefined;
}

/** Nothing more is asked: the target is silent, a part of a run is spent, or another run occupies the recording of this one. */
export class Stop extends Error {
  constructor(
    readonly why: 'silent' | 'spent' | 'occupied',
    message: string = why,
  ) {
    super(message);
  }
}

/** Sends what the plan says, and keeps the log of the run. */
export class Asker {
  /** The values of the model that were asked, as `recording.title.digits`. */
  readonly covered = new Set<string>();
  /** Why callers, operations and phases cannot be asked. */
  readonly problems = new Map<string, string>();
  /** What is asked by helpers of the session, which say nothing of it themselves. */
  purpose: Asked = { for: 'set-up', odd: [] };
  /** How many requests the run may have sent; what is under way is finished. */
  limit = Number.POSITIVE_INFINITY;
  /** Whether a phase ends where another run writes the recording: there may be another one. */
  stopsWhenOccupied = false;
  #last: Sent | undefined;
  #repeats = 0;
  #hasWaited = false;
  readonly #trouble = new Map<Entry['operation'], number>();

  constructor(readonly session: Session) {
    session.askedFor = (request) => this.#default(request);
    session.onEntry = (entry) => this.#noteOthers(entry);
  }

  /** The exchanges of the run so far that rules judge. */
  get log(): Log {
    const { trouble, target, builder, scopes } = this.session;
    const log = { ...builder.log, isLimited: trouble.includes('429'), resources: target.resources ?? {} };
    // Which of the likely paths is that of the token scopes is known only once it is found.
    const isElsewhere = ({ operation, path }: Entry): boolean => operation === 'scopes' && path !== scopes.foundPath;
    if (!log.entries.some(isElsewhere)) return log;
    return {
      ...log,
      entries: log.entries.map((entry) => (isElsewhere(entry) ? { ...entry, operation: undefined } : entry)),
    };
  }

  #assertMore(): void {
    if (this.isStopped) throw new Stop('silent');
    if (this.session.sent.length >= this.limit) throw new Stop('spent');
    if (this.stopsWhenOccupied && this.session.recording.isShared) throw new Stop('occupied');
  }

  #noteOthers(entry: Entry): void {
    const { stored, resource = stored?.recordingId } = entry;
    const mark = markIn(recordOf(entry)?.title ?? stored?.fields.summary);
    if (mark === undefined || mark === this.session.mark) return;
    const others = titlesOfOtherRuns(this.log);
    for (const recording of [this.session.recording, this.session.otherRecording])
      if (resource === recording.givenId && others.has(resource)) recording.isShared = true;
  }

  #default(request: ClientRequest): Asked {
    if (this.purpose.odd.length > 0) return this.purpose;
    // Its body is not documented; what an update of nothing answers is not, either.
    const isNothing = request.method === 'PATCH' && JSON.stringify(request.json) === '{}';
    if (isNothing || requestKey(request) === CREATE_PAT) return { ...this.purpose, odd: ['body'] };
    const isOdd = request.path === SSO_PATH && !this.isOfActor(request.json);
    return isOdd ? { ...this.purpose, odd: ['identity'] } : this.purpose;
  }

  isOfActor = (claims: unknown): boolean => areClaimsOf(this.session.builder.log.actors, claims);

  /** Sends a request, once more where it should succeed and does not; undefined where it could not be sent, or nothing came. */
  async ask(request: ClientRequest, asked: Asked, isAsIs = asked.odd.includes('expiry')): Promise<Entry | undefined> {
    const before = this.#last;
    const first = await this.#send({ ...request, note: asked }, isAsIs);
    if (!first || isOk(first) || asked.odd.length > 0 || asked.flaw || statusOf(first) === 429) return first;
    if (this.#repeats >= MAX_REPEATS) return first;
    this.#repeats += 1;
    await sleep(PASSING_MS);
    const second = await this.#send({ ...request, note: asked }, isAsIs);
    // A server error that passes is trouble on the way, unless it comes again and again, or after the same request before it.
    if (second && isOk(second) && statusOf(first) >= 500) {
      const times = this.#trouble.get(first.operation) ?? 0;
      this.#trouble.set(first.operation, times + 1);
      if (times < MAX_TROUBLE && !(await this.#failsAgain(before, { ...request, note: asked }, isAsIs))) {
        this.session.builder.forget((entry) => entry !== first);
        this.session.trouble.push(String(statusOf(first)));
      }
    }
    if (!second || !this.#isLocked(first) || !this.#isLocked(second)) return second ?? first;
    this.#hasWaited = true;
    await sleep(LOCK_MS);
    const third = await this.#send({ ...request, note: asked }, isAsIs);
    if (!third || !isOk(third)) return second;
    this.session.builder.forget((entry) => entry !== first && entry !== second);
    this.session.trouble.push(String(statusOf(first)), String(statusOf(second)));
    return third;
  }

  /** Whether a refusal may be that of a client who sent bad credentials, for a while; it is waited for once a run. */
  #isLocked(entry: Entry): boolean {
    const isOfClient = [403, 423].includes(statusOf(entry)) && !this.#hasWaited;
    return (
      isOfClient && this.session.entries.slice(-MAX_FORGED).some(({ credential }) => credential.flaw !== undefined)
    );
  }

  /** Whether trouble that lasts ended the run. */
  get isStopped(): boolean {
    return this.session.client.over !== undefined;
  }

  /** Forgets what a gateway answered at last, after the API: rules judge no outage. */
  forgetOutage(): void {
    const { entries, builder } = this.session;
    const last = entries.findLast((entry) => !OF_GATEWAY.has(statusOf(entry)));
    if (last && this.isStopped) builder.forget(({ n }) => n <= last.n);
  }

  /** Whether a request fails once more after a refusal, after which it failed before. */
  async #failsAgain(before: Sent | undefined, request: ClientRequest, isAsIs: boolean): Promise<boolean> {
    if (!before?.entry || !isRefused(before.entry) || before.entry.operation === 'pat') return false;
    const { request: earlier, entry: refused, isAsIs: wasAsIs } = before;
    const resend = () => this.#send({ ...earlier, note: refused.asked }, wasAsIs);
    // It may have been of an identifier that is not the recording's.
    await (earlier.method === 'PATCH' ? this.session.allowingUpdate(earlier.path, resend) : resend());
    const entry = await this.#send(request, isAsIs);
    return entry !== undefined && statusOf(entry) >= 500;
  }

  async #send(request: ClientRequest, isAsIs: boolean): Promise<Entry | undefined> {
    const send = () => (isAsIs ? this.session.sendAsIs(request) : this.session.send(request));
    const answer = await this.attempt('request', send, this.purpose, this.session.askedOf(request));
    if (!answer) return undefined;
    const entry = this.session.entryOf(answer);
    this.#last = { request, isAsIs, entry };
    return entry;
  }

  /** How many requests may be under way at once: one where the target file limits requests a second. */
  get concurrency(): number {
    const { config, target } = this.session;
    return target.limits?.requestsPerSecond === undefined ? Math.max(1, config.concurrency ?? DEFAULT_CONCURRENCY) : 1;
  }

  /** Sends requests so that as many overlap as the run allows, `apartMs` apart; those that read are repeated to fill up to `--concurrency`. */
  async together(requests: readonly Asking[], asked: Asked, apartMs = 0): Promise<Entry[]> {
    const most = this.concurrency;
    const wanted = Math.min(most, this.session.config.concurrency ?? 0);
    const all = [...requests];
    const reading = requests.filter(({ method }) => method === 'GET');
    while (reading.length > 0 && all.length < wanted) all.push(...reading.slice(0, wanted - all.length));
    const entries: Entry[] = [];
    for (let from = 0; from < all.length; from += most) {
      const batch = all.slice(from, from + most).map(async (request, at) => {
        if (at * apartMs > 0) await sleep(at * apartMs);
        return this.ask(request, { ...asked, odd: ['overlap', ...(request.odd ?? [])] });
      });
      entries.push(...(await Promise.all(batch)).filter((entry) => entry !== undefined));
    }
    return entries;
  }

  /** What a helper of the session gives; undefined where it cannot, and the reason is kept. */
  async attempt<T>(
    what: string,
    work: () => Promise<T>,
    purpose = this.purpose,
    { odd, flaw }: Asked = purpose,
  ): Promise<T | undefined> {
    this.#assertMore();
    const before = this.purpose;
    this.purpose = purpose;
    try {
      return await work();
    } catch (error) {
      const isSilent = error instanceof TransportError;
      if (!isSilent && !(error instanceof CannotAsk)) throw error;
      const isDue = odd.length === 0 && !flaw && !this.isStopped;
      if (isSilent && isDue) this.session.unanswered.push(error.message);
      this.problems.set(isSilent ? 'silence' : error.message === NEEDS_WRITES ? 'writes' : what, error.message);
      return undefined;
    } finally {
      this.purpose = before;
    }
  }

  async findScopes(): Promise<string | undefined> {
    const { scopes } = this.session;
    return scopes.foundPath ?? (await this.attempt('scopes', () => scopes.path()));
  }

  /** The headers with which a caller sends; undefined where the target file or the target gives it no such credential. */
  async as(caller: Caller): Promise<Record<string, string> | undefined> {
    const [, actor, kind] = /^(.+)\.(\w+)$/.exec(caller) as unknown as [string, Actor, 'jwt' | 'login' | 'pat'];
    if (Object.keys(this.session.credentials(actor)).length === 0) return undefined;
    // An access token may have been replaced meanwhile.
    if (kind === 'jwt') return this.attempt(caller, () => this.session.signIn.authorization(actor));
    return this.session.once(`headers of ${caller}`, () => this.#obtain(caller, actor, kind));
  }

  async #obtain(caller: Caller, actor: Actor, kind: 'login' | 'pat'): Promise<Record<string, string> | undefined> {
    const { login, sso, accessToken } = this.session.credentials(actor);
    const token = await this.attempt(caller, async () => {
      if (kind === 'pat') return this.session.pats.of(actor);
      // Where it is the only way to sign in, it is that of the JWT as well.
      if (!login || !(sso || accessToken)) return undefined;
      return tokenIn('login', await this.session.signIn.login(actor));
    });
    return token === undefined ? undefined : { Authorization: `Bearer ${token}` };
  }
}
