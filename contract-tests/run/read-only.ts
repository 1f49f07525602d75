import { isDeepStrictEqual } from 'node:util';
import { isUpdate } from '../api/operations.ts';
import { READ_ONLY_FIELDS, readOnlyField, WRITABLE_FIELDS } from '../api/records.ts';
import { type Entry, isContentRefused, isOk, sentObject, statusOf } from '../log/entry.ts';
import { SUMMARY } from '../plan/questions.ts';
import { recordOf } from '../rules/documented.ts';
import { WAITS } from '../session/session.ts';
import { groupBy } from '../values/group.ts';
import type { JsonObject } from '../values/json.ts';
import { memberOf } from '../values/json.ts';
import { sleep } from '../wire/time.ts';
import { type Known, otherValues } from './choices.ts';
import { isUpdateOf, mild, type Recording, type Run, type Step, userIdIn } from './steps.ts';

/** Members that no update writes (part 2), and looks: updates that leave the title alone, and show what it is. */

/** What the log and the profile say of values that the target might accept. */
export function knownTo(run: Run): Known {
  const signIn = run.log.entries.find(run.isSignInOf('member'));
  const id = signIn && userIdIn(signIn);
  return {
    users: typeof id === 'string' ? [id] : [],
    recordings: run.recordings.map((each) => each.id),
    vocabularyOf: (field) => run.session.assumed<string[]>(`${field}-values`),
  };
}

