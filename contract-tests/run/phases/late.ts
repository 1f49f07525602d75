import { apiKeysPath, SSO_PATH } from '../../api/operations.ts';
import { findJwts } from '../../api/tokens-in-answers.ts';
import { isOk, jsonIn } from '../../log/entry.ts';
import { freshExchange } from '../../session/refreshing.ts';
import { isObject } from '../../values/json.ts';
import { now, sleep } from '../../wire/time.ts';
import type { Caller } from '../asker.ts';
import { isQuick, list, look, mild, type Run, recordingsOf, scopesOf } from './phase.ts';

/** For how many seconds nothing is sent before tokens are used again. */
export const PAUSE_SECONDS = 2;
const LONGEST_PAUSE_SECONDS = 15;
/** Seconds that a run waits for a token to expire, unless it says otherwise (`--wait`). */
export const DEFAULT_WAIT_SECONDS = 5;
/** Clocks differ, and services allow for that. */
const LEEWAY_SECONDS = 2;

const CALLERS: readonly Caller[] = ['admin.jwt', 'admin.login', 'admin.pat', 'member.jwt'];

/** Tokens after a pause, after others signed in, after a refresh, and after the end of their lifetime. */
export async function late(run: Run): Promise<void> {
  const { session } = run;
  if (!isQuick(run)) {
    // A sign-in may have ended the token before: this use shows that it lives.
    await scopesOf(run, 'admin.jwt', mild('before a pause'));
    // Who waits for tokens to expire learns also whether they live that long.
    await sleep(Math.max(PAUSE_SECONDS, Math.min(session.config.waitSeconds ?? 0, LONGEST_PAUSE_SECONDS)) * 1000);
  }
  for (const caller of CALLERS) await scopesOf(run, caller, mild('after a pause'));
  if (!isQuick(run)) {
    await list(run, 'admin.jwt', [], mild('after a pause'));
    const [recording] = recordingsOf(run);
    if (recording && session.config.allowWrites) await look(run, recording, 'admin.jwt', 'after a pause');
  }
  await lastSignIn(run);
  await laterPat(run);
  await refreshed(run);
  await expiry(run);
}

/** The token of admin's last sign-in is of the same user as the one before. */
async function lastSignIn({ asker, session }: Run): Promise<void> {
  const { sso } = session.credentials('admin');
  const path = await asker.findScopes();
  const last = asker.log.entries.findLast(
    (entry) => entry.operation === 'sso' && isOk(entry) && sso && entry.answer.request.body === JSON.stringify(sso),
  );
  const grant = last && jsonIn(last);
  if (path === undefined || !isObject(grant) || typeof grant.access_token !== 'string') return;
  const headers = { Authorization: `Bearer ${grant.access_token}` };
  if ((await asker.as('admin.jwt'))?.Authorization === headers.Authorization) return;
  await asker.ask({ method: 'GET', path, headers }, mild('the last sign-in'));
}

/** A later PAT of admin works, and ends nothing but perhaps the PAT before it. */
async function laterPat(run: Run): Promise<void> {
  const { asker, session } = run;
  if (isQuick(run) || !(await asker.as('admin.pat')) || session.credentials('admin').pat) return;
  const path = await asker.findScopes();
  const token = await asker.attempt('admin.pat', () => session.pats.another('admin'));
  if (token === undefined || path === undefined) return;
  await asker.ask({ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } }, mild('a later PAT'));
  await scopesOf(run, 'admin.jwt', mild('after a later PAT'));
}

/** The access token that a refresh token yields is asked for the scopes. */
async function refreshed(run: Run): Promise<void> {
  const { asker, session } = run;
  if (!session.credentials('admin').sso || (isQuick(run) && !('refresh-path' in session.config.answers))) return;
  const path = await asker.findScopes();
  asker.purpose = { for: 'refresh', odd: ['refresh'] };
  const exchanged = await asker.attempt('refresh', () => freshExchange(session));
  asker.purpose = { for: 'late', odd: [] };
  const token = exchanged?.found && findJwts(exchanged.found.answer)[0];
  if (token && path !== undefined)
    await asker.ask({ method: 'GET', path, headers: { Authorization: `Bearer ${token}` } }, mild('refreshed'), true);
}

/** A token that lives no longer than the run may wait is used after its end, by every operation; so is a given one. */
async function expiry(run: Run): Promise<void> {
  const { asker, session } = run;
  const { sso, expiredToken } = session.credentials('admin');
  if (expiredToken !== undefined) return useEverywhere(run, expiredToken);
  const wait = isQuick(run) ? 0 : (session.config.waitSeconds ?? DEFAULT_WAIT_SECONDS);
  const grants = asker.log.entries.filter(({ operation }) => operation === 'sso').map(jsonIn);
  const lifetimes = grants.flatMap((grant) =>
    isObject(grant) && typeof grant.expires_in === 'number' ? [grant.expires_in] : [],
  );
  if (!sso || wait === 0 || !lifetimes.some((seconds) => seconds <= wait && seconds > 0)) return;
  const entry = await asker.ask({ method: 'POST', path: SSO_PATH, json: sso }, mild('a token to expire'));
  const grant = entry && isOk(entry) ? jsonIn(entry) : undefined;
  if (!entry || !isObject(grant) || typeof grant.access_token !== 'string') return;
  session.signIn.noteSso('admin', entry.answer);
  await useEverywhere(run, grant.access_token);
  const until = entry.endedAt + (Number(grant.expires_in) + LEEWAY_SECONDS) * 1000 - now();
  if (until > 0) await sleep(Math.ceil(until));
  // Once one operation refuses it, so must all.
  await useEverywhere(run, grant.access_token);
  await useEverywhere(run, grant.access_token);
}

async function useEverywhere({ asker, session }: Run, token: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` };
  const path = await asker.findScopes();
  const { tenantId } = session.target.resources ?? {};
  for (const each of [path, tenantId === undefined ? undefined : apiKeysPath(tenantId)])
    if (each !== undefined)
      await asker.ask({ method: 'GET', path: each, headers }, { for: 'expiry', odd: ['expiry'] }, true);
  const recording =
    session.target.resources?.recordingId === undefined || !session.config.allowWrites ? undefined : session.recording;
  const request =
    recording &&
    (await asker.attempt('recording', () =>
      recording.prepared({ summary: 'With a token whose lifetime is over' }, headers),
    ));
  if (request) await asker.ask(request, { for: 'expiry', odd: ['expiry'] }, true);
}
