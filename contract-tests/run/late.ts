import { apiKeysPath, SSO_PATH } from '../api/operations.ts';
import { findJwts, isExchanged, refreshTokenIn } from '../api/tokens-in-answers.ts';
import { type Asked, type Entry, isOk, jsonIn } from '../log/entry.ts';
import { ACTORS } from '../model.ts';
import type { Step } from '../plan/model.ts';
import { type Attempt, attemptAt, freshExchange, signInToRefresh } from '../session/refreshing.ts';
import type { Session } from '../session/session.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { now, sleep } from '../wire/time.ts';
import type { Asker } from './asker.ts';
import { concurrencyOf, together } from './overlapping.ts';
import { elsewhereIn, isQuick, mild, type Run, SUMMARY } from './steps.ts';

/** For how many seconds nothing is sent before tokens are used again. */
const PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 15;
/** Seconds that a run waits for a token to expire, unless it says otherwise (`--wait`). */
const DEFAULT_WAIT_SECONDS = 5;
/** Clocks differ, and services allow for that. */
const LEEWAY_SECONDS = 2;

/** With --wait, the pause also shows whether tokens live that long. */
export const pause = ({ session }: Run): Promise<void> =>
  sleep(Math.max(PAUSE_SECONDS, Math.min(session.config.wait ?? 0, LONGEST_PAUSE_SECONDS)) * 1000);

const AT_ONCE = 'sign-ins at the same time';

/** Sign-ins at the same time, once a run; the refresh token of admin's is exchanged later. */
export const signIns = ({ asker, session }: Run): Promise<void> =>
  session.once(AT_ONCE, () => signInTogether(asker, session));

async function signInTogether(asker: Asker, session: Session): Promise<void> {
  // Admin's comes last: the members before it show whether an answer is about who signed in last.
  const actors = ACTORS.filter((actor) => session.credentials(actor).sso).toReversed();
  if (!actors.includes('admin')) return;
  const requests = actors.map((actor) => session.signIn.request(actor, 'sso'));
  const isOverlapping = actors.length > 1 && concurrencyOf(session) > 1 && session.config.quick !== true;
  const entries = isOverlapping ? await together(asker, requests, mild(AT_ONCE)) : [];
  // Each token is of the one who signed in.
  for (const entry of entries) await useAtScopes(asker, entry, AT_ONCE);
  const sso = JSON.stringify(session.credentials('admin').sso);
  const own = entries.find((entry) => entry.answer.request.body === sso && isOk(entry));
  await asker.attempt('refresh', () => signInToRefresh(session, own?.answer));
}

/** The token of admin's last sign-in is of the same user as the one before, unless those of sign-ins at the same time show it. */
export async function lastSignIn({ asker, session }: Run): Promise<void> {
  const { sso } = session.credentials('admin');
  const { entries } = asker.log;
  if (entries.some(({ operation, asked }) => operation === 'scopes' && asked?.for === AT_ONCE)) return;
  const last = entries.findLast(
    (entry) => entry.operation === 'sso' && isOk(entry) && sso && entry.answer.request.body === JSON.stringify(sso),
  );
  await useAtScopes(asker, last, 'the last sign-in');
}

/** Uses the token of the sign-in before it. */
export const useLast = ({ asker }: Run, step: Step): Promise<void> =>
  useAtScopes(asker, asker.log.entries.at(-1), step.for ?? '');

/** Uses the token of a sign-in, unless it is that with which admin works. */
async function useAtScopes(asker: Asker, signIn: Entry | undefined, what: string): Promise<void> {
  const path = await asker.findScopes();
  const token = grantIn(signIn)?.access_token;
  if (path === undefined || typeof token !== 'string') return;
  const headers = { Authorization: `Bearer ${token}` };
  if ((await asker.as('admin.jwt'))?.Authorization === headers.Authorization) return;
  await asker.ask({ method: 'GET', path, headers }, mild(what));
}

/** The access token that a refresh token yields is used by every operation. */
export async function refresh(run: Run): Promise<void> {
  const { asker, session } = run;
  const { sso } = session.credentials('admin');
  if (!sso || (isQuick(run) && !('refresh-path' in session.config.answers))) return;
  asker.purpose = { for: 'refresh', odd: ['refresh'] };
  const exchanged = await asker.attempt('refresh', () => freshExchange(session));
  if (exchanged?.tried && !exchanged.found) await withFirstToken(run, exchanged.tried);
  asker.purpose = { for: 'late', odd: [] };
  const token = exchanged?.found && findJwts(exchanged.found.answer)[0];
  if (token) await useEverywhere(run, token, mild('refreshed'), { title: elsewhereIn(run, 'refresh') });
}

