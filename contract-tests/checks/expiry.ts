import { CheckFailure, untested, violation } from '../failure.ts';
import { SSO_PATH } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject } from '../wire/json.ts';
import { now, sleep } from '../wire/time.ts';
import type { Check } from './check.ts';
import { PROTECTED_OPERATIONS, type ProtectedOperation } from './operations.ts';

/** Seconds that a run waits for a token to expire, unless it says otherwise (`--wait`). */
export const DEFAULT_WAIT_SECONDS = 5;
/** Clocks differ, and services allow for that: a token may be accepted for a little longer. */
const LEEWAY_SECONDS = 2;
/** Nobody allows for more than this. */
const MAX_LEEWAY_SECONDS = 60;

interface Issue {
  token: string;
  /** The lifetime announced, in seconds. */
  promised: number;
  /** When it was answered, by this process's clock in milliseconds. */
  at: number;
  /** Whether an earlier sign-in of the run answered it already. */
  isReused: boolean;
}

const answersToken = (answer: Answer, token: string): boolean => {
  const grant = jsonOf(answer);
  return isObject(grant) && grant.access_token === token;
};

async function issue(session: Session): Promise<Issue | undefined> {
  const answer = session.signIn.noteSso('admin', await session.send(session.signIn.ssoRequest('admin')));
  const grant = jsonOf(answer);
  if (!isSuccess(answer) || !isObject(grant)) return undefined;
  const { access_token: token, expires_in: promised } = grant;
  if (typeof token !== 'string' || typeof promised !== 'number') return undefined;
  const isReused = session.successes.some((other) => other !== answer && answersToken(other, token));
  return { token, promised, at: now(), isReused };
}

/** Whether sign-ins of the run announced lifetimes, none of them so short: then another sign-in shows no other one. */
function areLonger(session: Session, wait: number): boolean {
  const announced = session.successes
    .filter(({ request }) => request.url.endsWith(SSO_PATH))
    .map(jsonOf)
    .flatMap((grant) => (isObject(grant) && typeof grant.expires_in === 'number' ? [grant.expires_in] : []));
  return announced.length > 0 && announced.every((seconds) => seconds > wait);
}

const until = async (at: number): Promise<void> => {
  const left = at - now();
  if (left > 0) await sleep(left);
};

/** Operations that accept admin's own token, in the order in which they are asked. */
async function accepting(session: Session): Promise<ProtectedOperation[]> {
  const found: ProtectedOperation[] = [];
  for (const operation of PROTECTED_OPERATIONS) {
    try {
      if (isSuccess(await operation.send(session))) found.push(operation);
    } catch (error) {
      if (!(error instanceof CheckFailure)) throw error;
    }
  }
  return found;
}

/** What the operations answer to a token as it is. */
async function answersTo(
  session: Session,
  operations: readonly ProtectedOperation[],
  token: string,
): Promise<{ operation: ProtectedOperation; answer: Answer }[]> {
  const answers: { operation: ProtectedOperation; answer: Answer }[] = [];
  for (const operation of operations)
    answers.push({ operation, answer: await session.sendAsIs(await operation.request(session, token)) });
  return answers;
}

/** A token that was handed out again is announced anew: it must live as long as its last answer says. */
async function assertReusedTokenLives(session: Session, first: Issue, operation: ProtectedOperation): Promise<void> {
  // Lifetimes are whole seconds: which of these sign-ins is the last that still answers it shows.
  let again: Issue | undefined;
  for (const before of [1.2, 0.8, 0.4]) {
    await until(first.at + (first.promised - before) * 1000);
    const next = await issue(session);
    if (next?.token !== first.token) break;
    again = next;
  }
  if (!again) return;
  await until(again.at + (again.promised - 1.1) * 1000);
  const answer = await session.sendAsIs(await operation.request(session, first.token));
  if (answer.response.status !== 401) return;
  const age = ((now() - again.at) / 1000).toFixed(1);
  throw violation(
    `A repeated sign-in answered the token in hand with expires_in ${again.promised}, and that token was refused after ${age} s.`,
    'a token that lives as long as announced',
    describe(answer),
  )
    .of('SSO-08')
    .seenIn(answer);
}

