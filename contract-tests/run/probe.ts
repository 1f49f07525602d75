import { isLaxForm, LAX_FORMS, type LaxForm } from '../api/lax-forms.ts';
import { isProtected } from '../api/operations.ts';
import { isGiven, lacking, type TargetField } from '../api/target-fields.ts';
import { CannotAsk } from '../errors.ts';
import { type Entry, isOk, statusOf } from '../log/entry.ts';
import { ACTORS, type Actor, type Gap } from '../model.ts';
import { QUESTIONS, UNKNOWN_FIELD, UNKNOWN_SCOPE } from '../plan/questions.ts';
import { allReaders } from '../readers/catalogue.ts';
import { answersTo, asOf, describeQuestion, isAsked, needsOf, writes } from '../readers/questions.ts';
import type { Reader } from '../readers/reader.ts';
import { AXIOS } from '../session/accept-turns.ts';
import { patIn } from '../session/pats.ts';
import { attemptAt, freshExchange } from '../session/refreshing.ts';
import { loadGaps } from '../spec-data.ts';
import { describe, isSuccess } from '../values/answer.ts';
import { memberOf, objectOf } from '../values/json.ts';
import { sleep } from '../wire/time.ts';
import { NEEDS_WRITES } from '../wire/write-guard.ts';
import { Stop } from './asker.ts';
import { establish } from './establish.ts';
import { gapResult, isAsAssumed } from './gap-results.ts';
import type { Run } from './steps.ts';

/** Requests that one gap may need. */
const MOST_ASKED = 24;

/** What keeps one question from being asked. */
const OWN_PROBLEMS = ['gap', 'silence', 'writes'];

/** Why nothing can be observed as an actor. */
type Problems = ReadonlyMap<Actor, string>;

/**
 * Asks what the log does not show yet of each gap. Never throws for what the target does. Gives what reads the answers of the
 * whole log, and compares them with those that are assumed: every gap of the ledger, and in a run that learns why admin can show nothing.
 * @param onGap called with the id of each gap before it is asked about
 */
export async function probe(run: Run, readers: readonly Reader[] = allReaders, onGap: (id: string) => void = () => {}) {
  const { session } = run;
  const problems = new Map<Actor, string>();
  const ofRules = new Map(run.problems);
  const reasons = new Map<string, string | undefined>();
  const readerOf = (gap: Gap) => readers.find(({ gap: id }) => id === gap.id);
  run.purpose = { for: 'gaps', odd: ['gap'] };
  try {
    if (run.log.entries.length === 0) await establish(run);
    for (const actor of ACTORS) {
      const problem = await problemOf(run, actor);
      if (problem !== undefined) problems.set(actor, problem);
    }
    for (const gap of loadGaps()) {
      onGap(gap.id);
      const reader = readerOf(gap);
      reasons.set(gap.id, reader && (await settle(run, gap, reader, problems)));
    }
  } catch (error) {
    if (!(error instanceof Stop && error.why === 'silent')) throw error;
  }
  run.forgetOutage();
  for (const name of OWN_PROBLEMS) run.problems.delete(name);
  for (const [name, problem] of ofRules) run.problems.set(name, problem);
  return () => {
    const { log } = run;
    const gaps = loadGaps().map((gap) => {
      const reading = readerOf(gap)?.read(log);
      const why = reasons.has(gap.id) ? reasons.get(gap.id) : session.client.over;
      const isOpen = reading !== undefined && why !== undefined;
      const read = isOpen ? ({ state: 'open', why, by: reading.by, wants: undefined } as const) : reading;
      return gapResult(gap, read ?? 'not probed', session.assumed(gap.id));
    });
    return { gaps, ...(session.config.learns && { adminProblem: problems.get('admin') }) };
  };
}