/** If the last refresh token was refused everywhere, tries the first one: the token may be the reason, not the path. */
async function withFirstToken({ asker, session }: Run, tried: readonly Attempt[]): Promise<void> {
  const sso = JSON.stringify(session.credentials('admin').sso);
  const first = asker.log.entries.find(({ operation, answer }) => operation === 'sso' && answer.request.body === sso);
  const older = first && refreshTokenIn(first.answer);
  for (const attempt of tried) {
    if (older === undefined || older === attempt.token) return;
    if (![400, 401, 403, 422].includes(attempt.answer.response.status)) continue;
    const again = await asker.attempt('refresh', () => attemptAt(session, attempt, older));
    if (again && isExchanged(again.answer)) return;
  }
}

/** A token that lives no longer than the run may wait is used after its end, by every operation; so is a given one. */
export async function expiry(run: Run): Promise<void> {
  const { asker, session } = run;
  const { sso, expiredToken } = session.credentials('admin');
  if (expiredToken !== undefined) return useEverywhere(run, expiredToken);
  const wait = isQuick(run) ? 0 : (session.config.wait ?? DEFAULT_WAIT_SECONDS);
  const lifetimes = asker.log.entries.map((entry) => (entry.operation === 'sso' ? grantIn(entry)?.expires_in : 0));
  if (!sso || !lifetimes.some((seconds) => typeof seconds === 'number' && seconds <= wait && seconds > 0)) return;
  const entry = await asker.ask({ method: 'POST', path: SSO_PATH, json: sso }, mild('a token to expire'));
  const grant = grantIn(entry);
  if (!entry || typeof grant?.access_token !== 'string') return;
  await useEverywhere(run, grant.access_token);
  await announcedAgain(run, sso, entry);
  await until(entry.endedAt + (Number(grant.expires_in) + LEEWAY_SECONDS) * 1000);
  // Once one operation refuses it, so must all.
  await useEverywhere(run, grant.access_token);
  await useEverywhere(run, grant.access_token);
}

/** What a sign-in that succeeded answered. */
function grantIn(entry: Entry | undefined): JsonObject | undefined {
  const grant = entry && isOk(entry) ? jsonIn(entry) : undefined;
  return isObject(grant) ? grant : undefined;
}

/** Seconds before its end at which a token may be handed out again, and how long before the announced end it is still used. */
const AGAIN = { before: [1.2, 0.8, 0.4], use: 1.6 };

/** If a later sign-in returns the same token, it must live as long as the later answer says. */
async function announcedAgain(run: Run, sso: object, first: Entry): Promise<void> {
  const { access_token: token, expires_in: lifetime } = jsonIn(first) as JsonObject;
  const wasKnown = run.asker.log.entries.some(
    ({ n, answer }) => n < first.n && answer.response.body.includes(String(token)),
  );
  let again: Entry | undefined;
  // Lifetimes are whole seconds: which of these sign-ins is the last that still answers the token shows.
  for (const before of AGAIN.before) {
    await until(first.endedAt + (Number(lifetime) - before) * 1000);
    const next = await run.asker.ask({ method: 'POST', path: SSO_PATH, json: sso }, mild('a token to expire'));
    const grant = grantIn(next);
    if (!next || !grant) break;
    if (grant.access_token !== token) {
      // One that was handed out before was too old for this; the new one is not.
      if (wasKnown && !again) return announcedAgain(run, sso, next);
      break;
    }
    again = next;
  }
  if (!again) return;
  await useEverywhere(run, String(token));
  await until(again.endedAt + (Number((jsonIn(again) as JsonObject).expires_in) - AGAIN.use) * 1000);
  await useEverywhere(run, String(token));
}

/** Waits until a time on the clock of the log, in milliseconds. */
const until = (time: number): Promise<void> => sleep(Math.max(0, Math.ceil(time - now())));

async function useEverywhere(
  { asker, session }: Run,
  token: string,
  asked: Asked = { for: 'expiry', odd: ['expiry'] },
  body: JsonObject = { summary: SUMMARY },
): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const path = await asker.findScopes();
  const { tenantId } = session.target.resources ?? {};
  for (const each of [path, tenantId === undefined ? undefined : apiKeysPath(tenantId)])
    if (each !== undefined) await asker.ask({ method: 'GET', path: each, headers }, asked, true);
  if (session.target.resources?.recordingId === undefined || !session.config.allowWrites) return;
  const request = await asker.attempt('recording', () => session.recording.prepared(body, headers));
  if (request) await asker.ask(request, asked, true);
}
