import { readPath } from '../../api/reading.ts';
import { type Entry, isOk, sentObject } from '../../log/entry.ts';
import { isCarried } from '../../rules/recordings.ts';
import { SAMPLE_ANALYSIS } from '../../session/disposable-recording.ts';
import { describe } from '../../values/answer.ts';
import type { JsonObject } from '../../values/json.ts';
import { sleep } from '../../wire/time.ts';
import { editorOf, mild, type Run, recordingsOf, SAMPLE_ID, titled, update } from './phase.ts';

/** Milliseconds to wait for a written value: replicas may lag. */
const WAITS = [0, 300, 1_000];

const UPDATES: readonly JsonObject[] = [
  { summary: 'Summary that is read back.' },
  { analysis: SAMPLE_ANALYSIS },
  { kb_folder_id: SAMPLE_ID },
  { kb_document_id: SAMPLE_ID },
];

/** Each field is written alone, and read back by the operation that the target file names. */
export async function reads(run: Run): Promise<void> {
  const [recording] = recordingsOf(run);
  if (!recording || !run.session.target.reads || !run.session.config.allowWrites) return;
  for (const body of [...UPDATES, { title: titled(run, 'Title that leaves the others alone') }]) {
    const written = await update(run, recording, editorOf(run, recording), body, mild('reads'));
    if (written && isOk(written)) await readBack(run, recording.id, written);
  }
}

/** Reads until the written value shows, or the waits are over. */
async function readBack({ asker, session }: Run, id: string, written: Entry): Promise<void> {
  const headers = await asker.as('admin.jwt');
  const { reads: reading } = session.target;
  for (const wait of WAITS) {
    if (wait > 0) await sleep(wait);
    const entry =
      reading &&
      headers &&
      (await asker.ask({ method: 'GET', path: readPath(reading.recording, id), headers }, mild('reads')));
    const fields = entry?.stored?.fields;
    if (entry && !fields)
      asker.problems.set('reads', `reads.recording: GET ${entry.path} was answered ${describe(entry.answer)}`);
    if (
      !fields ||
      Object.entries(sentObject(written)).every(([name, value]) => name === 'title' || isCarried(value, fields[name]))
    )
      return;
  }
}
