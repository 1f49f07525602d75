import { READ_ONLY_FIELDS, readOnlyField } from '../../api/records.ts';
import { type Entry, isContentRefused, isOk } from '../../log/entry.ts';
import type { Session } from '../../session/session.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Caller } from '../asker.ts';
import { otherValues } from '../read-only-values.ts';
import { editorOf, mild, type Run, recordIn, recordingsOf, SUMMARY, update } from './phase.ts';

/** Updates that leave the title alone, and show what it is; each carries a member that no update writes while there are some. */

/** A target that writes these might lose the recording. */
const RISKY = ['id', 'user_id'];

/** The read-only fields that are sent alone, since other code may handle one than an update of several fields; `status` last, when processing may be over. */
export const loneFields = (): string[] => [
  ...Object.keys(READ_ONLY_FIELDS).filter((field) => !RISKY.includes(field) && field !== 'status'),
  'status',
];

/** An update that leaves the title alone, and shows what it is. */
export async function look(run: Run, recording: Session['recording']): Promise<Entry | undefined> {
  const caller = editorOf(run, recording);
  const entry = await lone(run, recording, caller);
  return entry && isOk(entry) ? entry : update(run, recording, caller, { summary: SUMMARY }, mild('look'));
}

/** The read-only fields that no look has carried. */
export async function remainingLones(run: Run): Promise<void> {
  const [recording] = recordingsOf(run);
  while (recording && run.lones.length > 0 && (await lone(run, recording, editorOf(run, recording))));
}

/** Sends the next read-only field alone. */
async function lone(run: Run, recording: Session['recording'], caller: Caller): Promise<Entry | undefined> {
  const [field = ''] = run.lones;
  const body = await extraOf(run, recording, field);
  if (!body) return undefined;
  run.lones.shift();
  const asked = { for: `${field}, which no update writes, alone`, odd: ['extra'] };
  const entry = await update(run, recording, caller, body, asked);
  // Where one is refused alone, so are the others: an update of nothing else may be refused for being empty.
  if (entry && isContentRefused(entry)) run.lones.length = 0;
  return entry;
}

/** A member that no update writes, with a value that the recording has not. */
export async function extraOf(
  run: Run,
  recording: Session['recording'],
  name: string,
): Promise<JsonObject | undefined> {
  const field = readOnlyField(name);
  const record = field === undefined ? undefined : lastRecord(run, recording);
  if (field === undefined || !record) return undefined;
  const { otherRecordingId, recordingId } = run.session.target.resources ?? {};
  const other = recording.id === recordingId ? otherRecordingId : recordingId;
  const [value] = await otherValues(field, record, run.session);
  // The id of another known recording is more likely to be written than one that nothing has.
  return { [name]: field === 'id' && other !== undefined ? other : value };
}

/** The recording as the last update answered it. */
export function lastRecord({ asker }: Run, recording: Session['recording']): JsonObject | undefined {
  const last = asker.log.entries.findLast(
    (entry) => entry.operation === 'recording' && entry.resource === recording.id && recordIn(entry),
  );
  return recordIn(last);
}
