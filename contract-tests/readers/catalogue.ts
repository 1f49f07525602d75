import { type Entry, isOk, jsonIn, sentObject, statusOf } from '../log/entry.ts';
import { type GapRow, loadModel } from '../plan/model.ts';
import { loadGaps } from '../spec-data.ts';
import type { JsonObject } from '../values/json.ts';
import { credentials } from './credentials.ts';
import { errors } from './errors.ts';
import { forbiddenStatus, isGoodMember, keys, listOf } from './keys.ts';
import {
  isRefusedAsInvalid,
  type Look,
  memberIn,
  one,
  type Read,
  type Reader,
  readerOf,
  undetermined,
  unexpected,
} from './reader.ts';
import { records } from './records.ts';
import { learned, shapeBy } from './shapes.ts';

/** Kinds of answers that the rows of the model name, beyond a status and `like` another question. */
const KINDS: Readonly<Record<string, (entry: Entry, look: Look) => boolean>> = {
  ok: isOk,
  invalid: isRefusedAsInvalid,
  refused: (entry) => !isOk(entry) && statusOf(entry) < 500,
  empty: (entry) => isOk(entry) && listOf(entry).length === 0,
  listed: (entry) => isOk(entry) && listOf(entry).length > 0,
  title: (entry) => isOk(entry) && Boolean(memberIn(entry, 'title')),
  'title as sent': (entry) => isOk(entry) && memberIn(entry, 'title') === String(sentObject(entry).title),
  // Of a recording it is not known whose tenant that is.
  'refused to member': (entry, look) =>
    [401, 403, 404].includes(statusOf(entry)) &&
    isGoodMember(look, entry) &&
    entry.resource === look.log.resources?.tenantId,
  forbidden: (entry, look) => statusOf(entry) === 403 || statusOf(entry) === forbiddenStatus(look),
};

function isOfKind(kind: string, entry: Entry, look: Look): boolean {
  const [, like] = kind.split('like ');
  if (like !== undefined) return look.any(like, 1).some((other) => statusOf(other) === statusOf(entry));
  return KINDS[kind]?.(entry, look) ?? statusOf(entry) === Number(kind);
}

/** The answer that a row of the model gives by itself: by kinds of answers, by the members of a body, else a status. */
const readBy =
  (gap: string, { shows = {}, main, asks = [], may = [] }: GapRow): Read =>
  (look) => {
    if (main !== undefined)
      return learned(shapeBy(gap, jsonIn(look.success(asks[0] ?? '')) as JsonObject), `\${${main}}`);
    for (const [question, kinds] of Object.entries(shows)) {
      const entry = look.take(question);
      const found = kinds.find(([kind]) => isOfKind(kind, entry, look));
      if (found) return found[1];
      if (question === Object.keys(shows).at(-1)) unexpected(entry);
    }
    const asked = [...asks, ...may].flatMap((question) => look.maybe(question) ?? []);
    return one('it is refused', asked.map(statusOf)) ?? undetermined('nothing was refused');
  };

const answers: Readonly<Record<string, Read>> = { ...credentials, ...keys, ...errors, ...records };

/** A reader for each gap that the model asks about, in the ledger's order. */
export const allReaders: readonly Reader[] = loadGaps().flatMap(({ id }) => {
  const row = loadModel().gaps[id];
  return row ? [readerOf(id, row, answers[id] ?? readBy(id, row))] : [];
});
