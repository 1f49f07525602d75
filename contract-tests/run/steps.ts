import { isDeepStrictEqual } from 'node:util';
import { isUpdate, recordingPath } from '../api/operations.ts';
import { GARBAGE_TOKENS } from '../api/token-forms.ts';
import { type Asked, type Entry, isFailure, isOk, type Log, objectIn, sentObject, sentOf } from '../log/entry.ts';
import { signerOf } from '../log/log.ts';
import type { Actor } from '../model.ts';
import { loadModel, type Model, type Value } from '../plan/model.ts';
import type { Caller, QuestionRow } from '../plan/questions.ts';
import { requestOf } from '../readers/questions.ts';
import { listedKeys, recordOf } from '../rules/documented.ts';
import type { Session } from '../session/session.ts';
import { cookieHeader, cookiesIn } from '../values/cookies.ts';
import { asText, canonical, hasMember, type JsonObject, objectOf } from '../values/json.ts';
import { markedTitle } from '../values/run-mark.ts';
import { parametersOf } from '../values/url.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { Asker, type Asking } from './asker.ts';
import { unlike } from './choices.ts';

export type Recording = Session['recording'];

/** What a request is asked for that every conforming target accepts. */
export const mild = (what: string): Asked => ({ for: what, odd: [] });

/** Whether an exchange is an update of exactly these fields. */
export const isUpdateOf = (entry: Entry) => {
  const sent = Object.keys(sentObject(entry)).toSorted();
  return (fields: readonly string[]): boolean =>
    entry.operation === 'recording' && isDeepStrictEqual(sent, fields.toSorted());
};

export const userIdIn = (signIn: Entry): unknown => objectOf(objectIn(signIn).user).id;

export interface Row extends Omit<QuestionRow, 'as'> {
  on?: 'second';
  title?: string;
  headers?: Record<string, string>;
  isChunked?: true;
  isEscaped?: true;
  /** With a percent-encoded letter in what the document shows of its path. */
  isPathEncoded?: true;
  /** With the cookies that answers to others have set, as a browser does in which somebody else signs in. */
  hasCookies?: true;
}

/** A request of a phase, sent by each of its callers in turn; or what code sends. */
export interface Step extends Row {
  as?: Caller | readonly Caller[];
  call?: (run: Run, step: Step, round: number) => Promise<unknown>;
  runs?: 'always' | 'long';
  for?: string;
  odd?: readonly string[];
  /** Requests under way at the same time. */
  overlap?: readonly Step[];
  /** Each of them begins a little after the one before it. */
  isStaggered?: true;
  /** Sent only if the row before it cannot be. */
  isInstead?: true;
  when?: 'accepted';
  once?: true;
  times?: number;
  covers?: string;
}

/** Who sends a request; a token as it is need not be of anybody. */
type Sender = Caller | 'nobody' | 'garbage' | `Bearer ${string}`;

export function searchOf(query: JsonObject): string {
  const parameters = new URLSearchParams(parametersOf(query)).toString().replaceAll('+', '%20');
  return parameters && `?${parameters}`;
}

const percentCode = (letter: string): string => `%${letter.charCodeAt(0).toString(16)}`;

/** The cookies that answers to admin have set, those to sign-ins too. */
function cookiesOf({ entries, actors }: Log): string {
  const own = entries.filter((entry) => (entry.credential.who ?? signerOf(actors, entry.answer)) === 'admin');
  return cookieHeader(cookiesIn(own.map(({ answer }) => answer.response.headers['set-cookie'])));
}

/** By how much later the second one of two updates is sent at most, in milliseconds: the first one arrives first, and is under way. */
const APART_MS = 3;

/** Sends what the model writes down: what a phase works with. */
export class Run extends Asker {
  /** @param budget how many requests the run may send */
  constructor(
    session: Session,
    readonly budget: number,
    readonly seed = 1,
  ) {
    super(session);
  }

  /** What the run asks by: ours, with the values and requests of `--model`. */
  get model(): Model {
    return this.session.config.model ?? loadModel();
  }

  get isQuick(): boolean {
    return this.budget <= this.model.budget.quick;
  }

  get isLong(): boolean {
    return this.budget > this.model.budget.default;
  }

  /** How many requests may be sent now where so many follow. */
  spareIn(following: number): number {
    return Math.max(this.budget, this.model.budget.most) - this.session.sent.length - following;
  }

  /** A title that names the run, so that another run at the same recording notices this one. */
  titled(text: string): string {
    return markedTitle(text, this.session.mark);
  }

  /** The title of the model that a part of the run other than the updates sends. */
  elsewhereIn(part: Value['elsewhere']): unknown {
    const value = this.model.recording.dimensions.title?.find(({ elsewhere }) => elsewhere === part);
    this.covered.add(`recording.title.${value?.id}`);
    return value?.value;
  }

