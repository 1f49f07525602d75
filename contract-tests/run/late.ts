import { findJwts, isExchanged, refreshTokenIn } from '../api/tokens-in-answers.ts';
import { type Asked, type Entry, isOk, objectIn } from '../log/entry.ts';
import type { Actor } from '../model.ts';
import { SUMMARY } from '../plan/questions.ts';
import { type Attempt, attemptAt, freshExchange, signInToRefresh } from '../session/refreshing.ts';
import { tokenIn } from '../session/signing-in.ts';
import type { JsonObject } from '../values/json.ts';
import { asNumber } from '../values/json.ts';
import { now, sleep } from '../wire/time.ts';
import { tellingPairs } from './choices.ts';
import { read } from './reads.ts';
import { mild, type Run, type Step } from './steps.ts';

/** For how many seconds nothing is sent before tokens are used again. */
const PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 15;
/** Seconds that a run waits for a token to expire, unless it says otherwise (`--wait`). */
const DEFAULT_WAIT_SECONDS = 5;
/** Clocks differ, and services allow for that. */
const LEEWAY_SECONDS = 2;

const AT_ONCE = 'sign-ins at the same time';

const signInsAtOnce = (run: Run, actor: Actor = 'admin'): Entry[] =>
  run.log.entries.filter((entry) => entry.asked?.for === AT_ONCE && run.isSignInOf(actor)(entry));

/**
 * An update by the first of admin's tokens of sign-ins at once, of a kind that was seen to leave titles alone: one that is back
 * is not its doing. Before it a use of member's, who did not sign in again: nothing has ended it.
 */
export async function afterPause(run: Run, step: Step): Promise<void> {
  const [others] = signInsAtOnce(run, 'member').map(tokenOf);
  if (others !== undefined) await run.askFor({ of: 'scopes' }, `Bearer ${others}`, mild(step.for ?? ''));
  const [first] = signInsAtOnce(run).map(tokenOf);
  const caller = first === undefined ? 'admin.jwt' : (`Bearer ${first}` as const);
  if (run.session.config.allowWrites)
    await run.askFor({ of: 'recording', json: { summary: SUMMARY } }, caller, mild(step.for ?? ''));
}

/** With --wait, the pause also shows whether tokens live that long. */
export async function pause(run: Run): Promise<void> {
  const { wait = 0, allowWrites } = run.session.config;
  const [recording] = run.recordings;
  // A sign-in may have ended the token before: this use shows that it lives.
  if (!run.isQuick && signInsAtOnce(run).length === 0)
    await run.askFor({ of: 'scopes' }, 'admin.jwt', mild('before a pause'));
  await sleep(Math.max(PAUSE_SECONDS, Math.min(wait, LONGEST_PAUSE_SECONDS)) * 1000);
  if (wait > 0 && allowWrites && recording) await read(run, recording);
  // Else an update shows that admin's token lives.
  if (!allowWrites || !recording) await run.askFor({ of: 'scopes' }, 'admin.jwt', mild('after a pause'));
}

const UNKNOWN: Step = {
  of: 'sso',
  json: 'claims of an unknown user',
  writes: true,
  odd: ['identity'],
  covers: 'strangers.unknown',
};

/** Sign-ins at the same time, once a run; the refresh token of admin's is exchanged later. */
export const signIns = (run: Run, { writes }: Step): Promise<void> =>
  run.session.once(AT_ONCE, async () => {
    const { session } = run;
    const unknown = writes && !run.isQuick ? [UNKNOWN] : [];
    const admin: Step = { of: 'sso', json: 'claims of admin' };
    const all = [admin, { of: 'sso', json: 'claims of member' } as const, ...unknown, admin];
    const isSignedIn = session.credentials('admin').sso !== undefined;
    const entries = isSignedIn && !run.isQuick ? await run.sendTogether(all, mild(AT_ONCE)) : [];
    const ofUnknown = entries.find(({ asked }) => asked?.odd.includes('identity'));
    if (!ofUnknown) await run.sendSteps(unknown);
    const [last] = ofUnknown ? [ofUnknown] : run.log.entries.slice(-1);
    // Who was accepted is the same user again.
    if (last && isOk(last)) await run.sendSteps(unknown.map((step) => ({ ...step, covers: 'strangers.again' })));
    if (!isSignedIn) return;
    // Each token is of the one who signed in. The first one of admin's is used after the pause.
    const own = entries.findLast(run.isSignInOf('admin'));
    for (const entry of entries)
      if (entry === own || !run.isSignInOf('admin')(entry)) await useAtScopes(run, entry, AT_ONCE);
    await run.attempt('refresh', () => signInToRefresh(session, own?.answer));
  });

