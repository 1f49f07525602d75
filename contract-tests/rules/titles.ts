import { countFirst, type Entry, isOk, isRefused, overlap, sentObject } from '../log/entry.ts';
import { show } from '../values/json.ts';
import { describeSent } from './documented.ts';
import { isPredictable } from './predictable.ts';
import { type Judgement, type Open, open, type Rule, shown, violated } from './rule.ts';
import { fieldsSent, histories, recordOf } from './updates-in-order.ts';

/** What becomes of titles: those that were written stay, those that were refused do not come (parts 2 and 4.2). */

/** A look at a title that is not the one that was written last. */
interface Mismatch {
  written?: Entry;
  expected: readonly unknown[];
  look: Entry;
  /** The title before that write. */
  before: unknown;
  /** An earlier look found the title: so this update changed it, or somebody else did. */
  wasSeen: boolean;
  /** No request so far explains the title: it is the first one of the run, or unlike any value sent. */
  isStrange: boolean;
}

export interface TitleHistory {
  kept: { written: Entry | undefined; look: Entry }[];
  lost: Mismatch[];
  /** Titles that a refused update sent, and that the next look showed all the same. */
  writtenByRefused: { refused: Entry; look: Entry; before: unknown }[];
  notWritten: { refused: Entry; look: Entry }[];
}

/** Says of an exchange whether it overlaps one of these; it is none of them. */
function besideOneOf(writes: readonly Entry[]): (entry: Entry) => boolean {
  const ordered = writes.toSorted((a, b) => a.begin - b.begin);
  const lastEnds: number[] = [];
  for (const { end } of ordered) lastEnds.push(Math.max(end, lastEnds.at(-1) ?? end));
  return ({ begin, end }) => {
    const earlier = countFirst(ordered, (write) => write.begin < end);
    return earlier > 0 && (lastEnds[earlier - 1] ?? begin) > begin;
  };
}

/** What became of each title: a look is a success that sends none. A mismatch counts unless a later look shows the title. */
export function titlesOf(entries: readonly Entry[]): TitleHistory {
  const history: TitleHistory = { kept: [], lost: [], writtenByRefused: [], notWritten: [] };
  let expected: unknown[] | undefined;
  let written: Entry | undefined;
  let before: unknown;
  let pending: Mismatch | undefined;
  let isSeen = false;
  let refused: Entry[] = [];
  let first: string | undefined;
  /** The values sent since the title before. */
  let texts: unknown[] = [];
  const isBesideWrite = besideOneOf(entries.filter((entry) => 'title' in sentObject(entry)));
  const settle = (): void => {
    if (pending) history.lost.push(pending);
    pending = undefined;
  };
  for (const entry of entries) {
    const sent = sentObject(entry);
    const record = recordOf(entry);
    const title = record?.title;
    texts.push(...Object.values(sent));
    if ('title' in sent) {
      if (!isOk(entry)) {
        if (isRefused(entry) && typeof sent.title === 'string') refused.push(entry);
        // A server error leaves open which title was written.
        else if (expected) expected = [...expected, sent.title];
        continue;
      }
      settle();
      const isRival = written !== undefined && overlap(written, entry) && expected !== undefined;
      const isKnown = typeof sent.title === 'string' && isPredictable(sent.title);
      const now =
        isKnown && title === sent.title ? [sent.title] : typeof title === 'string' ? [title, sent.title] : [sent.title];
      before = isRival ? before : expected?.[0];
      expected = isRival ? [...(expected ?? []), ...now] : now;
      written = entry;
      texts = [before, ...Object.values(sent)];
      isSeen = false;
      refused = [];
      continue;
    }
    if (record === undefined || typeof title !== 'string') continue;
    // An update that was under way with a write may show either title.
    if (isBesideWrite(entry)) continue;
    first ??= title;
    const culprit = refused.find((each) => sentObject(each).title === title && !expected?.includes(title));
    if (culprit) {
      history.writtenByRefused.push({ refused: culprit, look: entry, before: expected?.[0] });
      expected = [title];
      written = undefined;
      pending = undefined;
    } else {
      for (const each of refused) history.notWritten.push({ refused: each, look: entry });
      if (!expected) {
        expected = [title];
        written = undefined;
        isSeen = true;
      } else if (expected.includes(title)) {
        history.kept.push({ written, look: entry });
        pending = undefined;
        isSeen = true;
        expected = [title];
      } else {
        const isStrange = title === first ? title !== before : isUnlike(title, texts);
        pending ??= { ...(written ? { written } : {}), expected, look: entry, before, wasSeen: isSeen, isStrange };
      }
    }
    refused = [];
  }
  settle();
  return history;
}