  get recordings(): readonly Recording[] {
    const { target, recording, otherRecording } = this.session;
    return [
      ...(target.resources?.recordingId === undefined ? [] : [recording]),
      ...(target.resources?.otherRecordingId === undefined ? [] : [otherRecording]),
    ];
  }

  /** A recording as the last update answered it. */
  lastRecord({ id }: Recording): JsonObject | undefined {
    return recordOf(this.log.entries.findLast((entry) => entry.resource === id && recordOf(entry)));
  }

  /** Whether an actor was seen to update a recording. */
  mayUpdate({ id }: Recording, actor: Actor): boolean {
    return this.log.entries.some(
      (entry) => entry.resource === id && entry.credential.who === actor && !entry.credential.flaw && isOk(entry),
    );
  }

  /** Who updates a recording: admin, unless it was seen that only member may. */
  editorOf(recording: Recording): Caller {
    return this.mayUpdate(recording, 'member') && !this.mayUpdate(recording, 'admin') ? 'member.jwt' : 'admin.jwt';
  }

  /** The keys of the first whole list of the run. */
  get knownKeys(): JsonObject[] {
    const { tenantId } = this.session.target.resources ?? {};
    const whole = this.log.entries
      .filter(isOk)
      .find(
        ({ operation, query, resource, asked }) =>
          operation === 'api-keys' && query.length === 0 && resource === tenantId && !asked?.odd.length,
      );
    return whole ? listedKeys(whole) : [];
  }

  /** The request of a row by a caller; undefined where the target file or the target lacks something for it. */
  async requestBy(row: Row, caller: Sender): Promise<ClientRequest | undefined> {
    if (row.of === 'scopes') await this.findScopes();
    const own = await this.#headersOf(caller);
    const request = own && requestOf(row, this.log);
    if (!request) return undefined;
    const cookie = row.hasCookies ? cookiesOf(this.log) : '';
    const headers = { ...own, ...row.headers, ...(cookie !== '' && { Cookie: cookie }) };
    const { method, query, raw } = request;
    const json = row.title === undefined ? request.json : { title: this.titled(row.title) };
    const { recordings } = this;
    const recording = row.on ? recordings[1] : recordings.find(({ id }) => request.path === recordingPath(id));
    if (method === 'PATCH' && recording && json !== undefined && row.id === undefined) {
      const prepared = await this.attempt('recording', () => recording.prepared(json as JsonObject, own));
      const search = searchOf(unlike(query, this.lastRecord(recording)));
      return prepared && { ...prepared, path: prepared.path + search, headers };
    }
    if (row.on) return undefined;
    const shown = row.isPathEncoded ? request.path.replace(/(?<=^\/v1\/)\w/, percentCode) : request.path;
    const path = shown + searchOf(query);
    return { method, path, headers, accept: row.accept, json, raw, isChunked: row.isChunked, isEscaped: row.isEscaped };
  }