/** The token of admin's last sign-in is of the same user as the one before; where it was used before the pause, it lives after that. */
export const lastSignIn = (run: Run): Promise<void> =>
  useAtScopes(run, run.log.entries.findLast(run.isSignInOf('admin')), 'the last sign-in');

/** Uses the token of the sign-in before it. */
export const useLast = (run: Run, step: Step) => useAtScopes(run, run.log.entries.at(-1), step.for ?? '');

/** Uses the token of a sign-in, unless it is that with which admin works. */
async function useAtScopes(run: Run, signIn: Entry | undefined, what: string): Promise<void> {
  const token = tokenOf(signIn);
  const caller = `Bearer ${token}` as const;
  if (token === undefined || (await run.as('admin.jwt'))?.Authorization === caller) return;
  await run.askFor({ of: 'scopes' }, caller, mild(what));
}

const REFRESH: Asked = { for: 'refresh', odd: ['refresh'] };

/** The access token that a refresh token yields is used by every operation. */
export async function refresh(run: Run): Promise<void> {
  const { session } = run;
  const { sso } = session.credentials('admin');
  if (!sso || (run.isQuick && !('refresh-path' in session.config.answers))) return;
  const exchanged = await run.attempt('refresh', () => freshExchange(session), REFRESH);
  if (exchanged?.tried && !exchanged.found) await withOtherTokens(run, exchanged.tried);
  const token = exchanged?.found && findJwts(exchanged.found.answer)[0];
  const json = { title: run.elsewhereIn('refresh') };
  if (token) await useEverywhere(run, token, mild('refreshed'), json);
  if (exchanged?.found) await refreshAsMember(run, exchanged.found);
  else if (session.config.allowWrites) await run.askFor({ of: 'recording', json }, 'admin.jwt', mild('not refreshed'));
}

/** How many requests follow at the least: those of the next phases, bad credentials, probes. */
const FOLLOWING = 70;

/** The token that a member's refresh token yields is no administrator's. */
async function refreshAsMember(run: Run, found: Attempt): Promise<void> {
  const { session } = run;
  const signIn = run.log.entries.findLast(run.isSignInOf('member'));
  const own = run.spareIn(FOLLOWING) < 0 || !signIn ? undefined : refreshTokenIn(signIn.answer);
  const exchanged = own && (await run.attempt('refresh', () => attemptAt(session, found, own), REFRESH));
  const token = exchanged && findJwts(exchanged.answer)[0];
  if (!token) return;
  const caller = `Bearer ${token}` as const;
  await run.askFor({ of: 'scopes' }, caller, mild('refreshed'));
  const recording = run.recordings.find((each) => run.mayUpdate(each, 'member'));
  if (recording && session.config.allowWrites)
    await run.update(recording, caller, { summary: SUMMARY }, mild('refreshed'));
}

/** If the refresh token was refused everywhere, tries others of the same user: the token may be the reason, not the path. */
async function withOtherTokens(run: Run, tried: readonly Attempt[]): Promise<void> {
  const { session } = run;
  const ofFirst = (way: 'sso' | 'login') => async () => run.log.entries.find(run.isSignInOf('admin', way))?.answer;
  // Others may have signed in since.
  const ofNow = () => session.signIn.again('admin', 'sso');
  const refused = tried.filter(({ answer }) => [400, 401, 403, 422].includes(answer.response.status));
  // A target that refuses every path alike says nothing by that.
  const isPath = new Set(refused.map(({ path }) => path)).size === 1;
  for (const signIn of [ofFirst('sso'), ...(isPath ? [ofFirst('login'), ofNow] : [])])
    for (const attempt of refused) {
      const answer = await run.attempt('refresh', signIn, REFRESH);
      const token = answer && refreshTokenIn(answer);
      if (token === undefined || token === attempt.token) break;
      const again = await run.attempt('refresh', () => attemptAt(session, attempt, token), REFRESH);
      if (again && isExchanged(again.answer)) return;
    }
}

