import { blocked, setUpError, untested, violation } from '../failure.ts';
import type { Session } from '../session/session.ts';
import type { TargetField } from '../session/target-fields.ts';
import { GARBAGE_TOKENS, PLACES_OF_NO_TOKEN } from '../session/token-forms.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, show } from '../wire/json.ts';
import type { Check } from './check.ts';
import { emptiedJwts, tamperedJwts, wrongSecretPats } from './forged-tokens.ts';
import { PROTECTED, PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';
import { acceptedAnswer, MAKES_PAT, patHeader } from './pat-answers.ts';
import { acceptedControl } from './protected-operations.ts';
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
    requirement: 'AUT-03',
    title: 'a request without credentials',
    forge: async () => [{ what: 'no Authorization header', headers: {} }],
  },
  {
    id: 'garbage',
    requirement: 'AUT-04',
    title: 'a bearer token that is neither a JWT nor a PAT',
    forge: async () => [
      ...GARBAGE_TOKENS.map((token) => bearer(`the made-up token ${token}`, token)),
      ...PLACES_OF_NO_TOKEN.map((token) => bearer(`"Bearer ${token}"`, token)),
    ],
  },
  {
    id: 'refresh-token',
    requirement: 'AUT-04',
    title: 'a refresh token',
    needs: ['actors.admin.sso'],
    forge: async (session) => [bearer('the refresh token of the SSO login', await refreshToken(session))],
  },
  {
    id: 'tampered-jwt',
    requirement: 'AUT-05',
    title: 'a JWT that was tampered with',
    forge: async (session) => {
      const { token, source } = await session.signIn.accessToken('admin');
      return tamperedJwts(token, source).map(({ what, token }) => bearer(what, token));
    },
  },
  {
    id: 'unsigned-jwt',
    requirement: 'AUT-06',
    title: 'a JWT without a signature',
    forge: async (session) => {
      const { token, source } = await session.signIn.accessToken('admin');
      return emptiedJwts(token, source).map(({ what, token }) => bearer(what, token));
    },
  },
  {
    id: 'pat-wrong-secret',
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

/** The refresh token of the last sign-in: an earlier one may have ended with its session. It is neither of the two token types of part 5. */
async function refreshToken(session: Session): Promise<string> {
  await session.signIn.ssoGrant('admin');
  const claims = JSON.stringify(session.credentials('admin').sso);
  const answers = (await successesOf('sso', session)).filter(({ request }) => request.body === claims);
  const grant = answers
    .map(jsonOf)
    .filter(isObject)
    .findLast((each) => typeof each.refresh_token === 'string' && each.refresh_token !== '');
  const token = grant?.refresh_token;
  if (typeof token !== 'string') throw blocked('sso-refresh-token', 'The SSO login of admin gave no refresh_token');
  if (token === grant?.access_token) throw untested('the refresh token of the SSO login is its access token');
  return token;
}

/** Titles that only refused updates send: one that is written identifies the update. */
export const REFUSED_TITLE = 'written by a request that must be refused';
const refusedTitle = (at: number): string => (at === 0 ? REFUSED_TITLE : `${REFUSED_TITLE} (${at + 1})`);

function refusalCheck(operation: ProtectedOperation, refusal: Refusal): Check {
  const writes = [...(operation.writes ?? []), ...(refusal.writes ?? [])];
  const isUpdate = operation.id === 'recording';
  return {
    id: `auth-${refusal.id}-${operation.id}`,
    requirements: [refusal.requirement],
    title: `${operation.name} refuses ${refusal.title}${isUpdate ? ', and changes nothing' : ''}`,
    needs: [...operation.needs, ...(refusal.needs ?? [])],
    ...(writes.length > 0 ? { writes } : {}),
    async run(session) {
      await acceptedControl(operation, session);
      const forgeries = await refusal.forge(session, operation);
      const refusals: Answer[] = [];
      for (const [at, { what, headers }] of forgeries.entries()) {
        const answer = await operation.withHeaders(session, headers, refusedTitle(at));
        assertRefused(answer, operation, what);
        refusals.push(answer);
      }
      const genuine = await (refusal.genuine?.(session) ?? session.signIn.authorization('admin'));
      const whats = forgeries.map(({ what }) => what);
      if (isUpdate) await assertNothingWritten(session, refusals, whats, genuine);
      else await stillAccepted(session, operation, genuine, refusals.length);
    },
  };
}

/** Refused is what HTTP calls a client error (or sends elsewhere): the status itself is not documented. */
function assertRefused(answer: Answer, operation: ProtectedOperation, what: string): void {
  const { status } = answer.response;
  if (status === 429)
    throw setUpError(
      'The target limits requests more than the suite waits for, perhaps after bad credentials; lower limits.requestsPerSecond.',
    );
  if (status >= 300 && status < 500) return;
  const problem = isSuccess(answer) ? 'accepts' : 'fails on';
  throw violation(
    `${operation.name} ${problem} ${what}.`,
    'a refusal (4xx)',
    `${describe(answer)}: ${show(answer.response.body)}`,
  );
}

/**
 * What the operation answers to credentials that it accepted before, after it refused others. Where it refuses these as well,
 * it may lock out callers that send bad ones, which the document does not rule out; the refusals then show nothing.
 */
async function stillAccepted(
  session: Session,
  operation: ProtectedOperation,
  genuine: Record<string, string>,
  refused: number,
): Promise<Answer> {
  const answer = await operation.withHeaders(session, genuine);
  if (isSuccess(answer)) return answer;
  const fresh = await session.signIn.afresh('admin');
  const isBack = fresh && isSuccess(await operation.withHeaders(session, fresh));
  throw untested(
    `after ${refused} requests with bad credentials, ${operation.name} refuses with ${answer.response.status} what it accepted before` +
      `${isBack ? ', and accepts a new sign-in: it may end a session whose token is tampered with' : ': it may lock out who sends such requests'}; ` +
      'the refusals show nothing then. Let the suite in, or waive it with --allow-untested',
  );
}

/** Throws unless the next update shows that none of the titles sent with refused updates was written (part 5). */
export async function assertNothingWritten(
  session: Session,
  refusals: readonly Answer[],
  whats: readonly string[],
  genuine?: Record<string, string>,
): Promise<void> {
  const headers = genuine ?? (await session.signIn.authorization('admin'));
  const next = await stillAccepted(session, PROTECTED.recording, headers, refusals.length);
  const record = jsonOf(next);
  if (!isObject(record) || typeof record.title !== 'string')
    throw blocked('recording-every-answer', 'The recording answered has no title');
  const at = refusals.findIndex((_, place) => record.title === refusedTitle(place));
  if (at === -1) return;
  throw violation(
    `An update with ${whats[at]} was refused with ${refusals[at]?.response.status}, and its title was written all the same.`,
    'the title as before',
    record.title,
  )
    .of('AUT-11')
    .seenIn(next);
}

export const refusalChecks: Check[] = PROTECTED_OPERATIONS.flatMap((operation) =>
  REFUSALS.map((refusal) => refusalCheck(operation, refusal)),
);
