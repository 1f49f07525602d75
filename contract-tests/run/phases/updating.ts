import type { Asked, Entry } from '../../log/entry.ts';
import { WAITS } from '../../session/connection.ts';
import type { Session } from '../../session/session.ts';
import type { JsonObject } from '../../values/json.ts';
import type { ClientRequest } from '../../wire/exchange.ts';
import { sleep } from '../../wire/time.ts';
import type { Caller } from '../asker.ts';
import { look } from './look.ts';
import { type Run, recordIn, SAMPLE_ID, titled, update } from './phase.ts';

/** Sends updates and checks that each written title appears in the next answer, or waits for it. */

/** What the target showed of itself so far: unusual values that it refuses are not sent again. */
export interface Known {
  /** The recordings that each actor may update. */
  may: Readonly<Record<string, readonly Session['recording'][]>>;
  /** Fields whose values are refused, for which the target file names no good ones. */
  refused: Set<string>;
  /** Sets of fields that were accepted. */
  accepted: Set<string>;
  /** Titles that wait to be seen at the next look, by recording. */
  titles: Map<Session['recording'], string>;
  /** Members that no update writes are refused, so that they are sent alone. */
  isStrict?: boolean;
  /** A written title did not show up although it was waited for: waiting is in vain. */
  isInVain?: boolean;
  /** It is known whether the write or the look lost it. */
  isConfirmed?: boolean;
}

/** Sends an update; one that sends no title waits until it shows the one that was written, as replicas may lag. */
export async function send(
  run: Run,
  recording: Session['recording'],
  caller: Caller,
  body: JsonObject,
  asked: Asked,
  known: Known,
  more: Partial<ClientRequest> = {},
): Promise<Entry | undefined> {
  const entry = await update(run, recording, caller, body, asked, more);
  const record = recordIn(entry);
  if (!entry || !record) return entry;
  known.accepted.add(Object.keys(body).toString());
  if ('title' in body) {
    if (typeof body.title === 'string' && record.title === body.title) known.titles.set(recording, body.title);
    else known.titles.delete(recording);
  } else if (known.titles.has(recording) && record.title !== known.titles.get(recording)) {
    await seen(run, recording, known);
    if (known.isInVain && !known.isConfirmed) await confirm(run, recording, caller, body, known);
  }
  return entry;
}

/** Finds out whether the write or the later update lost a title: writes one, checks it by another update, repeats the suspect. */
async function confirm(
  run: Run,
  recording: Session['recording'],
  caller: Caller,
  body: JsonObject,
  known: Known,
): Promise<void> {
  known.isConfirmed = true;
  // Another kind of update, since this one may have lost the title.
  const other = 'kb_document_id' in body ? { kb_folder_id: SAMPLE_ID } : { kb_document_id: SAMPLE_ID };
  for (const each of [{ title: titled(run, 'Is it the look?') }, other, body, other])
    await update(run, recording, caller, each, { for: 'a title that was lost', odd: each === body ? ['extra'] : [] });
  known.titles.delete(recording);
}

/** Looks at the recording until it shows the title that was written. */
export async function seen(run: Run, recording: Session['recording'], known: Known): Promise<void> {
  const title = known.titles.get(recording);
  for (const wait of known.isInVain ? [0] : [0, ...WAITS]) {
    if (wait > 0) await sleep(wait);
    const record = recordIn(await look(run, recording));
    if (!record || record.title === title) return;
  }
  known.isInVain = true;
}
