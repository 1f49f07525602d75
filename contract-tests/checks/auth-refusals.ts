import { blocked, CheckFailure, setUpError, untested, violation } from '../failure.ts';
import { INVALID_ANALYSIS } from '../session/disposable-recording.ts';
import { accessTokenIn, laterLogin, refreshTokenIn } from '../session/refreshing.ts';
import type { Session } from '../session/session.ts';
import type { TargetField } from '../session/target-fields.ts';
import { GARBAGE_TOKENS, PLACES_OF_NO_TOKEN } from '../session/token-forms.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, show } from '../wire/json.ts';
import { NEEDS_WRITES, WriteNotAllowed } from '../wire/write-guard.ts';
import type { Check } from './check.ts';
import { emptiedJwts, tamperedJwts, wrongSecretPats } from './forged-tokens.ts';
import { look } from './looks.ts';
import { PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';
import { acceptedAnswer, MAKES_PAT, patHeader } from './pat-answers.ts';
import { acceptedControl } from './protected-operations.ts';
import { unrecorded } from './recording-updates.ts';
import { successesOf } from './run-answers.ts';

/** A request that must be refused: the same as the successful control but for its credentials. */
interface Forgery {
  what: string;
  headers: Record<string, string>;
}

interface Refusal {
  id: string;
  requirement: string;
  title: string;
  needs?: TargetField[];
  writes?: string[];
  /** Which operation gets its first forgery; the others follow in turn. */
  turn: number;
  /** The operations that get it; all unless said otherwise. */
  at?: ProtectedOperation['id'][];
  /** Those that get it in a quick run, where they are fewer. */
  quickAt?: ProtectedOperation['id'][];
  forge(session: Session, operation: ProtectedOperation): Promise<Forgery[]>;
  /** The credentials that differ from the forged ones in one thing, and are good; admin's own unless said otherwise. */
  genuine?(session: Session): Promise<Record<string, string>>;
}

export const bearer = (what: string, token: string): Forgery => ({
  what,
  headers: { Authorization: `Bearer ${token}` },
});

const REFUSALS: Refusal[] = [
  {
    id: 'no-credentials',
    turn: 0,
    requirement: 'AUT-03',
    title: 'a request without credentials',
    forge: async () => [{ what: 'no Authorization header', headers: {} }],
  },
  {
    id: 'garbage',
    turn: 0,
    quickAt: ['api-keys'],
    requirement: 'AUT-04',
    title: 'a bearer token that is neither a JWT nor a PAT',
    forge: async () => [
      ...GARBAGE_TOKENS.map((token) => bearer(`the made-up token ${token}`, token)),
      ...PLACES_OF_NO_TOKEN.map((token) => bearer(`"Bearer ${token}"`, token)),
    ],
  },
  {
    id: 'refresh-token',
    turn: 0,
    at: ['scopes'],
    requirement: 'AUT-04',
    title: 'a refresh token',
    needs: ['actors.admin.sso'],
    forge: async (session) => [bearer('the refresh token of the SSO login', await refreshToken(session))],
  },
  {
    id: 'tampered-jwt',
    turn: 0,
    quickAt: ['scopes'],
    requirement: 'AUT-05',
    title: 'a JWT that was tampered with',
    forge: async (session) => {
      const { token, source } = await session.signIn.accessToken('admin');
      return tamperedJwts(token, source).map(({ what, token }) => bearer(what, token));
    },
  },
  {
    id: 'unsigned-jwt',
    turn: 2,
    quickAt: ['recording'],
    requirement: 'AUT-06',
    title: 'a JWT without a signature',
    forge: async (session) => {
      const { token, source } = await session.signIn.accessToken('admin');
      return emptiedJwts(token, source).map(({ what, token }) => bearer(what, token));
    },
  },
  {
    id: 'pat-wrong-secret',
    turn: 1,
    quickAt: ['api-keys'],
    requirement: 'AUT-07',
    title: 'a PAT with a wrong secret',
    writes: [MAKES_PAT],
    forge: async (session, operation) => {
      await acceptedAnswer(session, operation);
      session.ledger.hasForgedPats = true;
      const { token } = await session.pats.of('admin');
      return wrongSecretPats(token).map(({ what, token }) => bearer(what, token));
    },
    genuine: patHeader,
  },
];

/**
 * The refresh token of a sign-in that no exchange has ended, of the last one if possible: an earlier one may have ended with
 * its session. It is neither of the two token types of part 5.
 */
async function refreshToken(session: Session): Promise<string> {
  const { answer: first } = await session.signIn.sso('admin');
  const login = laterLogin(session) ?? first;
  const token = refreshTokenIn(login);
  if (!token) throw blocked('sso-refresh-token', 'The SSO login gave no refresh_token');
  if (token === accessTokenIn(login)) throw untested('the refresh token of the SSO login is its access token');
  return token;
}

/** Titles that only refused updates send, and that nothing else is to be refused for: one that is written identifies the update. */
export const refusedTitle = (name: string): string => `To refuse ${name.replaceAll(/[^A-Za-z0-9]+/g, ' ').trim()}`;

/** A request with bad credentials, and what it was answered. */
interface Refused {
  what: string;
  title: string;
  answer: Answer;
}

/** The forgeries of a kind that an operation gets: each goes to one, so that none is sent for every pair; one alone to all. */
function shareOf<T>(
  session: Session,
  operation: ProtectedOperation,
  kind: number,
  forgeries: readonly T[],
): readonly T[] {
  if (forgeries.length === 1) return forgeries;
  if (session.isQuick) return [forgeries[0], forgeries.at(-1)].filter((each) => each !== undefined);
  const all = PROTECTED_OPERATIONS.filter(({ resource }) => !resource || session.target.resources?.[resource]);
  const own = all.findIndex(({ id }) => id === operation.id);
  return forgeries.filter((_, at) => (at + kind) % all.length === own);
}

/** Sends an operation with forged credentials of a kind, up to the first that is not refused. */
async function sendForged(
  session: Session,
  operation: ProtectedOperation,
  refusal: Refusal,
  first?: Answer,
): Promise<Refused[]> {
  const forgeries = shareOf(session, operation, refusal.turn, await refusal.forge(session, operation));
  const sent: Refused[] = [];
  for (const [at, { what, headers }] of forgeries.entries()) {
    const title = refusedTitle(`${refusal.id} ${at + 1}`);
    if (headers.Authorization !== undefined) session.noteForged(headers.Authorization, what);
    const refused = first && (await refusedForBoth(session, operation, headers, { first, title }));
    sent.push({ what, title, answer: refused ?? (await operation.withHeaders(session, headers, title)) });
    if (!isRefused(sent.at(-1)?.answer)) break;
  }
  return sent;
}

/**
 * What an update without credentials is answered that is invalid as well, which a probe would ask for; undefined where that
 * is not 401, as another operation answers missing credentials: then the update may have been refused for being invalid.
 */
async function refusedForBoth(
  session: Session,
  { id }: ProtectedOperation,
  headers: Record<string, string>,
  { first, title }: { first: Answer; title: string },
): Promise<Answer | undefined> {
  if (id !== 'recording' || headers.Authorization !== undefined || !session.config.probing) return undefined;
  const answer = await session.recording.update({ title, ...INVALID_ANALYSIS }, headers);
  const isAboutCredentials = answer.response.status === 401 && first.response.status === 401;
  return isAboutCredentials ? answer : undefined;
}

/** Whether a run sends forged credentials of that kind to the operation. */
const isSent = ({ at, quickAt = at }: Refusal, { id }: ProtectedOperation, isQuick: boolean): boolean =>
  (isQuick ? quickAt : at)?.includes(id) ?? true;

/** What an operation answered to forged credentials of a kind, or why none could be sent to it. */
type SentAt = (kind: string, operation: ProtectedOperation) => Refused[];

/**
 * The bad credentials that all operations get, and then good ones at the last of them; sent once a run, those that cost a PAT
 * apart. A run that has not updated the recording sends none to it for the sake of the other operations.
 */
export async function refusalsOf(
  session: Session,
  asked: ProtectedOperation,
  withPats = false,
): Promise<{ sentAt: SentAt; next: Answer | undefined }> {
  const mayUpdate = asked.id === 'recording' || (await successesOf('recording', session)).length > 0;
  const operations = PROTECTED_OPERATIONS.filter(({ id }) => id !== 'recording' || mayUpdate);
  const send = async () => {
    const sent = new Map<string, Refused[] | CheckFailure>();
    let last: ProtectedOperation | undefined;
    // The answer to missing credentials, which are what is sent first.
    let first: Answer | undefined;
    for (const operation of operations) {
      for (const refusal of REFUSALS) {
        if ((refusal.genuine !== undefined) !== withPats || !isSent(refusal, operation, session.isQuick)) continue;
        const own = await sendForged(session, operation, refusal, first).catch((error: unknown) => {
          if (error instanceof CheckFailure) return error;
          if (error instanceof WriteNotAllowed) return untested(NEEDS_WRITES);
          throw error;
        });
        if (Array.isArray(own)) {
          last = operation;
          first ??= own[0]?.answer;
        }
        sent.set(`${refusal.id} at ${operation.id}`, own);
      }
    }
    return { sent, next: last && (await control(session, last, withPats)) };
  };
  const { sent, next } = await unrecorded(session, () =>
    session.recorder.once(`refusals of ${withPats ? 'PATs' : 'tokens'} at ${operations.length}`, send),
  );
  const sentAt: SentAt = (kind, { id }) => {
    const own = sent.get(`${kind} at ${id}`) ?? [];
    if (own instanceof CheckFailure) throw own;
    return own;
  };
  return { sentAt, next };
}

/** An operation with good credentials, after bad ones: what looks at the recording may show more on the way. */
async function control(session: Session, operation: ProtectedOperation, withPat: boolean): Promise<Answer> {
  if (withPat) return operation.withHeaders(session, await patHeader(session));
  if (operation.id === 'recording') return look(session);
  return operation.withHeaders(session, await session.signIn.authorization('admin'));
}

function refusalCheck(operation: ProtectedOperation, refusal: Refusal): Check {
  const writes = [...(operation.writes ?? []), ...(refusal.writes ?? [])];
  const isUpdate = operation.id === 'recording';
  const { quickAt = [operation.id] } = refusal;
  return {
    id: `auth-${refusal.id}-${operation.id}`,
    requirements: [refusal.requirement],
    title: `${operation.name} refuses ${refusal.title}${isUpdate ? ', and changes nothing' : ''}`,
    needs: [...operation.needs, ...(refusal.needs ?? [])],
    ...(writes.length > 0 ? { writes } : {}),
    ...(quickAt.includes(operation.id) ? {} : { isThorough: true }),
    async run(session) {
      await acceptedControl(operation, session);
      const together = await refusalsOf(session, operation, refusal.genuine !== undefined);
      const own = together.sentAt(refusal.id, operation);
      for (const { answer, what } of own) assertRefused(answer, operation, what);
      // Where good credentials are refused after all of them, fewer bad ones may show more.
      const clear = together.next && isSuccess(together.next) ? together.next : undefined;
      const sent = clear ? own : await sendForged(session, operation, refusal);
      for (const { answer } of sent) session.recorder.record(answer);
      const genuine = await (refusal.genuine?.(session) ?? session.signIn.authorization('admin'));
      const next = clear ?? (await stillAccepted(session, operation, genuine, sent.length));
      session.recorder.record(next);
      if (isUpdate && next.request.method === operation.method) assertNothingWritten(sent, next);
    },
  };
}

/** Refused is what HTTP calls a client error (or sends elsewhere): the status itself is not documented. */
function isRefused(answer: Answer | undefined): boolean {
  const { status = 0 } = answer?.response ?? {};
  return status >= 300 && status < 500 && status !== 429;
}

function assertNotLimited({ response }: Answer): void {
  if (response.status !== 429) return;
  throw setUpError('The target limits requests more than the suite waits for; lower limits.requestsPerSecond.');
}

function assertRefused(answer: Answer, operation: ProtectedOperation, what: string): void {
  assertNotLimited(answer);
  if (isRefused(answer)) return;
  const problem = isSuccess(answer) ? 'accepts' : 'fails on';
  throw violation(
    `${operation.name} ${problem} ${what}.`,
    'a refusal (4xx)',
    `${describe(answer)}: ${show(answer.response.body)}`,
  ).seenIn(answer);
}

/**
 * What the operation answers to credentials that it accepted before, after it refused others. Where it refuses these as well,
 * it may lock out callers that send bad ones, which the document does not rule out; the refusals then show nothing.
 */
export async function stillAccepted(
  session: Session,
  operation: ProtectedOperation,
  genuine: Record<string, string>,
  refused: number,
): Promise<Answer> {
  const answer = await operation.withHeaders(session, genuine);
  if (isSuccess(answer)) return answer;
  assertNotLimited(answer);
  const fresh = await session.signIn.afresh('admin');
  const isBack = fresh && isSuccess(await operation.withHeaders(session, fresh));
  throw untested(
    `after ${refused} requests with bad credentials, ${operation.name} refuses with ${answer.response.status} what it accepted before` +
      `${isBack ? ', and accepts a new sign-in: it may end a session whose token is tampered with' : ': it may lock out who sends such requests'}; ` +
      'the refusals show nothing then. Let the suite in, or waive it with --allow-untested',
  );
}

/** Throws unless an update after those that were refused shows that none of their titles was written (part 5). */
export function assertNothingWritten(refused: readonly Refused[], next: Answer): void {
  const record = jsonOf(next);
  if (!isObject(record) || typeof record.title !== 'string')
    throw blocked('recording-every-answer', 'The recording answered has no title');
  const written = refused.find(({ title }) => record.title === title);
  if (!written) return;
  throw violation(
    `An update with ${written.what} was refused with ${written.answer.response.status}, and its title was written all the same.`,
    'the title as before',
    record.title,
  )
    .of('AUT-11')
    .seenIn(next);
}

export const refusalChecks: Check[] = PROTECTED_OPERATIONS.flatMap((operation) =>
  REFUSALS.filter((refusal) => isSent(refusal, operation, false)).map((refusal) => refusalCheck(operation, refusal)),
);
