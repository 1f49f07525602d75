import { recordingPath } from '../../api/operations.ts';
import { isGiven, lacking, type TargetField } from '../../api/target-fields.ts';
import { GARBAGE_TOKENS } from '../../api/token-forms.ts';
import { unknownIdentity, userOfUnknown } from '../../api/unknown-identity.ts';
import { untested } from '../../errors.ts';
import { type Entry, isOk, isProtected, jsonIn, type Log, statusOf } from '../../log/entry.ts';
import { ACTORS, type Actor, type Exchange, type Gap, type GapResult } from '../../model.ts';
import { allReaders } from '../../readers/catalogue.ts';
import {
  answering,
  answersTo,
  claimsOf,
  describeQuestion,
  needsOf,
  type Request,
  requestOf,
  writes,
} from '../../readers/questions.ts';
import type { Reader } from '../../readers/reader.ts';
import { attemptAt, freshExchange } from '../../session/refreshing.ts';
import { loadGaps } from '../../spec-data.ts';
import { describe } from '../../values/answer.ts';
import type { JsonObject } from '../../values/json.ts';
import { sleep } from '../../wire/time.ts';
import { NEEDS_WRITES } from '../../wire/write-guard.ts';
import { type Asker, Silent } from '../asker.ts';
import { gapResult, isAsAssumed, notProbed } from '../gap-results.ts';
import { establish } from './establish.ts';

/** What a run shows of the gaps: every gap of the ledger. */
export interface Probed {
  gaps: GapResult[];
  /** All that the run sent. */
  exchanges: Exchange[];
  /** Why admin can show nothing, in a run that learns. */
  adminProblem?: string;
}

/** Requests that one gap may need. */
const MOST_ASKED = 24;

/**
 * Asks what the log does not show yet of each gap, and reads all answers at the end: they are compared with those that are
 * assumed. Never throws for what the target does.
 * @param onGap called with the id of each gap before it is asked about
 */
export async function probe(
  asker: Asker,
  readers: readonly Reader[] = allReaders,
  onGap: (id: string) => void = () => {},
): Promise<Probed> {
  const { session } = asker;
  const asking = new Asking(asker);
  const reasons = new Map<string, string | undefined>();
  let silence: string | undefined;
  const readerOf = (gap: Gap) => readers.find(({ gap: id }) => id === gap.id);
  asker.purpose = { for: 'gaps', odd: ['gap'] };
  try {
    await asking.begin();
    for (const gap of loadGaps()) {
      onGap(gap.id);
      const reader = readerOf(gap);
      reasons.set(gap.id, reader && (await asking.settle(gap, reader)));
    }
  } catch (error) {
    if (!(error instanceof Silent)) throw error;
    silence = error.message;
  }
  const { log } = asker;
  const gaps = loadGaps().map((gap) => {
    const reading = readerOf(gap)?.read(log);
    const assumed = session.assumed(gap.id);
    if (!reading) return notProbed(gap, assumed, 'not probed');
    const why = reasons.has(gap.id) ? reasons.get(gap.id) : silence;
    return gapResult(gap, why === undefined ? reading : { state: 'open', why, by: reading.by }, assumed);
  });
  const adminProblem = asking.problems.get('admin');
  const exchanges = log.entries.map(({ answer }) => answer);
  return { gaps, exchanges, ...(adminProblem !== undefined && session.config.learns ? { adminProblem } : {}) };
}

/** Asks the questions of readers, each as often as it is wanted. */
class Asking {
  /** Why nothing can be observed as an actor. */
  readonly problems = new Map<Actor, string>();

  constructor(private readonly asker: Asker) {}

  /** Signs in where the run has not, and looks whether the credentials are of use. */
  async begin(): Promise<void> {
    const { session, log } = this.asker;
    if (log.entries.length === 0)
      await establish({ asker: this.asker, session, budget: 0, editors: new Map(), lones: [], seed: 1 });
    for (const actor of ACTORS) {
      const problem = await this.#problemOf(actor);
      if (problem !== undefined) this.problems.set(actor, problem);
    }
  }

  /** Asks until the log shows the answer to a gap; gives the reason where it will not. */
  async settle(gap: Gap, reader: Reader): Promise<string | undefined> {
    const { session } = this.asker;
    const mayAsk = (question: string): boolean => this.#against(needsOf(question), writes(question)) === undefined;
    let failure = this.#against(reader.needs, reader.writes);
    for (let asked = 0; failure === undefined && asked < MOST_ASKED; asked += 1) {
      let reading = reader.read(this.asker.log, mayAsk);
      // An answer that is not the assumed one counts only where it is observed again.
      const isEnough = !session.config.learns && isAsAssumed(gap, reading, session.assumed(gap.id));
      if (reader.repeats && !isEnough && reading.state === 'shown' && reading.times < 2)
        reading = reader.read(this.asker.log, mayAsk, 2);
      if (reading.state === 'shown' || reading.wants === undefined) break;
      failure = await this.#ask(reading.wants);
    }
    return failure;
  }

