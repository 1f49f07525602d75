import { isGiven, lacking, type TargetField } from '../../api/target-fields.ts';
import { GARBAGE_TOKENS } from '../../api/token-forms.ts';
import { unknownIdentity, userOfUnknown } from '../../api/unknown-identity.ts';
import { untested } from '../../failure.ts';
import { isOk, isProtected, jsonIn, statusOf } from '../../log/entry.ts';
import { ACTORS, type Actor, type Exchange, type Gap, type GapResult } from '../../model.ts';
import { allReaders } from '../../readers/catalogue.ts';
import {
  answering,
  answersTo,
  QUESTIONS,
  type Question,
  type QuestionId,
  type Request,
} from '../../readers/questions.ts';
import type { Reader } from '../../readers/reader.ts';
import { attemptAt, freshExchange } from '../../session/refreshing.ts';
import { loadGaps } from '../../spec-data.ts';
import { describe } from '../../values/answer.ts';
import { isObject, type JsonObject } from '../../values/json.ts';
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
  const reasons = new Map<string, string>();
  asker.purpose = { for: 'gaps', odd: ['gap'] };
  try {
    await asking.begin();
    for (const gap of loadGaps()) {
      onGap(gap.id);
      const reader = readers.find((each) => each.gap === gap.id);
      const reason = reader && (await asking.settle(gap, reader));
      if (reason !== undefined) reasons.set(gap.id, reason);
    }
  } catch (error) {
    if (!(error instanceof Silent)) throw error;
    for (const { gap } of readers) if (!asking.settled.has(gap)) reasons.set(gap, error.message);
  }
  const { log } = asker;
  const gaps = loadGaps().map((gap) => {
    const reading = readers.find((each) => each.gap === gap.id)?.read(log);
    const assumed = session.assumed(gap.id);
    if (!reading) return notProbed(gap, assumed, 'not probed');
    const why = reasons.get(gap.id);
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
  /** The gaps that need no more requests. */
  readonly settled = new Set<string>();
  readonly #asker: Asker;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  /** Signs in where the run has not, and looks whether the credentials are of use. */
  async begin(): Promise<void> {
    const { session, log } = this.#asker;
    if (log.entries.length === 0) await establish({ asker: this.#asker, session, budget: 0, seed: 1 });
    for (const actor of ACTORS) {
      const problem = await this.#problemOf(actor);
      if (problem !== undefined) this.problems.set(actor, problem);
    }
  }

  /** Asks until the log shows the answer to a gap; gives the reason where it will not. */
  async settle(gap: Gap, { needs, writes, repeats, read }: Reader): Promise<string | undefined> {
    const { learns } = this.#asker.session.config;
    const mayAsk = (id: QuestionId): boolean => this.#against(QUESTIONS[id] as Question) === undefined;
    let failure = this.#against({ needs, writes });
    for (let asked = 0; failure === undefined && asked < MOST_ASKED; asked += 1) {
      let reading = read(this.#asker.log, mayAsk);
      // An answer that is not the assumed one counts only where it is observed again.
      const isEnough = !learns && isAsAssumed(gap, reading, this.#asker.session.assumed(gap.id));
      if (repeats && !isEnough && reading.state === 'shown' && reading.times < 2)
        reading = read(this.#asker.log, mayAsk, 2);
      if (reading.state === 'shown' || !reading.wants) break;
      failure = await this.#ask(reading.wants);
    }
    this.settled.add(gap.id);
    return failure;
  }

  /** Why something cannot be asked; undefined where it can. */
  #against({ needs = [], writes = false }: Pick<Question, 'needs'> & { writes?: boolean }): string | undefined {
    const { target, config } = this.#asker.session;
    const missing = needs.find((field) => !isGiven(target, field));
    if (missing !== undefined) return lacking(missing);
    if (writes && !config.allowWrites) return NEEDS_WRITES;
    const actor = ACTORS.find((one) => this.problems.has(one) && needs.some((field) => isOf(one, field)));
    return actor && this.problems.get(actor);
  }

  /** Why nothing can be observed as this actor: the sign-in fails, or what it gave is refused everywhere. */
  async #problemOf(actor: Actor): Promise<string | undefined> {
    const { session, problems } = this.#asker;
    if (!isGiven(session.target, `actors.${actor}`)) return lacking(`actors.${actor}`);
    const caller = `${actor}.jwt` as const;
    if (!(await this.#asker.as(caller))) {
      const problem = problems.get(caller);
      return problem === undefined
        ? `no response: ${problems.get('silence')}`
        : `the credentials of ${actor} are of no use: ${problem}`;
    }
    const own = () =>
      this.#asker.log.entries.filter(
        ({ operation, credential: { who, flaw } }) => isProtected(operation) && who === actor && !flaw,
      );
    if (own().length === 0) await this.#ask('scopes-as-member');
    if (own().some(isOk)) return undefined;
    // Member may be kept from everything that is known, which is an answer and no problem of the credentials.
    const refusing = own().find(
      (entry) => statusOf(entry) === 401 || (actor === 'admin' && statusOf(entry) === 403),
    )?.answer;
    if (!refusing) return undefined;
    const { source } = await session.signIn.bearer(actor);
    return `the credentials of ${actor} (${source}) are refused: ${refusing.request.method} was answered ${describe(refusing)}`;
  }

  /** Asks a question; gives the reason where no answer to it comes. */
  async #ask(id: QuestionId): Promise<string | undefined> {
    const asker = this.#asker;
    const { n = 0 } = asker.log.entries.at(-1) ?? {};
    for (const name of ['gap', 'silence', 'writes']) asker.problems.delete(name);
    await asker.attempt('gap', () => (BY_SESSION[id] ?? ((one) => send(one, id)))(asker));
    const silence = asker.problems.get('silence');
    if (silence !== undefined) return `no response: ${silence}`;
    if (asker.problems.has('writes')) return NEEDS_WRITES;
    const { log } = asker;
    const isAnswered = log.entries.some((entry) => entry.n > n && answering(id, log)(entry));
    return asker.problems.get('gap') ?? (isAnswered ? undefined : `${QUESTIONS[id].says} was not answered`);
  }
}

const isOf = (actor: Actor, field: TargetField): boolean => `${field}.`.startsWith(`actors.${actor}.`);

/** Questions that helpers of the session ask: they sign in, search, or remember what has to be undone. */
const BY_SESSION: Partial<Record<QuestionId, (asker: Asker) => Promise<unknown>>> = {
  sso: ({ session }) => session.signIn.sendSso('admin'),
  login: ({ session }) => session.signIn.sendLogin('admin'),
  pat: ({ session }) => session.pats.created('admin'),
  async scopes(asker) {
    if ((await asker.findScopes()) === undefined) throw untested(asker.problems.get('scopes') ?? '');
    return asker.session.scopes.of('admin');
  },
  async refresh({ session }) {
    const { login, found, tried } = await freshExchange(session);
    if (!tried) throw untested(`A fresh SSO login, for a refresh token, was answered ${describe(login)}`);
    if (found) return;
    const seen = [...new Set(tried.map(({ path, answer }) => `${path} ${describe(answer)}`))];
    throw untested(`no likely path accepted the refresh token of a fresh login (${seen.join('; ')})`);
  },
  async 'refresh-again'({ session }) {
    // The token is from a login made for this, so no other caller loses it.
    const { found } = await freshExchange(session);
    if (found) await attemptAt(session, found, found.token);
  },
  update: ({ session }) => session.recording.original(),
  async 'update-empty'(asker) {
    const { log } = asker;
    const first = log.entries.find(({ operation }) => operation === 'recording');
    // Times may be written in whole seconds.
    if (answersTo(log, 'update-empty').some((entry) => entry !== first)) await sleep(1100);
    await send(asker, 'update-empty');
  },
  'update-unknown': ({ session }) => session.recording.updateUnknown('admin'),
  'update-unknown-as-member': ({ session }) => session.recording.updateUnknown('member'),
};

/** Sends the request of a question. */
async function send(asker: Asker, id: QuestionId): Promise<void> {
  const { session } = asker;
  const question: Question = QUESTIONS[id];
  const asked = question.request?.(asker.log);
  if (!asked) throw untested(`${question.says} is not known to be there`);
  const { query, as, json, raw, ...request } = asked;
  const headers = await headersOf(asker, as);
  const search = new URLSearchParams(query).toString();
  const path = search ? `${request.path}?${search}` : request.path;
  const isUpdate = request.method === 'PATCH';
  const prepared = isUpdate
    ? await session.recording.prepared(json as JsonObject, headers)
    : { ...request, path, headers, ...(json === undefined ? {} : { json }), ...(raw ? { raw } : {}) };
  const entry = await asker.ask(prepared, asker.purpose);
  if (!entry || !isOk(entry)) return;
  if (isUpdate) session.recording.noteWritten(json as JsonObject);
  const { sso = {} } = session.credentials('admin');
  if (id === 'sso-unknown') session.leftovers.add(userOfUnknown(unknownIdentity(sso).upn));
  const [, claim] = /^sso-without-(.*)$/.exec(id) ?? [];
  const [known] = answersTo(asker.log, 'sso');
  if (claim !== undefined && userIdIn(jsonIn(entry)) !== (known && userIdIn(jsonIn(known))))
    session.leftovers.add(`a user that the SSO login without ${claim} may have made`);
}

async function headersOf(asker: Asker, as: Request['as']): Promise<Record<string, string>> {
  if (as === 'nobody') return {};
  if (as === 'garbage') return { Authorization: `Bearer ${GARBAGE_TOKENS[0]}` };
  return (await asker.as(`${as}.jwt`)) ?? {};
}

const userIdIn = (grant: unknown): unknown => (isObject(grant) && isObject(grant.user) ? grant.user.id : undefined);
