import { apiKeysPath } from '../../api/operations.ts';
import { isOk } from '../../log/entry.ts';
import { ACTORS } from '../../model.ts';
import type { ClientRequest } from '../../wire/exchange.ts';
import type { Caller } from '../asker.ts';
import { concurrencyOf, together } from '../overlapping.ts';
import { look } from './look.ts';
import { editorOf, isLong, isQuick, mild, type Run, recordingsOf, SUMMARY, titled } from './phase.ts';

/** Requests under way at the same time: what one of them does must not reach another. */
export async function overlaps(run: Run): Promise<void> {
  const { asker, session } = run;
  if (concurrencyOf(session) < 2 || isQuick(run)) return;
  await together(asker, await listsOfSeveral(run), mild('lists of several at the same time'));
  await together(asker, await scopesOfSeveral(run), mild('scopes at the same time'));
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

/** One list, requested by member, who may be refused, and by admin. */
async function listsOfSeveral({ asker, session }: Run): Promise<ClientRequest[]> {
  const { tenantId } = session.target.resources ?? {};
  const [member, admin] = [await asker.as('member.jwt'), await asker.as('admin.jwt')];
  if (!member || !admin || tenantId === undefined) return [];
  return [member, admin].map((headers) => ({ method: 'GET', path: apiKeysPath(tenantId), headers }));
}

async function scopesOfSeveral({ asker }: Run): Promise<ClientRequest[]> {
  const path = await asker.findScopes();
  const requests: ClientRequest[] = [];
  for (const caller of ['admin.jwt', 'member.jwt'] as Caller[]) {
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
  const pairs = [
    ...(isLong(run)
      ? [
          [
            await prepared(first, { title: titled(run, 'One of two titles at once') }),
            await prepared(first, { title: titled(run, 'The other of two titles at once') }),
          ],
        ]
      : []),
    ...(second
      ? [
          [
            await prepared(first, { title: titled(run, 'While another recording is updated') }),
            await prepared(second, { title: titled(run, 'In another recording') }),
          ],
        ]
      : []),
    [
      await prepared(first, { title: titled(run, 'While other fields are updated') }),
      await prepared(first, { summary: SUMMARY }),
    ],
  ];
  for (const pair of pairs) {
    const requests = pair.filter((request) => request !== undefined);
    if (requests.length < 2) continue;
    await together(asker, requests, mild('updates at the same time'), APART_MS);
    for (const recording of recordingsOf(run))
      if (requests.some(({ path }) => path.endsWith(encodeURIComponent(recording.id)))) await look(run, recording);
  }
}

const mayUpdate = ({ asker }: Run, actor: string, recordingId: string): boolean =>
  asker.log.entries.some((entry) => isOk(entry) && entry.resource === recordingId && entry.credential.who === actor);
