import { blocked, violation } from '../failure.ts';
import type { Actor } from '../model.ts';
import { type AdminClaim, adminClaim } from '../session/admin-claim.ts';
import { OPERATIONS } from '../session/operations.ts';
import { overlapped } from '../session/overlapping.ts';
import { settled } from '../session/patience.ts';
import type { Session } from '../session/session.ts';
import { findJwts, findPats } from '../session/tokens-in-answers.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import type { Check } from './check.ts';
import { assertNoFinding } from './findings.ts';
import { PROTECTED } from './operations.ts';
import { MAKES_OTHER_PATS, MAKES_PAT } from './pat-answers.ts';
import { SUMMARY } from './recording-updates.ts';
import { tokenFindings } from './token-lives.ts';

/** Somebody with a token, as the token scopes are asked for. */
interface Caller {
  actor: Actor;
  /** What the token is, for messages. */
  what: string;
  kind: 'JWT' | 'PAT';
  /** The requirement that is broken where the token is refused. */
  accepts: 'AUT-01' | 'AUT-02' | 'AUT-08' | 'AUT-09';
  token: string;
}

const { scopes } = PROTECTED;
const isGiven = (session: Session, actor: Actor): boolean => Object.keys(session.credentials(actor)).length > 0;

async function jwtOf(session: Session, actor: Actor): Promise<Caller[]> {
  const { sso, login, accessToken } = session.credentials(actor);
  if (!sso && !login && !accessToken) return [];
  // Everybody may list the scopes that are available to them (4.4): so may member, by login as by SSO.
  const answer = actor === 'member' && login ? await session.signIn.login(actor) : undefined;
  const [own, another] = answer && isSuccess(answer) ? findJwts(answer) : [];
  // Of several JWTs any may be the access token; what admin's login showed of that is enough.
  if (own !== undefined && another === undefined)
    return [{ actor, what: `the JWT of ${OPERATIONS.login.name}`, kind: 'JWT', accepts: 'AUT-08', token: own }];
  const { token } = await session.signIn.accessToken(actor);
  return [{ actor, what: 'a JWT', kind: 'JWT', accepts: 'AUT-01', token }];
}

/**
 * The PATs of the run: those that are given, and those that it makes, one more of each actor; but for the one that admin
 * works with, to which the scopes are answered before.
 */
async function pats(session: Session): Promise<Caller[]> {
  const found: Caller[] = [];
  const { pat } = session.credentials('member');
  if (pat)
    found.push({ actor: 'member', what: 'the PAT of actors.member.pat', kind: 'PAT', accepts: 'AUT-02', token: pat });
  const first = await session.pats.made('admin').catch(() => undefined);
  if (!first) return found;
  if (session.credentials('admin').pat)
    found.push({ actor: 'admin', what: 'the first PAT that was made', kind: 'PAT', accepts: 'AUT-02', token: first });
  for (const { actor, answer } of await otherPats(session)) {
    const [token] = isSuccess(answer) ? findPats(answer) : [];
    const what = actor === 'admin' ? 'the second PAT that was made' : 'the PAT that was made for member';
    if (token) found.push({ actor, what, kind: 'PAT', accepts: 'AUT-09', token });
  }
  return found;
}

const otherPats = (session: Session) => session.pats.others((requests) => overlapped(session, requests));

/** Each caller of one actor beside one of the other: what belongs to the one must not be answered to the other. */
function inTurn(callers: readonly Caller[]): Caller[] {
  const [admins, members] = (['admin', 'member'] as const).map((actor) => callers.filter((one) => one.actor === actor));
  const turns = Math.max(admins?.length ?? 0, members?.length ?? 0);
  return Array.from({ length: turns }, (_, at) => [admins?.[at], members?.[at]])
    .flat()
    .filter((caller) => caller !== undefined);
}

/** What the scopes answer says of an actor to a JWT, asked alone. */
async function expectedClaim(session: Session, actor: Actor): Promise<AdminClaim | undefined> {
  const answer = await session.scopes.of(actor);
  return isSuccess(answer) ? adminClaim(jsonOf(answer)) : undefined;
}

