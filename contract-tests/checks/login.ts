import { blocked, CheckFailure, untested, violation } from '../failure.ts';
import type { Actor } from '../model.ts';
import { adminClaim, statementsOf } from '../session/admin-claim.ts';
import type { Session } from '../session/session.ts';
import { findJwts } from '../session/tokens-in-answers.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { findStrings, isObject, show } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { CHECKED_OPERATIONS, PROTECTED, PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';
import { acceptedControl, answerTo, firstAccepting, isAccepted } from './protected-operations.ts';

const { name: SUBJECT, hint: HINT, needs } = CHECKED_OPERATIONS.login;
const { scopes } = PROTECTED;

/** Throws unless the login itself succeeded. What it accepts and answers is not shown. */
function assertLoggedIn(answer: Answer): void {
  if (isSuccess(answer)) return;
  if ([400, 409, 422].includes(answer.response.status))
    throw untested(`${SUBJECT} refused the body with ${answer.response.status}. ${HINT}`);
  throw notSuccessful(answer, SUBJECT, HINT, false);
}

/** Whether an answer holds something that is called a token, or nothing but a text. */
function namesToken(answer: Answer): boolean {
  return findStrings(jsonOf(answer)).some(({ path }) => path.length === 0 || /token|jwt|bearer/i.test(path.join('.')));
}

/** The JWT that a login yields: the first that a protected operation accepts. */
async function acceptedJwt(session: Session, answer: Answer): Promise<string> {
  assertLoggedIn(answer);
  const [token, ...others] = findJwts(answer);
  if (!token) {
    // It may be handed out in a cookie of another form, or in a second step: the response is not shown.
    if (isObject(jsonOf(answer)) && !namesToken(answer))
      throw untested(`${SUBJECT} succeeded, and nothing in its answer is called a token; what it answers is not shown`);
    throw violation(`${SUBJECT} succeeded without yielding a JWT.`, 'a JWT access token', answer.response.body);
  }
  try {
    await firstAccepting(session, token, `The JWT of ${SUBJECT}`);
    return token;
  } catch (error) {
    // Which of several JWTs is the access token is not documented: one that is accepted will do.
    for (const other of others) if (await isAccepted(session, other)) return other;
    throw error;
  }
}

/** The same for the other checks, which are blocked where there is none. */
async function jwtOf(session: Session, actor: Actor): Promise<string> {
  const answer = await session.signIn.login(actor);
  return session.recorder.once(`accepted JWT of the login of ${actor}`, async () => {
    try {
      return await acceptedJwt(session, answer);
    } catch (error) {
      if (error instanceof CheckFailure && error.outcome === 'violation') throw blocked('login-jwt', error.message);
      throw error;
    }
  });
}

/**
 * Throws unless an operation accepts a JWT of the login. Only 401 is about the token: the other refusals may mean that its
 * user, or the login as against SSO, lacks a right, and who may do what is not documented.
 */
async function assertTakes(
  operation: ProtectedOperation,
  session: Session,
  token: string,
  whose: string,
): Promise<void> {
  const answer = await answerTo(token, operation, session);
  if (isSuccess(answer)) return;
  const subject = `${operation.name} with the JWT of ${SUBJECT}${whose}`;
  const { status } = answer.response;
  if (status >= 400 && status < 500 && status !== 401 && status !== 429)
    throw untested(`${subject} was refused with ${status}: it may lack a right, and which it needs is not documented`);
  throw notSuccessful(answer, subject, 'The token is accepted elsewhere, and the operation accepts another.', true);
}

function acceptsLogin(operation: ProtectedOperation): Check {
  return {
    id: `login-accepted-by-${operation.id}`,
    requirements: ['AUT-08'],
    ...(operation.id === 'api-keys' ? {} : { isThorough: true }),
    title: `${operation.name} accepts the JWT of ${SUBJECT}`,
    needs: [...needs, ...operation.needs.filter((field) => field !== 'actors.admin')],
    ...(operation.writes ? { writes: ['PATCH of the disposable recording: summary'] } : {}),
    async run(session) {
      await acceptedControl(operation, session);
      await assertTakes(operation, session, await jwtOf(session, 'admin'), '');
    },
  };
}

/** Whether the login names the user that SSO signs in: by what it is sent, or by what it answers. */
function isOfSameUser(session: Session, login: Answer, sso: unknown): boolean {
  const user = isObject(sso) && isObject(sso.user) ? sso.user : {};
  const named = findStrings({ sent: session.credentials('admin').login, answered: jsonOf(login) });
  const whos = [user.id, user.email, user.username].filter((value) => typeof value === 'string' && value.length > 2);
  return named.some(({ value }) => whos.includes(value));
}

const sameUser: Check = {
  id: 'login-user',
  isThorough: true,
  requirements: ['AUT-08'],
  title: `the JWT of ${SUBJECT} is of the user that logs in: the scopes answer says the same of administrators as to SSO`,
  needs: [...needs, 'actors.admin.sso'],
  async run(session) {
    const token = await jwtOf(session, 'admin');
    const bySso = await acceptedControl(scopes, session);
    const expected = adminClaim(jsonOf(bySso));
    const answer = await answerTo(token, scopes, session);
    if (!isSuccess(answer))
      throw blocked('login-accepted-by-scopes', `${scopes.name} answered the JWT of the login ${describe(answer)}`);
    const said = adminClaim(jsonOf(answer));
    const sayTheSame = statementsOf(jsonOf(answer)) === statementsOf(jsonOf(bySso));
    if (expected ? said?.isAdmin === expected.isAdmin : sayTheSame) return;
    if (
      !expected ||
      !said ||
      !isOfSameUser(session, await session.signIn.login('admin'), await session.signIn.ssoGrant('admin'))
    )
      throw untested(
        'actors.admin.login and actors.admin.sso may be two users: the scopes answers differ, and nothing shows that they are one',
      );
    throw violation(
      `The JWT of ${SUBJECT} is of somebody else than the user that logged in.`,
      { [expected.path.join('.')]: expected.value },
      show({ [said.path.join('.')]: said.value }),
    ).seenIn(answer);
  },
};

export const loginChecks: Check[] = [
  {
    id: 'login-jwt',
    requirements: ['AUT-08'],
    title: `${SUBJECT} yields a JWT that protected operations accept`,
    needs,
    async run(session) {
      await acceptedJwt(session, await session.signIn.login('admin'));
    },
  },
  ...PROTECTED_OPERATIONS.map(acceptsLogin),
  sameUser,
];