/** A token that lives no longer than the run may wait is used after its end, by every operation; so is a given one. */
export async function expiry(run: Run): Promise<void> {
  const { session } = run;
  const { sso, expiredToken } = session.credentials('admin');
  for (const [name, actor] of Object.entries(run.log.actors))
    if (name !== 'admin' && actor?.expiredToken !== undefined)
      await run.askFor({ of: 'scopes' }, `Bearer ${actor.expiredToken}`, EXPIRED);
  if (expiredToken !== undefined) return useEverywhere(run, expiredToken);
  const wait = run.isQuick ? 0 : (session.config.wait ?? DEFAULT_WAIT_SECONDS);
  const isShort = (entry: Entry) => entry.operation === 'sso' && lifetimeIn(entry) > 0 && lifetimeIn(entry) <= wait;
  if (!sso || !run.log.entries.some(isShort)) return;
  const entry = await signInToExpire(run);
  const token = tokenOf(entry);
  if (!entry || token === undefined) return;
  await useEverywhere(run, token);
  await announcedAgain(run, entry);
  await until(entry, -LEEWAY_SECONDS);
  // Once one operation refuses it, so must all.
  await useEverywhere(run, token);
  await useEverywhere(run, token);
}

const signInToExpire = (run: Run) =>
  run.askFor({ of: 'sso', json: 'claims of admin' }, 'nobody', mild('a token to expire'));

const tokenOf = (signIn: Entry | undefined): string | undefined => signIn && tokenIn('sso', signIn.answer);

/** Seconds that the token of a sign-in lives, as announced. */
const lifetimeIn = (entry: Entry): number => (isOk(entry) ? asNumber(objectIn(entry).expires_in) : Number.NaN);

/** Seconds before its end at which a token may be handed out again, and how long before the announced end it is still used. */
const AGAIN = { before: [1.2, 0.8, 0.4], use: 1.6 };

/** If a later sign-in returns the same token, it must live as long as the later answer says. */
async function announcedAgain(run: Run, first: Entry): Promise<void> {
  const token = tokenOf(first) ?? '';
  const wasKnown = run.log.entries.some(({ n, answer }) => n < first.n && answer.response.body.includes(token));
  let again: Entry | undefined;
  // Lifetimes are whole seconds: which of these sign-ins is the last that still answers the token shows.
  for (const before of AGAIN.before) {
    await until(first, before);
    const next = await signInToExpire(run);
    const own = tokenOf(next);
    // One that was handed out before was too old for this; the new one is not.
    if (next && own !== undefined && own !== token && wasKnown && !again) return announcedAgain(run, next);
    if (own !== token) break;
    again = next;
  }
  if (!again) return;
  await useEverywhere(run, token);
  await until(again, AGAIN.use);
  await useEverywhere(run, token);
}

/** Waits until some seconds before the announced end of a token. */
const until = (signIn: Entry, before: number): Promise<void> =>
  sleep(Math.max(0, Math.ceil(signIn.endedAt + (lifetimeIn(signIn) - before) * 1000 - now())));

const EXPIRED: Asked = { for: 'expiry', odd: ['expiry'] };

async function useEverywhere(
  run: Run,
  token: string,
  asked = EXPIRED,
  json: JsonObject = { summary: SUMMARY },
): Promise<void> {
  const caller = `Bearer ${token}` as const;
  await run.askFor({ of: 'scopes' }, caller, asked);
  const query = asked.odd.length === 0 ? tellingPairs(run.knownKeys)[0] : {};
  if (!run.isQuick) await run.askFor({ of: 'api-keys', query }, caller, asked);
  if (run.session.config.allowWrites) await run.askFor({ of: 'recording', json }, caller, asked);
}
