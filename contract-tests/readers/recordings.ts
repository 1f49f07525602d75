import { type Entry, isOk, jsonIn, type Log, sentObject, sentOf, statusOf } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { isObject } from '../values/json.ts';
import { forbiddenStatus } from './keys.ts';
import { isAccepted, type Look, type Read, Undetermined, unanswered } from './reader.ts';

/** A member of what an exchange answered. */
function memberOf(entry: Entry, name: string): unknown {
  const json = jsonIn(entry);
  return isObject(json) ? json[name] : undefined;
}

/** Whether a number that was sent as title became text. */
const isText = (entry: Entry): boolean => memberOf(entry, 'title') === String(sentObject(entry).title);

/** Whether the recording was changed by an update without any field; undefined where the log does not tell. */
function touches(look: Look, entry: Entry): 'accept' | 'unchanged' | undefined {
  const before = look.log.entries.findLast(
    (each) => each.n < entry.n && each.operation === 'recording' && each.path === entry.path && isOk(each),
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

/** Whether a recording is member's: by the user_id that its updates answer, and the user who signed in. */
function isMembers({ entries, actors }: Log, recording: Entry): boolean {
  const [owner, member] = [memberOf(recording, 'user_id'), canonical(actors.member?.sso)];
  return entries.some((entry) => {
    const user = entry.operation === 'sso' && canonical(sentOf(entry)) === member && memberOf(entry, 'user');
    return owner !== undefined && isObject(user) && user.id === owner;
  });
}

/** Updates of recordings (4.2). */
export const recordings: Readonly<Record<string, Read>> = {
  'empty-update': (look) => {
    const empty = look.any('update-empty');
    const found = new Set(empty.map((entry) => (isAccepted(entry) ? touches(look, entry) : 'refuse')));
    found.delete(undefined);
    if (found.size > 1) throw new Undetermined(`it is answered in several ways: ${[...found].join(', ')}`);
    return [...found][0] ?? unanswered('update-empty');
  },
  'wrong-type': (look) => {
    const entry = look.take('update-number');
    if (!isAccepted(entry)) return 'refuse';
    if (isText(entry)) return 'coerce';
    throw new Undetermined(`the update was accepted, but the title is ${JSON.stringify(memberOf(entry, 'title'))}`);
  },
  'null-field': (look) => {
    if (!isAccepted(look.take('update-null'))) return 'refuse';
    // Nothing reads the summary back, and answers have the title.
    const title = look.take('update-null-title');
    return isOk(title) && memberOf(title, 'title') ? 'ignore' : 'clear';
  },
  'analysis-structure': (look) => {
    if (isAccepted(look.take('update-unknown-key'))) return 'any-object';
    // The refusal of other keys counts only where the known ones are accepted.
    if (isAccepted(look.take('update-known-keys'))) return 'known-keys';
    throw new Undetermined('neither made-up keys nor key_topics and action_items are accepted');
  },
  'foreign-recording': (look) => {
    // The recording is one that admin may update; member is somebody else of the tenant.
    if (isMembers(look.log, look.success('update')))
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
};