/** Asks until the log shows the answer to a gap; gives the reason where it will not. */
async function settle(run: Run, gap: Gap, reader: Reader, problems: Problems): Promise<string | undefined> {
  const { session } = run;
  const failures = new Map<string, string>();
  const mayAsk = (question: string) =>
    isAsked(question, session.config.learns === true) &&
    !failures.has(question) &&
    obstacleTo(run, needsOf(question), writes(question), problems) === undefined;
  const obstacle = obstacleTo(run, reader.needs, reader.writes, problems);
  for (let asked = 0; obstacle === undefined && asked < MOST_ASKED; asked += 1) {
    let reading = reader.read(run.log, mayAsk);
    // An answer that is not the assumed one counts only where it is observed again.
    const isEnough = !session.config.learns && isAsAssumed(gap, reading, session.assumed(gap.id));
    if (reader.repeats && !isEnough && reading.state === 'shown') reading = reader.read(run.log, mayAsk, 2);
    if (reading.state === 'shown' || reading.wants === undefined) break;
    const { wants } = reading;
    if (!isAsked(wants, session.config.learns === true)) break;
    if (failures.has(wants)) return failures.get(wants);
    const failure = await askQuestion(run, wants);
    if (failure !== undefined) failures.set(wants, failure);
  }
  return obstacle;
}

/** Why something cannot be asked; undefined where it can. */
function obstacleTo({ session }: Run, needs: readonly TargetField[], isWrite: boolean, problems: Problems) {
  const missing = needs.find((field) => !isGiven(session.target, field));
  if (missing !== undefined) return lacking(missing);
  if (isWrite && !session.config.allowWrites) return NEEDS_WRITES;
  const actor = ACTORS.find((one) => needs.some((field) => field.split('.')[1] === one) && problems.has(one));
  return actor && problems.get(actor);
}

/** Why nothing can be observed as this actor: the sign-in fails, or what it gave is refused everywhere. */
async function problemOf(run: Run, actor: (typeof ACTORS)[number]): Promise<string | undefined> {
  const { problems, session } = run;
  if (!isGiven(session.target, `actors.${actor}`)) return lacking(`actors.${actor}`);
  if (!(await run.as(`${actor}.jwt`)))
    return `the credentials of ${actor} are of no use: ${problems.get(`${actor}.jwt`) ?? problems.get('silence')}`;
  const own = run.log.entries.filter(
    ({ operation, credential: { who, flaw } }) => isProtected(operation) && who === actor && !flaw,
  );
  // Member may be kept from everything that is known, which is an answer and no problem of the credentials.
  const refusing = own.find((entry) => statusOf(entry) === 401 || (statusOf(entry) === 403 && actor === 'admin'));
  if (!refusing || own.some(isOk)) return undefined;
  const source = session.signIn.sourceOf(await session.signIn.bearer(actor));
  const { request } = refusing.answer;
  return `the credentials of ${actor} (${source}) are refused: ${request.method} was answered ${describe(refusing.answer)}`;
}

/** Asks a question; gives the reason where no answer to it comes. */
async function askQuestion(run: Run, question: string): Promise<string | undefined> {
  const { n = 0 } = run.log.entries.at(-1) ?? {};
  for (const name of OWN_PROBLEMS) run.problems.delete(name);
  await run.attempt('gap', () =>
    isLaxForm(question) ? sendInForm(run, question) : (memberOf(BY_SESSION, question) ?? send)(run, question),
  );
  const silence = run.problems.get('silence');
  if (silence !== undefined) return `no response: ${silence}`;
  if (run.problems.has('writes')) return NEEDS_WRITES;
  const isAnswered = answersTo(run.log, question).some((entry) => entry.n > n);
  return run.problems.get('gap') ?? (isAnswered ? undefined : `${describeQuestion(question)} was not answered`);
}

const BY_SESSION: Readonly<Record<string, (run: Run, question: string) => Promise<unknown>>> = {
  sso: ({ session }) => session.signIn.again('admin', 'sso'),
  login: ({ session }) => session.signIn.again('admin', 'login'),
  'sso-unknown-field': signInOddly,
  'login-unknown-field': signInOddly,
  pat: ({ session }) => session.pats.created('admin'),
  async 'earlier-session'(run) {
    const { session } = run;
    let headers = await session.signIn.authorization('admin');
    const way = session.credentials('admin').sso ? 'sso' : 'login';
    const path = await session.scopes.path();
    const use = () => session.sendAsIs({ method: 'GET', path, headers });
    // That it is accepted before says that the other sign-in ended it, where it is refused after that.
    if (!isSuccess(await use())) {
      await session.signIn.renewed(await session.signIn.accessToken('admin'));
      headers = await session.signIn.authorization('admin');
      await use();
    }
    await session.signIn.again('admin', way);
    await use();
  },
  'earlier-pat': makeAnotherPat,
  'pat-unknown-field': makeAnotherPat,
  'pat-unknown-scope': ({ session }) => makePatWith(session, [UNKNOWN_SCOPE]),
  'pat-known-scopes': async ({ session }) => makePatWith(session, (await session.pats.scopeNames('admin'))[0] ?? []),
  async refresh({ session }) {
    const { login, found, tried } = await freshExchange(session);
    if (!tried) throw new CannotAsk(`A fresh SSO login, for a refresh token, was answered ${describe(login)}`);
    const seen = [...new Set(tried.map(({ path, answer }) => `${path} ${describe(answer)}`))];
    if (!found) throw new CannotAsk(`no likely path accepted the refresh token of a fresh login (${seen.join('; ')})`);
  },
  async 'refresh-again'({ session }) {
    // The token is from a login made for this, so no other caller loses it.
    const { found } = await freshExchange(session);
    if (found) await attemptAt(session, found, found.token);
  },
};

