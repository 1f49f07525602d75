import { type Entry, isOk, jsonIn, type Log, sentObject, sentOf, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { isObject } from '../values/json.ts';
import { forbiddenStatus } from './keys.ts';
import type { QuestionId } from './questions.ts';
import { allowedStatus, isAccepted, type Look, type Reader, reader, Undetermined } from './reader.ts';

/** A member of the recording that an update answered. */
function memberOf(entry: Entry, name: string): unknown {
  const record = jsonIn(entry);
  return isObject(record) ? record[name] : undefined;
}

/** An answer to an update; undetermined where a harmless update of the recording fails. */
function updated(look: Look, question: QuestionId): Entry {
  if (!look.log.isPartial) look.success('update', 'A harmless update of the recording');
  return look.take(question);
}

/** A reader whose answer is whether one update is accepted or refused as invalid. */
const updateReader = (gap: string, question: QuestionId, accepted: string): Reader =>
  reader({ gap, of: ['update', question], repeats: true }, (look) =>
    isAccepted('The update', updated(look, question)) ? accepted : 'refuse',
  );

/** Whether the recording was changed by an update without any field; undefined where the log does not tell. */
function touches(look: Look, entry: Entry): 'accept' | 'unchanged' | undefined {
  const before = look.log.entries.findLast(
    ({ n, operation, path, answer }) =>
      n < entry.n && operation === 'recording' && path === entry.path && answer.response.status < 300,
  );
  const [earlier, later] = [before && memberOf(before, 'updated_at'), memberOf(entry, 'updated_at')];
  if (!look.log.isPartial && later === undefined) return 'unchanged';
  // Processing changes a recording, too.
  if (!before || later === undefined || memberOf(before, 'status') !== memberOf(entry, 'status')) return undefined;
  look.by.add(before);
  if (earlier !== later) return 'accept';
  // Times may be written in whole seconds.
  return entry.startedAt - before.startedAt > 1000 ? 'unchanged' : undefined;
}

/** Whose the recording is: by the user_id that its updates answer, and the users who signed in. */
function isMembers({ entries, actors }: Log, recording: Entry): boolean {
  const [owner, member] = [memberOf(recording, 'user_id'), canonical(actors.member?.sso)];
  const ofMember = entries.filter((entry) => entry.operation === 'sso' && canonical(sentOf(entry)) === member);
  return ofMember.some((entry) => {
    const user = memberOf(entry, 'user');
    return owner !== undefined && isObject(user) && user.id === owner;
  });
}

/** Updates of recordings (4.2). */
export const recordingReaders: readonly Reader[] = [
  reader({ gap: 'empty-update', of: ['update', 'update-empty'] }, (look) => {
    const empty = look.all('update-empty');
    const found = new Set(empty.map((entry) => (isAccepted('The update', entry) ? touches(look, entry) : 'refuse')));
    found.delete(undefined);
    const [first, ...others] = found;
    if (others.length > 0) throw new Undetermined(`it is answered in several ways: ${[...found].join(', ')}`);
    return first ?? look.another('update-empty');
  }),
  updateReader('unknown-field', 'update-unknown-field', 'ignore'),
  reader({ gap: 'wrong-type', of: ['update', 'update-number'] }, (look) => {
    const entry = updated(look, 'update-number');
    if (!isAccepted('The update', entry)) return 'refuse';
    const title = memberOf(entry, 'title');
    if (title === String(sentObject(entry).title)) return 'coerce';
    throw new Undetermined(`the update was accepted, but the title is ${JSON.stringify(title)}`);
  }),
  reader({ gap: 'null-field', of: ['update', 'update-null', 'update-number'] }, (look) => {
    if (!isAccepted('The update', updated(look, 'update-null'))) return 'refuse';
    // Nothing reads the summary back. Where a wrong type is ignored as well, null may be ignored, too.
    const [number] = look.all('update-number');
    if (number && isOk(number) && memberOf(number, 'title') !== String(sentObject(number).title))
      throw new Undetermined('the update was accepted, as is one with a number as title, which is ignored');
    return 'clear';
  }),
  reader({ gap: 'analysis-structure', of: ['update', 'update-unknown-key'], may: ['update-known-keys'] }, (look) => {
    if (isAccepted('The update', updated(look, 'update-unknown-key'))) return 'any-object';
    // The refusal of other keys counts only where the known ones are accepted.
    if (isAccepted('The update with key_topics and action_items', look.take('update-known-keys'))) return 'known-keys';
    throw new Undetermined('neither made-up keys nor key_topics and action_items are accepted');
  }),
  reader({ gap: 'unknown-recording-status', of: ['update', 'update-unknown'], repeats: true }, (look) =>
    allowedStatus('unknown-recording-status', updated(look, 'update-unknown')),
  ),
  reader(
    {
      gap: 'foreign-recording',
      of: ['update', 'update-as-member'],
      may: ['update-unknown', 'update-unknown-as-member', 'keys-as-member'],
      repeats: true,
    },
    (look) => {
      // The recording is one that admin may update; member is somebody else of the tenant.
      const recording = look.success('update', 'The update by admin');
      if (isMembers(look.log, recording))
        throw new Undetermined("the recording is member's own (user_id), and admin may update it as an administrator");
      const foreign = look.take('update-as-member');
      if (isOk(foreign)) return 'allow';
      const status = statusOf(foreign);
      const forbidden = forbiddenStatus(look);
      const isForbidding = status === 403 || status === forbidden;
      // Where it does not look like what admin gets for an unknown one, member need not ask for that as well.
      if (isForbidding && status !== statusOf(look.take('update-unknown'))) return 'forbid';
      const other = statusOf(look.take('update-unknown-as-member'));
      if (status === other) {
        // It looks like an unknown one. Where that is what "not permitted" looks like as well, 404 is called hidden.
        if (status === 404 || (forbidden !== undefined && status !== forbidden)) return 'hide';
        if (status === forbidden) return 'forbid';
        throw new Undetermined(`both somebody else's and an unknown recording get ${status}`);
      }
      if (isForbidding) return 'forbid';
      throw new Undetermined(`it is refused with ${status}, an unknown recording with ${other}`);
    },
  ),
];
