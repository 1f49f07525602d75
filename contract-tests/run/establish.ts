import { randomUUID } from 'node:crypto';
import { namedActors } from '../api/named-actors.ts';
import {
  apiKeysPath,
  isUpdate,
  OPERATION_IDS,
  OPERATIONS,
  type OperationId,
  pathTo,
  resourceOf,
} from '../api/operations.ts';
import { distinct } from '../api/records.ts';
import { credentialsIn } from '../log/credentials.ts';
import { isOk, statusOf } from '../log/entry.ts';
import { ACTORS, type Actor } from '../model.ts';
import { type Caller, SUMMARY } from '../plan/questions.ts';
import { listedKeys } from '../rules/documented.ts';
import { patIn } from '../session/pats.ts';
import { asText, type JsonObject, memberOf } from '../values/json.ts';
import { mild, type Row, type Run } from './steps.ts';

/** Signs in, finds the recording as it is, and the path of the token scopes: what cannot be established is not planned for. */
export async function establish(run: Run): Promise<void> {
  const { session } = run;
  for (const actor of ACTORS) {
    const { sso, accessToken } = session.credentials(actor);
    // A sign-in may end the token that the target file gives: it is used before.
    if (sso && accessToken)
      await run.askFor({ of: 'scopes' }, `Bearer ${accessToken}`, mild('a credential of the target file'));
    if (sso) await run.attempt(`${actor}.sso`, () => session.signIn.sso(actor));
    await run.as(`${actor}.jwt`);
  }
  for (const recording of session.config.allowWrites ? run.recordings : [])
    if ((await run.attempt('recording', () => recording.original())) !== undefined) break;
  // If a list is cached for the next caller, member gets it after admin, and not before.
  if (!run.isQuick) await run.list('member.jwt', {}, { for: 'lists', odd: ['caller'] });
  await run.list('admin.jwt');
  // The search asks as admin.
  await run.findScopes();
  for (const operation of OPERATION_IDS) await diagnose(run, operation);
}

/** Where an operation answers 403 or 404: whether the target file names what the target does not have, or other actors. */
async function diagnose(run: Run, operation: OperationId): Promise<void> {
  const resource = resourceOf(operation);
  const id = resource && memberOf(run.session.target.resources as JsonObject | undefined, resource.own);
  if (typeof id !== 'string') return;
  const { method } = OPERATIONS[operation];
  const pathOf = (each: string): string => pathTo(operation, each) ?? '';
  const own = run.log.entries.filter((entry) => entry.operation === operation && !entry.asked?.odd.length);
  const refused = own.find((entry) => [403, 404].includes(statusOf(entry)));
  if (!refused || own.some(isOk) || !(await run.as('admin.jwt'))) return;
  const request: Row = isUpdate(operation) ? { method, json: { summary: SUMMARY } } : { method };
  const sendTo = (path: string, what: string, by: Caller = 'admin.jwt') =>
    run.askFor({ ...request, path }, by, { for: what, odd: ['path'] });
  await sendTo(pathOf(id), 'whether member may', 'member.jwt');
  if (statusOf(refused) !== 404) return;
  await sendTo(pathOf(randomUUID()), 'a made-up identifier');
  const nowhere = `a path that does not exist, like that of ${operation}`;
  const [start = ''] = pathOf(id).split(`/${encodeURIComponent(id)}`);
  await sendTo(`${start.split('/').slice(0, 3).join('/')}/${randomUUID()}/${randomUUID()}`, nowhere);
  await sendTo(`${start}/${encodeURIComponent(id)}/${randomUUID()}`, nowhere);
}

/**
 * Makes a PAT of admin, then one more of each actor at the same time and uses these. Where the target file gives one, it comes
 * late, since a new PAT may end those before it: how many a user may have is not shown.
 */