/** Signs in by a body that is not that of the target file, and again by that: the first one may have ended the session. */
async function signInOddly(run: Run, question: string): Promise<void> {
  const { signIn } = run.session;
  const token = await signIn.accessToken('admin');
  await send(run, question);
  await signIn.renewed(token);
}

/** Makes another PAT of admin, and uses the first one before and after that. */
async function makeAnotherPat({ session }: Run): Promise<void> {
  const first = patIn(await session.pats.created('admin'));
  const made = session.entries.filter(({ operation, credential }) => operation === 'pat' && credential.who === 'admin');
  if (made.filter(isOk).length > 1) throw new CannotAsk('a run makes no third PAT of admin');
  if (first === undefined) throw new CannotAsk('no PAT was made that another one could end');
  const path = await session.scopes.path();
  const use = () => session.sendAsIs({ method: 'GET', path, headers: { Authorization: `Bearer ${first}` } });
  await use();
  for (const request of await session.pats.others(['admin'])) {
    // Once more without the field where it is refused.
    const odd = { ...request, accept: AXIOS, json: { ...objectOf(request.json), ...UNKNOWN_FIELD } };
    const isMade = session.config.learns === true && isSuccess(await session.send(odd));
    if (!isMade) await session.send(request);
  }
  await use();
}

/** Makes one more PAT of admin, with these scopes. */
async function makePatWith(session: Run['session'], scopes: readonly string[]): Promise<void> {
  for (const request of await session.pats.others(['admin'], 'with scopes'))
    await session.send({ ...request, accept: AXIOS, json: { ...objectOf(request.json), scopes } });
}

/** Sends a token of admin's in another form, where an operation accepts it as it is. */
async function sendInForm(run: Run, form: LaxForm): Promise<void> {
  const { of, what, write } = LAX_FORMS[form];
  const caller = `admin.${of}` as const;
  const isGood = (entry?: Entry) => entry && isOk(entry) && !entry.credential.forms;
  const { Authorization: header = '' } = (await run.as(caller)) ?? {};
  const token = header.replace('Bearer ', '');
  const written = token && write(token);
  if (!written) throw new CannotAsk(`${what} cannot be made of the credentials of ${caller}`);
  for (const operation of ['scopes', 'api-keys'] as const) {
    const isUse = (entry: Entry) => entry.operation === operation && entry.credential.token === token && isGood(entry);
    if (!run.log.entries.some(isUse) && !isGood(await run.askFor({ of: operation }, caller, run.purpose))) continue;
    // A service may lock out who sends bad tokens.
    await run.session.restore();
    await run.askFor({ of: operation }, 'nobody', run.purpose, { headers: { Authorization: written } });
    return;
  }
  throw new CannotAsk(`no operation that only reads accepts the credentials of ${caller}`);
}

async function send(run: Run, question: string): Promise<void> {
  const row = memberOf(QUESTIONS, question) ?? {};
  const as = asOf(row);
  // Times may be written in whole seconds: the first update says nothing of them.
  const first = run.log.entries.find(({ operation }) => operation === 'recording');
  if (question === 'update-empty' && answersTo(run.log, question).some((entry) => entry !== first)) await sleep(1100);
  await run.askFor(row, as === 'admin' || as === 'member' ? `${as}.jwt` : as, run.purpose);
}