/** Members that no update writes, by their names in any spelling, with values that the recording has not. */
export function extrasOf(run: Run, recording: Recording, names: readonly string[]): JsonObject | undefined {
  const record = run.lastRecord(recording);
  const entries = names.flatMap((name): [string, unknown][] => {
    const field = readOnlyField(name);
    if (field === undefined || !record) return [];
    const values = otherValues(field, record, knownTo(run)).filter((value) => value !== null);
    // The others go in updates of all of these fields.
    return [[name, field === 'status' ? values.at(-1) : values[0]]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

const isExtra = (name: string): boolean => memberOf(WRITABLE_FIELDS, name) === undefined;
const extrasIn = (entry: Entry): string[] => Object.keys(sentObject(entry)).filter(isExtra);
const othersIn = (entry: Entry): JsonObject =>
  Object.fromEntries(Object.entries(sentObject(entry)).filter(([name]) => !isExtra(name)));
const hasCompany = (entry: Entry): boolean => extrasIn(entry).length > 0 && Object.keys(othersIn(entry)).length > 0;

/** Whether one member that no update writes was sent with others. */
export const wasExtraTried = ({ log }: Run): boolean =>
  log.entries.some((entry) => isUpdate(entry.operation) && extrasIn(entry).length === 1 && hasCompany(entry));

/** Whether members that no update writes are refused, so that they are sent alone: the same was accepted without them, or they are invalid alone. */
export function refusesExtras({ log }: Run): boolean {
  const updates = log.entries.filter(({ operation }) => isUpdate(operation));
  const refused = updates.filter((entry) => isContentRefused(entry) && extrasIn(entry).length > 0);
  const inCompany = refused.filter(hasCompany);
  const isAlone = (entry: Entry): boolean => extrasIn(entry).length === 1 || !hasCompany(entry);
  const isAcceptedWithout = (entry: Entry): boolean => {
    const next = updates[updates.indexOf(entry) + 1];
    return next !== undefined && isOk(next) && isDeepStrictEqual(sentObject(next), othersIn(entry));
  };
  return (
    // An update of nothing else may be refused for being empty.
    (inCompany.length > 0 && refused.some((entry) => isInvalid(entry) && isAlone(entry))) ||
    inCompany.some((entry) => isInvalid(entry) && isAcceptedWithout(entry))
  );
}

const isInvalid = (entry: Entry): boolean => isContentRefused(entry) && statusOf(entry) < 500;

/** A target that writes the first two might lose the recording. */
const APART = ['id', 'user_id', 'created_at', 'updated_at', 'status'];

/** The read-only fields that are sent alone, since other code may handle one than an update of several; `status` last, when processing may be over. */
export const LONES: readonly (readonly string[])[] = [
  ...Object.keys(READ_ONLY_FIELDS).flatMap((field) => (APART.includes(field) ? [] : [[field]])),
  ['created_at', 'updated_at'],
  ['status'],
];

/** The next read-only fields that are sent alone; undefined where all were, or are refused. */
export function loneIn(run: Run): readonly string[] | undefined {
  const ids = run.recordings.map(({ id }) => id);
  const own = run.log.entries.filter(({ resource }) => ids.some((id) => id === resource));
  // Where one is refused alone, so are the others: an update of nothing else may be refused for being empty.
  const isOver = refusesExtras(run) || own.some((entry) => isContentRefused(entry) && LONES.some(isUpdateOf(entry)));
  return run.isQuick || isOver ? undefined : LONES.find((each) => !own.some((entry) => isUpdateOf(entry)(each)));
}

async function lone(run: Run, recording: Recording, what: string): Promise<Entry | undefined> {
  const fields = loneIn(run);
  const body = fields && extrasOf(run, recording, fields);
  if (!fields || !body) return undefined;
  const asked = { for: `${what}: ${fields.join(' and ')}, which no update writes, alone`, odd: ['extra'] };
  return run.update(recording, run.editorOf(recording), body, asked);
}

/** The read-only fields that no look has carried. */
export async function remainingLones(run: Run): Promise<void> {
  const [recording] = run.recordings;
  while (recording && (await lone(run, recording, 'look')));
}

const NOTHING = 'look: no field';

/** Once, an update without any field: which a target may refuse, so only where it accepted one before. */
async function nothing(run: Run, recording: Recording): Promise<Entry | undefined> {
  const own = run.log.entries.filter((entry) => entry.operation === 'recording' && isUpdateOf(entry)([]));
  if (own.some(({ asked }) => asked?.for === NOTHING) || !own.some(isOk)) return undefined;
  return run.update(recording, run.editorOf(recording), {}, { for: NOTHING, odd: ['body'] });
}

/** An update that leaves the title alone, and shows what it is; it carries a member that no update writes while there are some. */
export async function look(run: Run, recording: Recording, what = 'look'): Promise<Entry | undefined> {
  const entry = (await lone(run, recording, what)) ?? (await nothing(run, recording));
  return entry && isOk(entry)
    ? entry
    : run.update(recording, run.editorOf(recording), { summary: SUMMARY }, mild(what));
}

/** Whether the last update of a recording left the title alone, and showed it. */
export function wasLook(run: Run, recording: Recording): boolean {
  const last = run.log.entries.findLast(({ resource }) => resource === recording.id);
  return last !== undefined && !('title' in sentObject(last)) && recordOf(last) !== undefined;
}

/** The title that the last update with one wrote, and answered. */
export function titleOf(run: Run, { id }: Recording): string | undefined {
  const isTitled = (entry: Entry): boolean => entry.resource === id && 'title' in sentObject(entry);
  const last = run.log.entries.findLast((entry) => isTitled(entry) && recordOf(entry));
  const title = last && sentObject(last).title;
  return typeof title === 'string' && recordOf(last)?.title === title ? title : undefined;
}

/** Looks at the recording until it shows the title that was written. */
export async function seen(run: Run, recording: Recording): Promise<void> {
  const title = titleOf(run, recording);
  for (const wait of isInVain(run) ? [0] : [0, ...WAITS]) {
    if (wait > 0) await sleep(wait);
    const record = recordOf(await look(run, recording));
    if (!record || record.title === title) return;
  }
}

/** For how long a title is waited for, in milliseconds; timers may end a little early. */
const WAITED = WAITS.reduce((sum, wait) => sum + wait) - 50;

/** Whether a written title did not show up although it was waited for: then the run does not wait for another one. */
export function isInVain({ log }: Run): boolean {
  const byRecording = groupBy(log.entries.filter(recordOf), ({ resource }) => resource);
  return [...byRecording.values()].some((entries) => {
    let title: unknown;
    let missing: Entry | undefined;
    return entries.some((entry) => {
      const sent = sentObject(entry);
      const shown = recordOf(entry)?.title;
      if ('title' in sent) title = sent.title === shown ? shown : title;
      if ('title' in sent || title === undefined || shown === title) missing = undefined;
      else missing ??= entry;
      return missing !== undefined && entry.begin - missing.end >= WAITED;
    });
  });
}

/** The same as a step, until it shows the title that was written: replicas may lag. `once` where the last update was none. */
export async function lookStep(run: Run, step: Step): Promise<void> {
  const recording = run.recordings[step.on === 'second' ? 1 : 0];
  if (!recording || !run.session.config.allowWrites) return;
  if (step.once && wasLook(run, recording)) return;
  const shown = recordOf(await look(run, recording, step.for));
  const title = titleOf(run, recording);
  if (shown && title !== undefined && shown.title !== title) await seen(run, recording);
}

/** Good requests after those of a phase, by JWT and by PAT where there is one: by an earlier one, if a later one has not ended it. */
export async function control(run: Run, step: Step): Promise<void> {
  const what = `control after ${step.for}`;
  const hasPat = !run.isQuick && (await run.as('admin.pat')) !== undefined;
  const older = run.log.entries.find((entry) => entry.asked?.odd.includes('older') && isOk(entry))?.credential.token;
  const newest = hasPat ? 'admin.pat' : 'admin.jwt';
  // First what nothing may refuse: the body of a refused update may be left in the connection.
  await run.list(older === undefined ? newest : `Bearer ${older}`, {}, mild(what));
  await lookStep(run, { ...step, for: what });
}