const makePats = async (run: Run, isLate: boolean): Promise<void> => {
  const { session } = run;
  const isGiven = session.credentials('admin').pat !== undefined;
  if (isGiven !== isLate || !session.config.allowWrites) return;
  await run.findScopes();
  const first = await run.attempt('admin.pat', () => session.pats.created('admin'));
  const use = async (token: string | undefined, odd: readonly string[] = []) =>
    token && run.askFor({ of: 'scopes' }, `Bearer ${token}`, { for: 'a PAT that was made', odd });
  await use(first && patIn(first));
  const requests = (await run.attempt('admin.pat', () => session.pats.others())) ?? [];
  const made = await run.together(requests, { for: 'PATs at the same time', odd: ['body'] });
  for (const { answer } of made) await use(patIn(answer));
  if (made.length > 0) await use(first && patIn(first), ['older']);
  // The other operations got the given ones.
  if (!isGiven || run.isQuick) return;
  for (const { answer, credential } of made) {
    const token = patIn(answer);
    if (token === undefined) continue;
    const recording = run.recordings.find((each) => run.mayUpdate(each, credential.who as Actor));
    if (recording) await run.update(recording, `Bearer ${token}`, { summary: SUMMARY }, mild('a PAT that was made'));
    if (credential.who === 'admin') await run.list(`Bearer ${token}`, {}, mild('a PAT that was made'));
  }
};
export const pats = (run: Run) => makePats(run, false);
export const latePats = (run: Run) => makePats(run, true);

/** Asks as member with the ETag of admin's answer, where member's own answer has the same one. */
export async function etag(run: Run): Promise<void> {
  const etagTo = (who: string): string | undefined =>
    run.log.entries.find((entry) => entry.operation === 'scopes' && isOk(entry) && entry.credential.who === who)?.answer
      .response.headers.etag;
  const own = etagTo('admin');
  if (own === undefined || own !== etagTo('member')) return;
  const asked = { for: "scopes with another caller's ETag", odd: ['condition'] };
  await run.askFor({ of: 'scopes' }, 'member.jwt', asked, { headers: { 'If-None-Match': own } });
}

/** Asks as people of other tenants: their lists must hold their tenant's keys only. */
export async function others(run: Run): Promise<void> {
  const { session } = run;
  const all = Object.entries(namedActors(session.target.actors)).filter(([name]) => name.startsWith('others.'));
  const some = run.isLong ? all : all.slice(0, run.isQuick ? 1 : 3);
  // Of these one asks for lists, where the budget is no large one: best an administrator.
  const [lister] = some.find(([, actor]) => actor?.role === 'admin') ?? some[0] ?? [];
  for (const [name, { role, sso, tenantId } = {}] of some) {
    const caller = `${name}.jwt` as Caller;
    if (sso) await run.attempt(`${name}.sso`, () => session.signIn.sso(name as Actor));
    const entry = await run.askFor({ of: 'scopes' }, caller, mild('another tenant'));
    const isListing = !run.isQuick && (name === lister || run.isLong);
    if (!entry || tenantId === undefined || !isListing) continue;
    // The document says only that administrators may list.
    const asked = { for: 'another tenant', odd: role === 'admin' ? [] : ['caller'] };
    const listOf = (query: Record<string, string>) => run.askFor({ path: apiKeysPath(tenantId), query }, caller, asked);
    const whole = await listOf({});
    // Right after our list: a cache may not distinguish tenants.
    const ours = distinct(run.knownKeys, 'provider');
    const theirs = whole && isOk(whole) ? distinct(listedKeys(whole), 'provider') : [];
    const provider = theirs.find((each) => ours.includes(each)) ?? theirs[0];
    if (provider !== undefined) {
      if (ours.includes(provider)) await run.list('admin.jwt', { provider });
      await listOf({ provider });
    }
    await run.list(caller, {}, { for: 'our tenant by somebody of another one', odd: ['tenant', 'caller'] });
  }
}

/** Uses each credential of the target file that no request used so far: one that is refused is named. */
export async function credentials(run: Run): Promise<void> {
  const { signIn } = run.session;
  for (const { field, actor, way, given, uses } of credentialsIn(run.log)) {
    if (uses.length > 0) continue;
    if (way === 'sso' || way === 'login') await run.attempt(field, () => signIn[way](actor as Actor));
    else await run.askFor({ of: 'scopes' }, `Bearer ${asText(given)}`, mild('a credential of the target file'));
  }
}
