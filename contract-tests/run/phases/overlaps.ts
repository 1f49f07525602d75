import { apiKeysPath } from '../../api/operations.ts';
import { isOk } from '../../log/entry.ts';
import { ACTORS } from '../../model.ts';
import type { ClientRequest } from '../../wire/exchange.ts';
import type { Asker, Caller } from '../asker.ts';
import { concurrencyOf, together } from '../overlapping.ts';
import { look } from './look.ts';
import { editorOf, isLong, isQuick, mild, type Run, recordingsOf, SUMMARY, titled } from './phase.ts';

/** Requests under way at the same time: what one of them does must not reach another. */
export async function overlaps(run: Run): Promise<void> {
  const { asker, session } = run;
  if (concurrencyOf(session) < 2 || isQuick(run)) return;
  const { tenantId } = session.target.resources ?? {};
  const lists = tenantId === undefined ? undefined : apiKeysPath(tenantId);
  // Member may be refused.
  const listing = await byEach(asker, ['member.jwt', 'admin.jwt'], lists);
  await together(asker, listing, mild('lists of several at the same time'));
  const scopes = await byEach(asker, ['admin.jwt', 'member.jwt'], await asker.findScopes());
  await together(asker, scopes, mild('scopes at the same time'));
  if (session.config.allowWrites) await updatesAtOnce(run);
  // Last, since a sign-in may end the session before it.
  for (const entry of await together(asker, await signIns(run), mild('sign-ins at the same time'))) {
    const actor = ACTORS.find(
      (each) =>
        session.credentials(each).sso && JSON.stringify(session.credentials(each).sso) === entry.answer.request.body,
    );
    if (actor) session.signIn.noted(actor, 'sso', entry.answer);
  }
}

async function signIns({ session, asker }: Run): Promise<ClientRequest[]> {
  const requests: ClientRequest[] = [];
  for (const actor of ACTORS)
    if (session.credentials(actor).sso) {
      const request = await asker.attempt(`${actor}.sso`, async () => session.signIn.request(actor, 'sso'));
      if (request) requests.push(request);
    }
  return requests.length > 1 ? requests : [];
}

/** One request of each caller, where there are several that can send it. */
async function byEach(asker: Asker, callers: readonly Caller[], path?: string): Promise<ClientRequest[]> {
  const requests: ClientRequest[] = [];
  for (const caller of callers) {
    const headers = path === undefined ? undefined : await asker.as(caller);
    if (path !== undefined && headers) requests.push({ method: 'GET', path, headers });
  }
  return requests.length > 1 ? requests : [];
}

/** By how much later the second one of two updates is sent, in milliseconds: the first one arrives first, and is under way. */
const APART_MS = 3;

/** Overlapping updates of one recording, and of two. */
async function updatesAtOnce(run: Run): Promise<void> {
  const { asker } = run;
  const [first, second] = recordingsOf(run);
  if (!first) return;
  const prepared = async (
    recording: typeof first,
    json: Record<string, unknown>,
  ): Promise<ClientRequest | undefined> => {
    // By its owner, where that is who may update it: a session must not reach what another one writes.
    const isOwner = recording !== first && mayUpdate(run, 'member', recording.id);
    const headers = await asker.as(isOwner ? 'member.jwt' : editorOf(run, recording));
    return headers && asker.attempt('recording', () => recording.prepared(json, headers));
  };
  const title = (text: string, recording = first) => prepared(recording, { title: titled(run, text) });
  const atOnce = async (...pair: (ClientRequest | undefined)[]): Promise<void> => {
    const requests = pair.filter((request) => request !== undefined);
    if (requests.length < 2) return;
    await together(asker, requests, mild('updates at the same time'), APART_MS);
    for (const recording of recordingsOf(run))
      if (requests.some(({ path }) => path.endsWith(encodeURIComponent(recording.id)))) await look(run, recording);
  };
  if (isLong(run))
    await atOnce(await title('One of two titles at once'), await title('The other of two titles at once'));
  if (second)
    await atOnce(await title('While another recording is updated'), await title('In another recording', second));
  // A comparison may take this title for the one before.
  const capitals = await title('WHILE ANOTHER RECORDING IS UPDATED');
  await atOnce(capitals, await prepared(first, { summary: SUMMARY }));
}

const mayUpdate = ({ asker }: Run, actor: string, recordingId: string): boolean =>
  asker.log.entries.some((entry) => isOk(entry) && entry.resource === recordingId && entry.credential.who === actor);