/** All groups of three letters and digits of a text, without case and punctuation. */
function groupsOf(text: string): string[] {
  const plain = [...text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')];
  return plain.slice(2).map((last, at) => `${plain[at]}${plain[at + 1]}${last}`);
}

/** Whether none of these texts was changed to a title: it has less than half of its groups from any, or is short and in none. */
function isUnlike(title: string, sent: readonly unknown[]): boolean {
  const texts = sent.filter((text) => typeof text === 'string');
  const groups = groupsOf(title);
  if (groups.length < 3) return !texts.some((text) => text.toLowerCase().includes(title.toLowerCase()));
  return texts.every((text) => {
    const theirs = new Set(groupsOf(text));
    return groups.filter((group) => theirs.has(group)).length * 2 < groups.length;
  });
}

/**
 * Why a title may have been changed by another client; undefined where it was not. A title that nothing in the run explains,
 * once, by a kind of update that keeps titles otherwise, is no finding.
 */
export function doubtOf({ isStrange, look }: Mismatch, all: readonly TitleHistory[]): Open | undefined {
  const kinds = (list: readonly { look: Entry }[]): string[] => list.map((each) => fieldsSent(each.look));
  const lost = kinds(all.flatMap((each) => each.lost));
  const kept = kinds(all.flatMap((each) => each.kept));
  const own = fieldsSent(look);
  const isOnce = lost.filter((kind) => kind === own).length === 1 || kept.includes(own);
  if (!isStrange || !isOnce || lost.length * 5 >= kept.length) return undefined;
  const title = show(recordOf(look)?.title);
  return {
    ...open(`the title became ${title} once, which no request of the run explains: does another client write it?`),
    isDoubt: true,
  };
}

/** The kinds of updates, by their fields, that are known to change a title that they do not send, and to leave it alone. */
export interface Kinds {
  changing: ReadonlySet<string>;
  keeping: ReadonlySet<string>;
}

export function kindsIn(all: readonly TitleHistory[]): Kinds {
  // An empty title is kept by what empties it, and a summary by what writes it to the title.
  const isTold = (look: Entry): boolean => !['', ...Object.values(sentObject(look))].includes(recordOf(look)?.title);
  const keeping = new Set(
    all.flatMap(({ kept }) => kept.filter(({ look }) => isTold(look)).map(({ look }) => fieldsSent(look))),
  );
  const lost = all.flatMap((each) => each.lost.filter(({ wasSeen }) => wasSeen).map(({ look }) => fieldsSent(look)));
  return { keeping, changing: new Set(lost.filter((kind) => !keeping.has(kind))) };
}

/** Whether a lost title is the fault of the update that looked, and not of the one that wrote. */
export const isOfLook = ({ written, wasSeen, look }: Mismatch, { changing, keeping }: Kinds): boolean =>
  written === undefined || changing.has(fieldsSent(look)) || (wasSeen && !keeping.has(fieldsSent(look)));

/** Titles that the log shows to be lost at the update after they were written. */
export const titleKept: Rule = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  judge(log) {
    const own = histories(log).map(titlesOf);
    const known = kindsIn(own);
    const kept = own.flatMap((each) => each.kept).filter(({ written }) => written !== undefined);
    const lost = own.flatMap((each) => each.lost).filter(({ written }) => written !== undefined);
    const judgements: Judgement[] = kept.map(({ written, look }) => shown(...(written ? [written] : []), look));
    for (const mismatch of lost) {
      const { written, expected, look, before } = mismatch;
      const title = recordOf(look)?.title;
      // Of a recording by others, only the very title that was there before is sure not to be written by somebody else.
      const isSure = !log.isPartial || title === before || (kept.length === 0 && lost.length > 1);
      if (!isSure || !written) {
        judgements.push(
          open('a title changed between two updates, which a client outside of the recording may have done'),
        );
        continue;
      }
      if (!log.isPartial && isOfLook(mismatch, known)) continue;
      const doubt = log.isPartial ? undefined : doubtOf(mismatch, own);
      if (doubt) {
        judgements.push(doubt);
        continue;
      }
      judgements.push(
        violated(
          {
            message: `The title that ${describeSent(written)} wrote is not there any more at the next update.`,
            expected: expected.length === 1 ? expected[0] : expected,
            actual: title,
          },
          written,
          look,
        ),
      );
    }
    return judgements;
  },
};

export const refusedChangesNothing: Rule = {
  id: 'refused-update-changes-nothing',
  requirements: ['AUT-11'],
  title: 'an update that is refused changes nothing',
  judge: (log) =>
    histories(log)
      .map(titlesOf)
      .flatMap(({ writtenByRefused, notWritten }) => [
        ...notWritten.map(({ refused, look }) => shown(refused, look)),
        ...writtenByRefused.map(({ refused, look, before }) =>
          violated(
            {
              message: `${describeSent(refused)} was refused with ${refused.answer.response.status}${refused.credential.flaw ? ` (${refused.credential.flaw.what})` : ''}, and its title was written all the same.`,
              expected: before ?? 'the title as before',
              actual: recordOf(look)?.title,
            },
            refused,
            look,
          ),
        ),
      ]),
};