  /** Why something cannot be asked; undefined where it can. */
  #against(needs: readonly TargetField[], isWrite: boolean): string | undefined {
    const { target, config } = this.asker.session;
    const missing = needs.find((field) => !isGiven(target, field));
    if (missing !== undefined) return lacking(missing);
    if (isWrite && !config.allowWrites) return NEEDS_WRITES;
    const actor = ACTORS.find((one) => needs.some((field) => field.split('.')[1] === one) && this.problems.has(one));
    return actor && this.problems.get(actor);
  }

  /** Why nothing can be observed as this actor: the sign-in fails, or what it gave is refused everywhere. */
  async #problemOf(actor: (typeof ACTORS)[number]): Promise<string | undefined> {
    const { session, problems } = this.asker;
    if (!isGiven(session.target, `actors.${actor}`)) return lacking(`actors.${actor}`);
    if (!(await this.asker.as(`${actor}.jwt`))) {
      const problem = problems.get(`${actor}.jwt`);
      return problem === undefined
        ? `no response: ${problems.get('silence')}`
        : `the credentials of ${actor} are of no use: ${problem}`;
    }
    const own = this.asker.log.entries.filter(
      ({ operation, credential: { who, flaw } }) => isProtected(operation) && who === actor && !flaw,
    );
    // Member may be kept from everything that is known, which is an answer and no problem of the credentials.
    const refusing = own.find((entry) => statusOf(entry) === 401 || (statusOf(entry) === 403 && actor === 'admin'));
    if (!refusing || own.some(isOk)) return undefined;
    const { source } = await session.signIn.bearer(actor);
    const { request } = refusing.answer;
    return `the credentials of ${actor} (${source}) are refused: ${request.method} was answered ${describe(refusing.answer)}`;
  }

  /** Asks a question; gives the reason where no answer to it comes. */
  async #ask(question: string): Promise<string | undefined> {
    const asker = this.asker;
    const { n = 0 } = asker.log.entries.at(-1) ?? {};
    for (const name of ['gap', 'silence', 'writes']) asker.problems.delete(name);
    await asker.attempt('gap', () => (BY_SESSION[question] ?? send)(asker, question));
    const silence = asker.problems.get('silence');
    if (silence !== undefined) return `no response: ${silence}`;
    if (asker.problems.has('writes')) return NEEDS_WRITES;
    const isAnswer = answering(question, asker.log);
    const isAnswered = asker.log.entries.some((entry) => entry.n > n && isAnswer(entry));
    return asker.problems.get('gap') ?? (isAnswered ? undefined : `${describeQuestion(question)} was not answered`);
  }
}

/** Questions that helpers of the session ask. */
const BY_SESSION: Readonly<Record<string, (asker: Asker) => Promise<unknown>>> = {
  sso: ({ session }) => session.signIn.again('admin', 'sso'),
  login: ({ session }) => session.signIn.again('admin', 'login'),
  pat: ({ session }) => session.pats.created('admin'),
  async refresh({ session }) {
    const { login, found, tried } = await freshExchange(session);
    if (!tried) throw untested(`A fresh SSO login, for a refresh token, was answered ${describe(login)}`);
    const seen = [...new Set(tried.map(({ path, answer }) => `${path} ${describe(answer)}`))];
    if (!found) throw untested(`no likely path accepted the refresh token of a fresh login (${seen.join('; ')})`);
  },
  async 'refresh-again'({ session }) {
    // The token is from a login made for this, so no other caller loses it.
    const { found } = await freshExchange(session);
    if (found) await attemptAt(session, found, found.token);
  },
};

/** Sends the request of a question. */
async function send(asker: Asker, question: string): Promise<void> {
  const { session, log } = asker;
  const asked = requestOf(question, log);
  if (!asked) throw untested(asker.problems.get('scopes') ?? 'the path of the token scopes is not known');
  const { method, path, as, query, json, raw } = asked;
  const headers = await headersOf(asker, as);
  const search = new URLSearchParams(query).toString();
  const isUpdate = !raw && path === recordingPath(session.target.resources?.recordingId ?? '');
  const request = isUpdate
    ? await session.recording.prepared(json as JsonObject, headers)
    : { method, path: search ? `${path}?${search}` : path, headers, json, raw };
  // Times may be written in whole seconds: the first update says nothing of them.
  const first = log.entries.find(({ operation }) => operation === 'recording');
  if (question === 'update-empty' && answersTo(log, question).some((entry) => entry !== first)) await sleep(1100);
  const ask = () => asker.ask(request, asker.purpose);
  const entry = await (method === 'PATCH' ? session.allowingUpdate(path, ask) : ask());
  if (!entry || !isOk(entry)) return;
  if (isUpdate) session.recording.noteWritten(json as JsonObject);
  const left = leftBy(question, entry, log);
  if (left !== undefined) session.leftovers.add(left);
}

async function headersOf(asker: Asker, as: Request['as']): Promise<Record<string, string>> {
  if (as === 'nobody') return {};
  if (as === 'garbage') return { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` };
  return (await asker.as(`${as}.jwt`)) ?? {};
}

/** What a sign-in that succeeded leaves behind, where it does. */
function leftBy(question: string, entry: Entry, log: Log): string | undefined {
  if (question === 'sso-unknown') return userOfUnknown(unknownIdentity(claimsOf(log)).upn);
  const [, claim] = /^sso-without-(.*)$/.exec(question) ?? [];
  const [user, admin] = [entry, ...answersTo(log, 'sso')].map((each) => (jsonIn(each) as Partial<Grant>)?.user?.id);
  return claim === undefined || user === admin ? undefined : `a user that the SSO login without ${claim} may have made`;
}

type Grant = { user: { id?: unknown } };
