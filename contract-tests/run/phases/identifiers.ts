import { apiKeysPath, recordingPath } from '../../api/operations.ts';
import { loadModel } from '../../plan/model.ts';
import {
  isLong,
  isQuick,
  mild,
  percentEncoded,
  type Run,
  recordIn,
  recordingsOf,
  SHORT_ID,
  SUMMARY,
  update,
} from './phase.ts';

const otherCase = (id: string): string => {
  const at = id.search(/[a-zA-Z]/);
  const letter = id[at] ?? '';
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return at < 0 ? id : id.slice(0, at) + other + id.slice(at + 1);
};

const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

/** An identifier as no recording has it: its last letter or digit changed. */
const unknown = (id: string): string => {
  const at = id.search(/[a-z0-9](?=[^a-z0-9]*$)/i);
  return `${id.slice(0, at)}${id[at] === '0' ? '1' : '0'}${id.slice(at + 1)}`;
};

/** Paths that are not the recording's: an update there must not reach it. One that is percent-encoded is the same path. */
export async function identifiers(run: Run): Promise<void> {
  const { asker, session } = run;
  const [recording] = recordingsOf(run);
  if (!recording || !session.config.allowWrites || isQuick(run)) return;
  const headers = await asker.as('admin.jwt');
  if (!headers || !run.asker.log.entries.some((entry) => entry.resource === recording.id && recordIn(entry))) return;
  const paths: Record<string, string | undefined> = {
    cut: recording.id.length > SHORT_ID ? recordingPath(recording.id.slice(0, -1)) : undefined,
    longer: recordingPath(`${recording.id}0`),
    // Collations ignore the case of other identifiers.
    'other-case': isUuid(recording.id) ? recordingPath(otherCase(recording.id)) : undefined,
    encoded: recordingPath(recording.id).replace(encodeURIComponent(recording.id), percentEncoded(recording.id)),
    unknown: recordingPath(unknown(recording.id)),
  };
  for (const { id, rare } of loadModel().identifiers) {
    if (rare && !isLong(run)) continue;
    const path = paths[id];
    if (path === undefined) continue;
    asker.covered.add(`identifiers.${id}`);
    const isSame = id === 'encoded' || id === 'other-case';
    const json = isSame ? { summary: SUMMARY } : { title: `Written to another identifier (${id})` };
    const asked = { for: `identifier ${id}`, odd: id === 'encoded' ? [] : ['recording'] };
    await session.allowingUpdate(path, () => asker.ask({ method: 'PATCH', path, json, headers }, asked));
  }
  await update(run, recording, 'admin.jwt', { summary: SUMMARY }, mild('control after identifiers'));
  if (!isLong(run)) return;
  // Ten errors in a row, and then a good request.
  for (let at = 0; at < 10; at += 1) {
    const path = apiKeysPath(`no-tenant-${at}`);
    await asker.ask({ method: 'GET', path, headers }, { for: 'errors in a row', odd: ['tenant'] });
  }
  await update(run, recording, 'admin.jwt', { summary: SUMMARY }, mild('control after errors in a row'));
  await asker.ask(
    { method: 'GET', path: apiKeysPath(session.target.resources?.tenantId ?? ''), headers },
    mild('control after errors in a row'),
  );
}