  async #headersOf(caller: Sender): Promise<Record<string, string> | undefined> {
    if (caller === 'nobody') return {};
    if (caller.startsWith('Bearer ')) return { Authorization: caller };
    return caller === 'garbage' ? { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` } : this.as(caller as Caller);
  }

  /** Sends a request as the model writes it down; the write guard lets it through where it updates another path. */
  async askFor(row: Row, caller: Sender, asked: Asked, more: Partial<ClientRequest> = {}): Promise<Entry | undefined> {
    const request = await this.requestBy(row, caller);
    if (!request) return undefined;
    const sending = () => this.ask({ ...request, ...more, headers: { ...request.headers, ...more.headers } }, asked);
    const entry = await (request.method === 'PATCH' ? this.session.allowingUpdate(request.path, sending) : sending());
    if (entry) this.#note(entry);
    return entry;
  }

  /** Notes what an accepted sign-in with other claims than an actor's may have left behind: a user. */
  #note(entry: Entry): void {
    const { target, told } = this.session;
    if (!isOk(entry) || entry.operation !== 'sso') return;
    const sent = sentObject(entry);
    if (this.isOfActor(sent)) return;
    const claims = target.actors?.admin?.sso ?? {};
    if (sent.oid !== undefined && sent.oid === target.actors?.member?.sso?.oid) return;
    const missing = Object.keys(claims).filter((claim) => !hasMember(sent, claim));
    if (missing.length === 0 && sent.oid !== claims.oid)
      told.add(`the user ${asText(sent.upn)}, made by the SSO login of an unknown identity`);
    const known = this.log.entries.find(({ answer }) => answer.request.body === JSON.stringify(claims));
    if (missing.length === 1 && !(known && userIdIn(entry) === userIdIn(known)))
      told.add(`a user that the SSO login without ${missing[0]} may have made`);
  }

  isSignInOf(actor: Actor, way: 'sso' | 'login' = 'sso') {
    const given = this.session.credentials(actor)[way];
    return (entry: Entry): boolean =>
      given !== undefined && entry.operation === way && isOk(entry) && canonical(sentOf(entry)) === canonical(given);
  }

  list(caller: Sender, query: Record<string, string> = {}, asked: Asked = mild('lists')) {
    return this.askFor({ of: 'api-keys', query }, caller, asked);
  }

  update(recording: Recording, caller: Sender, json: JsonObject, asked: Asked, more?: Partial<ClientRequest>) {
    const on = recording === this.recordings[1] ? 'second' : undefined;
    const { summary } = json;
    // A summary that is read names the run, so that another run at the same recording notices this one.
    const isMarked = this.session.target.reads && typeof summary === 'string' && summary !== '';
    const own = isMarked ? { ...json, summary: this.titled(summary) } : json;
    return this.askFor({ of: 'recording', json: own, on }, caller, asked, more);
  }

  /** Sends the steps of a phase, by each of their callers; in later rounds the planner chooses other values. */
  async sendSteps(steps: readonly Step[], round = 0) {
    for (const step of steps) {
      if (this.isQuick ? step.runs !== 'always' : step.runs === 'long' && !this.isLong) continue;
      const last = this.log.entries.at(-1);
      if (step.when === 'accepted' && last && !isOk(last)) continue;
      if (step.call) await step.call(this, step, round);
      else if (step.overlap) await this.sendTogether(step.overlap, step);
      else for (let time = 0; time < (step.times ?? 1); time += 1) await this.#sendStep(step);
    }
  }

  async #sendStep(step: Step): Promise<void> {
    const isWrite = step.writes === true || isUpdate(step.of);
    if (isWrite && !this.session.config.allowWrites) return void this.problems.set('writes', 'writes are not allowed');
    const asked = { for: step.for ?? step.covers ?? this.purpose.for, odd: step.odd ?? [] };
    for (const caller of this.#callersOf(step)) {
      const headers = await this.#headersOf(caller);
      if (!headers) continue;
      if (step.of === 'scopes') this.covered.add(`scopes.caller.${caller}`);
      if (step.once && this.#wasAsked(step, headers)) continue;
      if ((await this.askFor(step, caller, asked)) && step.covers !== undefined) this.covered.add(step.covers);
    }
  }

  #callersOf({ of, on, as }: Step): readonly Caller[] {
    const [second] = on === 'second' ? this.recordings.slice(1) : [];
    const usual = second ? this.editorOf(second) : of === 'sso' ? ('nobody' as Caller) : 'admin.jwt';
    return [as ?? usual].flat() as readonly Caller[];
  }

  /** Whether the log has what the same credentials were answered: a success, or a refusal where that may be. */
  #wasAsked({ of, odd }: Step, { Authorization }: Record<string, string>): boolean {
    return this.log.entries.some(
      (entry) =>
        entry.operation === of &&
        (odd !== undefined || isOk(entry)) &&
        entry.query.length === 0 &&
        entry.answer.request.headers.Authorization === Authorization,
    );
  }

  /** Requests under way at the same time: what one of them does must not reach another. */
  async sendTogether(rows: readonly Step[], step: Step): Promise<Entry[]> {
    const requests: Asking[] = [];
    const sent: Step[] = [];
    let isLastSent = false;
    for (const row of rows) {
      if (row.isInstead && isLastSent) continue;
      const isWrite = row.writes === true || isUpdate(row.of);
      const [caller = 'admin.jwt'] = this.#callersOf(row);
      const mayBeSent = this.session.config.allowWrites || !isWrite;
      const request = mayBeSent ? await this.requestBy(row, caller) : undefined;
      isLastSent = request !== undefined;
      if (!request) continue;
      requests.push({ ...request, odd: row.odd });
      sent.push(row);
    }
    if (requests.length < 2 || this.concurrency < 2) return [];
    for (const { covers } of sent) if (covers !== undefined) this.covered.add(covers);
    const asked = mild(step.for ?? this.purpose.for);
    const send = () => this.together(requests, asked, step.isStaggered ? this.#apartMs() : 0);
    const entries = await send();
    // A failure that comes again is no trouble on the way.
    if (entries.some(isFailure)) entries.push(...(await send()));
    for (const entry of entries) this.#note(entry);
    return entries;
  }

  /** A fast target would have answered the first one before the second one comes. */
  #apartMs(): number {
    const times = this.log.entries.filter(({ operation }) => isUpdate(operation)).map(lasted);
    return Math.floor(Math.min(APART_MS, (times.toSorted((a, b) => a - b)[0] ?? 0) / 2));
  }
}

const lasted = ({ startedAt, endedAt }: Entry): number => endedAt - startedAt;
