import { randomUUID } from 'node:crypto';
import { apiKeysPath, recordingPath } from '../../api/operations.ts';
import { isOk, statusOf } from '../../log/entry.ts';
import { ACTORS } from '../../model.ts';
import type { ClientRequest } from '../../wire/exchange.ts';
import { list, type Run, recordingsOf, SUMMARY } from './phase.ts';

/** Signs in, finds the recording as it is, and the path of the token scopes: what cannot be established is not planned for. */
export async function establish(run: Run): Promise<void> {
  const { asker, session } = run;
  for (const actor of ACTORS) {
    const { sso } = session.credentials(actor);
    if (sso) await asker.attempt(`${actor}.sso`, () => session.signIn.sso(actor));
    await asker.as(`${actor}.jwt`);
  }
  for (const recording of recordingsOf(run)) {
    const original = session.config.allowWrites
      ? await asker.attempt('recording', () => recording.original())
      : undefined;
    if (original) break;
  }
  await list(run, 'admin.jwt');
  // The search asks as admin.
  await asker.findScopes();
  await diagnose(run, 'recording', ({ recordingId }) => recordingId, recordingPath);
  await diagnose(run, 'api-keys', ({ tenantId }) => tenantId, apiKeysPath);
}

type Resources = NonNullable<Run['session']['target']['resources']>;

/** Where an operation answers 403 or 404: whether the target file names what the target does not have, or other actors. */
async function diagnose(
  { asker, session }: Run,
  operation: 'recording' | 'api-keys',
  resourceOf: (resources: Resources) => string | undefined,
  pathOf: (id: string) => string,
): Promise<void> {
  const id = resourceOf(session.target.resources ?? {});
  const own = asker.log.entries.filter((entry) => entry.operation === operation);
  const refused = own.find((entry) => [403, 404].includes(statusOf(entry)));
  const headers = await asker.as('admin.jwt');
  if (id === undefined || !refused || own.some(isOk) || !headers) return;
  const request: Pick<ClientRequest, 'method'> & { json?: unknown } =
    operation === 'recording' ? { method: 'PATCH', json: { summary: SUMMARY } } : { method: 'GET' };
  const send = (path: string, what: string, by = headers) =>
    session.allowingUpdate(path, () => asker.ask({ ...request, path, headers: by }, { for: what, odd: ['path'] }));
  const member = await asker.as('member.jwt');
  if (member) await send(pathOf(id), 'whether member may', member);
  if (statusOf(refused) !== 404) return;
  await send(pathOf(randomUUID()), 'a made-up identifier');
  const nowhere = `a path that does not exist, like that of ${operation}`;
  const [start = ''] = pathOf(id).split(`/${encodeURIComponent(id)}`);
  await send(`${start.split('/').slice(0, 3).join('/')}/${randomUUID()}/${randomUUID()}`, nowhere);
  await send(`${start}/${encodeURIComponent(id)}/${randomUUID()}`, nowhere);
}