/** A given token whose lifetime is over is refused by every operation. */
async function assertGivenIsRefused(session: Session, operations: ProtectedOperation[], token: string): Promise<void> {
  for (const { operation, answer } of await answersTo(session, operations, token)) {
    if (!isSuccess(answer)) continue;
    throw violation(
      `${operation.name} accepts actors.admin.expiredToken, whose lifetime is over.`,
      'a refusal (4xx)',
      describe(answer),
    ).seenIn(answer);
  }
}

/** An end of the access token is announced (4.1): after it, the token is refused. */
export const expiry: Check = {
  id: 'auth-expired-jwt',
  requirements: ['AUT-12'],
  title: 'an access token is refused once its lifetime is over, by every operation',
  needs: ['actors.admin'],
  isOfTheRun: true,
  mayWrite: ['PATCH of the disposable recording: summary, with a token whose lifetime is over'],
  async run(session) {
    const operations = await accepting(session);
    const given = session.credentials('admin').expiredToken;
    if (given !== undefined) return assertGivenIsRefused(session, operations, given);
    const wait = session.config.quick ? 0 : (session.config.waitSeconds ?? DEFAULT_WAIT_SECONDS);
    const [operation] = operations;
    const token = session.credentials('admin').sso && operation ? await issueWithin(session, wait) : undefined;
    if (!token || !operation)
      throw untested(
        wait > 0
          ? `no access token expires within ${wait} s; wait for one with --wait SECONDS, or give an expired one in actors.admin.expiredToken`
          : 'this run waits for no token to expire; give an expired one in actors.admin.expiredToken',
      );
    const control = await session.sendAsIs(await operation.request(session, token.token));
    if (!isSuccess(control)) throw untested(`a fresh token was answered ${describe(control)}`);
    await assertReusedTokenLives(session, token, operation);
    const last = token;
    await until(last.at + (last.promised + LEEWAY_SECONDS) * 1000);
    const answers = await answersTo(session, operations, last.token);
    const overdue = (now() - last.at) / 1000 - last.promised;
    const refused = answers.findIndex(({ answer }) => answer.response.status === 401);
    // One that is accepted after another one refused it is not accepted for a difference of clocks.
    const accepted = answers.find(
      ({ answer }, at) => isSuccess(answer) && ((refused >= 0 && at > refused) || overdue > MAX_LEEWAY_SECONDS),
    );
    const turned = accepted ?? (refused >= 0 ? await acceptedAgain(session, answers, last.token) : undefined);
    if (turned) {
      throw violation(
        `${turned.operation.name} accepts an access token ${overdue.toFixed(1)} s after its lifetime of ${last.promised} s was over.`,
        'a refusal (4xx)',
        describe(turned.answer),
      ).seenIn(turned.answer);
    }
    if (refused < 0)
      throw untested(`the token was still accepted ${overdue.toFixed(1)} s after its end, which may be a leeway`);
  },
};

/** A token that lives no longer than the run may wait. */
async function issueWithin(session: Session, wait: number): Promise<Issue | undefined> {
  const isShort = ({ promised }: Issue): boolean => promised >= 2 && promised <= wait;
  const issued = wait > 0 && !areLonger(session, wait) ? await issue(session) : undefined;
  if (!issued || !isShort(issued)) return undefined;
  if (!issued.isReused) return issued;
  // Its life began earlier: one that begins now is handed out once it is over.
  await until(issued.at + (issued.promised + LEEWAY_SECONDS) * 1000);
  const next = await issue(session);
  return next && isShort(next) ? next : undefined;
}

/** Those that were asked, and accepted, before another one refused: asked once more, after that refusal. */
async function acceptedAgain(
  session: Session,
  answers: readonly { operation: ProtectedOperation; answer: Answer }[],
  token: string,
): Promise<{ operation: ProtectedOperation; answer: Answer } | undefined> {
  const before = answers.filter(({ answer }) => isSuccess(answer)).map(({ operation }) => operation);
  return (await answersTo(session, before, token)).find(({ answer }) => isSuccess(answer));
}
