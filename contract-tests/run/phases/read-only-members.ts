import { READ_ONLY_FIELDS } from '../../api/records.ts';
import { type Asked, isContentRefused, isOk } from '../../log/entry.ts';
import type { Session } from '../../session/session.ts';
import type { JsonObject } from '../../values/json.ts';
import type { Caller } from '../asker.ts';
import { otherValues } from '../read-only-values.ts';
import { isLong, isQuick, type Run, recordIn, SUMMARY } from './phase.ts';
import { type Known, send } from './updating.ts';

/** Sends members that updates must not write: alone, together, and with other fields. */

/** A member that no update writes, with a value that the recording has not. */
export async function extraOf(
  run: Run,
  recording: Session['recording'],
  name: string,
): Promise<JsonObject | undefined> {
  const field = fieldOf(name);
  const record = field === undefined ? undefined : lastRecord(run, recording);
  if (field === undefined || !record) return undefined;
  const { otherRecordingId, recordingId } = run.session.target.resources ?? {};
  const other = recording.id === recordingId ? otherRecordingId : recordingId;
  const [value] = await otherValues(field, record, run.session);
  // The id of another known recording is more likely to be written than one that nothing has.
  return { [name]: field === 'id' && other !== undefined ? other : value };
}

const letters = (name: string): string => name.replace(/[^a-z]/gi, '').toLowerCase();

const fieldOf = (name: string): string | undefined =>
  Object.keys(READ_ONLY_FIELDS).find((field) => letters(field) === letters(name));

/** The recording as the last update answered it. */
function lastRecord({ asker }: Run, recording: Session['recording']): JsonObject | undefined {
  const last = asker.log.entries.findLast(
    (entry) => entry.operation === 'recording' && entry.resource === recording.id && recordIn(entry),
  );
  return recordIn(last);
}

/** A target that writes these might lose the recording. */
const RISKY = ['id', 'user_id'];

/** Each read-only field alone: other code may handle it than in an update of several fields. */
export async function lones(run: Run, recording: Session['recording'], known: Known): Promise<void> {
  if (isQuick(run)) return;
  const fields = Object.keys(READ_ONLY_FIELDS).filter((each) => !RISKY.includes(each));
  for (const field of fields) {
    const body = await extraOf(run, recording, field);
    const asked: Asked = { for: `${field}, which no update writes, alone`, odd: ['extra'] };
    const entry = body && (await send(run, recording, 'admin.jwt', body, asked, known));
    // Where one is refused alone, so are the others: an update of nothing else may be refused for being empty.
    if (entry && isContentRefused(entry)) return;
  }
}

/** All read-only fields at once, with each candidate value and null; in halves if the target refuses that. */
export async function rounds(run: Run, recording: Session['recording'], known: Known): Promise<void> {
  const record = lastRecord(run, recording);
  if (!record) return;
  const values: [string, unknown[]][] = [];
  for (const field of Object.keys(READ_ONLY_FIELDS))
    values.push([field, await otherValues(field, record, run.session)]);
  const written = (all: unknown[]): unknown[] => all.filter((value) => value !== null);
  const most = Math.max(...values.map(([, all]) => written(all).length));
  const groups = Array.from({ length: most }, (_, round) =>
    values.map(([field, all]): [string, unknown] => [field, written(all)[round] ?? written(all)[0]]),
  );
  const empty = values.filter(([, all]) => all.includes(null)).map(([field]): [string, unknown] => [field, null]);
  const sendGroup = async (
    group: readonly [string, unknown][],
    company: JsonObject,
    caller: Caller = 'admin.jwt',
  ): Promise<void> => {
    if (group.length === 0) return;
    const entry = await send(
      run,
      recording,
      caller,
      { ...company, ...Object.fromEntries(group) },
      { for: 'members that are not writable', odd: ['extra'] },
      known,
    );
    if (!entry || isOk(entry) || group.length === 1) return;
    const half = Math.ceil(group.length / 2);
    await sendGroup(group.slice(0, half), company, caller);
    await sendGroup(group.slice(half), company, caller);
  };
  // If the target refuses them with other fields, each value is sent alone.
  if (known.isStrict) {
    const isPat = !isQuick(run) && (await run.asker.as('admin.pat')) !== undefined;
    for (const [field, all] of values) {
      const some = isLong(run) ? all : written(all).slice(0, isQuick(run) ? 1 : 2);
      for (const [at, value] of some.entries())
        await sendGroup([[field, value]], {}, at === 1 && isPat ? 'admin.pat' : 'admin.jwt');
    }
    return;
  }
  const wanted = isQuick(run) ? groups.slice(0, 1) : [...groups, empty];
  const first = !isQuick(run) && (await run.asker.as('admin.pat')) ? 'admin.pat' : 'admin.jwt';
  for (const [at, group] of wanted.entries())
    if (at === 0) await sendGroup(group, { title: 'With members that are not writable' }, first);
    else await sendGroup(group, { summary: SUMMARY });
}
