import { randomUUID } from 'node:crypto';
import { CARRIED, readPath } from '../api/reading.ts';
import { isOk, sentObject } from '../log/entry.ts';
import { isUpdate } from '../rules/documented.ts';
import { isCarried } from '../rules/recordings.ts';
import { describe } from '../values/answer.ts';
import { asText, canonical, hasMember, isEqual, type JsonObject, memberOf, objectOf } from '../values/json.ts';
import { sleep } from '../wire/time.ts';
import { mild, type Recording, type Run, type Step } from './steps.ts';

/** Milliseconds to wait for a written value: replicas may lag. */
const WAITS = [0, 300, 1_000];

/** The values that a recording has now, as far as no read showed that this field can have them. */
function unreadIn(run: Run, { id }: Recording): JsonObject {
  const seen = new Set<string>();
  let unread = new Map<string, unknown>();
  for (const entry of run.log.entries) {
    const keyOf = (field: string, value: unknown): string => `${field} ${canonical(value)}`;
    if (entry.stored?.recordingId === id) {
      for (const each of unread) seen.add(keyOf(...each));
      unread = new Map();
    } else if (entry.operation === 'recording' && entry.resource === id && isOk(entry)) {
      const sent = sentObject(entry);
      for (const field of CARRIED.filter((each) => hasMember(sent, each))) {
        const value = memberOf(sent, field);
        // Other members may be a reason not to write.
        if (!isUpdate(entry) || seen.has(keyOf(field, value))) unread.delete(field);
        else unread.set(field, value);
      }
    }
  }
  return Object.fromEntries(unread);
}

/** Reads the first recording, where the target file says how, and it has values that no read showed. */
export async function readWritten(run: Run): Promise<void> {
  const [recording] = run.recordings;
  if (!recording || !run.session.target.reads || run.problems.has('reads')) return;
  const unread = unreadIn(run, recording);
  if (Object.keys(unread).length > 0) await readBack(run, recording, unread);
}

/** The same before an update overwrites such a value: so one read shows several fields, and what other updates left of them. */
export async function readBefore(run: Run, recording: Recording, body: JsonObject): Promise<void> {
  if (run.isQuick || recording !== run.recordings[0]) return;
  const isLost = ([field, value]: [string, unknown]): boolean =>
    hasMember(body, field) && !isEqual(memberOf(body, field), value);
  if (Object.entries(unreadIn(run, recording)).some(isLost)) await readWritten(run);
}

/** Reads until the written values show, or the waits are over; where they were over once without, it waits no more. */
async function readBack(run: Run, recording: Recording, unread: JsonObject): Promise<void> {
  const { entries } = run.log;
  const isVain = entries.some((_, at) => WAITS.every((_wait, nth) => entries[at + nth]?.stored !== undefined));
  for (const wait of isVain ? [0] : WAITS) {
    if (wait > 0) await sleep(wait);
    const fields = await read(run, recording);
    if (fields && !Object.entries(unread).every(([name, value]) => isCarried(value, memberOf(fields, name)))) continue;
    return;
  }
}

/** Reads a recording, where the target file says how. */
export async function read(run: Run, { id }: Recording): Promise<JsonObject | undefined> {
  const { reads } = run.session.target;
  if (!reads) return undefined;
  const path = readPath(reads.recording, id);
  const entry = await run.askFor({ path }, 'admin.jwt', mild('reads'));
  if (entry && !entry.stored)
    run.problems.set('reads', `reads.recording: GET ${path} was answered ${describe(entry.answer)}`);
  return entry?.stored?.fields;
}

/** Values that only a read shows; then what the updates left of both recordings. */
export async function reads(run: Run, { json }: Step): Promise<void> {
  const [recording, other] = run.recordings;
  const { target, config } = run.session;
  if (!recording || !target.reads || !config.allowWrites) return;
  const { summary: start, analysis } = objectOf(json);
  const texts = { summary: `${asText(start)}${'A sentence of a long summary. '.repeat(100)}End.`, analysis };
  // Each has another value than the other one.
  const links = { kb_folder_id: target.resources?.kbFolderId ?? randomUUID(), kb_document_id: '' };
  // Neither limits nor structure are shown, so these may be refused.
  for (const body of [{ ...texts, ...links }, texts, { summary: texts.summary }, { analysis }]) {
    const asked = { for: 'reads', odd: Object.keys(body) };
    const written = await run.update(recording, run.editorOf(recording), body, asked);
    if (written && isOk(written)) break;
  }
  await readWritten(run);
  if (other) await read(run, other);
}