/** Throws where a caller is refused, or answered about somebody else. */
async function judge(
  session: Session,
  caller: Caller & { answer: Answer; request: ClientRequest },
  expected: AdminClaim | undefined,
): Promise<void> {
  const { actor, what, request } = caller;
  const subject = `${scopes.name} by ${actor} with ${what}`;
  // A token is asked again for a while: where there are several instances, a fresh one may not be known at all of them yet.
  const answer = isSuccess(caller.answer)
    ? caller.answer
    : await settled(
        () => session.sendAsIs(request),
        (seen) => seen.response.status !== 401,
      );
  // A later PAT may replace the ones before it: how many a user may have is not shown.
  if (answer.response.status === 401 && caller.accepts === 'AUT-02') return;
  if (answer.response.status === 401) {
    // A token that worked before and died since is a fault of its own.
    if (caller.kind === 'JWT') assertNoFinding(await tokenFindings(session));
    throw violation(
      `${subject} was refused with 401, and accepts a JWT of ${actor}.`,
      'a success (2xx)',
      describe(answer),
    )
      .of(caller.accepts)
      .seenIn(answer);
  }
  if (!isSuccess(caller.answer) && isSuccess(answer) && caller.kind === 'JWT') {
    throw violation(
      `${subject} was refused while the same operation was asked for somebody else, and succeeds alone.`,
      'a success (2xx)',
      describe(caller.answer),
    )
      .of(caller.accepts)
      .seenIn(caller.answer);
  }
  if (!isSuccess(answer)) return; // which scopes a PAT needs is not shown
  const said = adminClaim(jsonOf(answer));
  if (!expected || !said || said.isAdmin === expected.isAdmin) return;
  throw violation(
    `${subject} says another thing of administrators than to a JWT of ${actor} that asks alone.`,
    { [expected.path.join('.')]: expected.value },
    { [said.path.join('.')]: said.value },
  )
    .of(expected.isAdmin ? 'SCO-03' : 'SCO-04')
    .seenIn(answer);
}

/** Who is asked about is who asks, whatever token that is and whoever else asks meanwhile (4.4, 5). */
export const callersAtScopes: Check = {
  id: 'scopes-of-each-caller',
  requirements: ['SCO-01'],
  isThorough: true,
  isOfTheRun: true,
  title: 'the token scopes are answered to each caller about itself: by JWT and PAT, admin and member, several at once',
  needs: scopes.needs,
  mayWrite: [MAKES_PAT, MAKES_OTHER_PATS],
  async run(session) {
    const control = await session.scopes.of('admin');
    if (!isSuccess(control)) throw blocked('scopes-answered', `${scopes.name} answered ${describe(control)}`);
    const path = await session.scopes.path();
    const actors = (['admin', 'member'] as const).filter((actor) => isGiven(session, actor));
    const expected = new Map<Actor, AdminClaim | undefined>();
    const accepted = new Set<Actor>();
    for (const actor of actors) {
      // Whether member is answered at all has a check of its own.
      const answer = await session.scopes.of(actor).catch(() => undefined);
      if (answer && isSuccess(answer)) accepted.add(actor);
      if (accepted.has(actor)) expected.set(actor, await expectedClaim(session, actor));
    }
    const patCallers = session.config.allowWrites ? await pats(session) : [];
    // After those, whose requests may show that a later sign-in ended the session in use.
    const jwts = (await Promise.all(actors.map((actor) => jwtOf(session, actor)))).flat();
    const callers = inTurn([...jwts, ...patCallers].filter(({ actor }) => accepted.has(actor)));
    const asked = callers.map((caller) => ({
      ...caller,
      request: { method: 'GET' as const, path, headers: { Authorization: `Bearer ${caller.token}` } },
    }));
    for (const each of await overlapped(session, asked)) await judge(session, each, expected.get(each.actor));
  },
};

/** Each PAT that is made has the documented form, and works where a JWT of its user does. */
export const laterPats: Check = {
  id: 'pat-later-ones',
  requirements: ['AUT-09', 'AUT-10'],
  isThorough: true,
  title: 'later PATs, made at the same time for each actor, have the documented form, and an update accepts one',
  needs: PROTECTED.recording.needs,
  writes: [MAKES_PAT, MAKES_OTHER_PATS, 'PATCH of the disposable recording: summary'],
  async run(session) {
    const first = await session.pats.created('admin');
    if (!isSuccess(first) || findPats(first).length === 0)
      throw blocked(isSuccess(first) ? 'pat-form' : 'pat-created', 'No first PAT was made');
    const others = await otherPats(session);
    for (const { actor, answer } of others.filter((each) => isSuccess(each.answer))) {
      if (findPats(answer).length > 0) continue;
      throw violation(
        `The second PAT that was made, for ${actor}, does not have the documented form.`,
        '<token_prefix>_<tokenId>.<secret>',
        describe(answer),
      )
        .of('AUT-10')
        .seenIn(answer);
    }
    const made = others.find(({ actor, answer }) => actor === 'admin' && isSuccess(answer));
    if (!made) return; // nothing says that somebody may have several
    await assertUpdates(session, findPats(made.answer)[0] ?? '');
  },
};

async function assertUpdates(session: Session, token: string): Promise<void> {
  const { recording } = PROTECTED;
  const control = await recording.send(session);
  if (!isSuccess(control)) throw blocked('recording-update-summary', `The update answered ${describe(control)}`);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await session.recording.update({ summary: SUMMARY }, headers);
  const { status } = answer.response;
  if (isSuccess(answer) || status === 403) return; // which scopes a PAT needs is not shown
  throw violation(
    `${recording.name} was refused with ${status} to the second PAT that was made, and accepts a JWT of its user.`,
    'a success (2xx)',
    describe(answer),
  )
    .of('AUT-09')
    .seenIn(answer);
}
