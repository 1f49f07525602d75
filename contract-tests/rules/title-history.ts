import { countFirst, type Entry, isOk, isRefused, type Log, overlap, sentObject } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import { markIn } from '../values/run-mark.ts';
import { isPredictable } from './predictable.ts';
import { of, perLog } from './rule.ts';
import { recordOf } from './updates-in-order.ts';

/** The updates of each recording in their order, and what became of the titles (part 2). */

const byRecording = perLog((log): ReadonlyMap<string, Entry[]> => {
  const whole = of(log, 'recording').filter(
    ({ resource, hasBody, hasRequestBody }) => resource !== undefined && hasBody && hasRequestBody,
  );
  return groupBy(
    whole.toSorted((a, b) => a.begin - b.begin),
    ({ resource = '' }) => resource,
  );
});

/** The recordings that another run of the suite writes, too, each with a title that shows it. */
export const titlesOfOtherRuns = perLog((log): ReadonlyMap<string | undefined, unknown> => {
  const own = new Set(log.entries.map((entry) => markIn(sentObject(entry).title)));
  const isOfOther = (title: unknown): boolean => markIn(title) !== undefined && !own.has(markIn(title));
  const found = new Map<string, unknown>();
  for (const [id, entries] of byRecording(log)) {
    const titles = entries.flatMap((entry) => recordOf(entry)?.title ?? []);
    // The title that was there at first may be that of a run that was interrupted.
    const title = titles.find((each) => each !== titles[0] && isOfOther(each));
    if (title !== undefined) found.set(id, title);
  }
  // Not every title has a mark: one that is lost at another recording is likely to be lost to that run.
  if (found.size > 0)
    for (const [id, entries] of byRecording(log)) {
      const [lost] = titlesOf(entries).lost;
      if (lost && !found.has(id)) found.set(id, recordOf(lost.look)?.title);
    }
  return found;
});

/** The updates of each recording that no other run writes, in the order in which they were sent. */
export const histories = (log: Log): Entry[][] =>
  [...byRecording(log)].filter(([id]) => !titlesOfOtherRuns(log).has(id)).map(([, entries]) => entries);

/** A look at a title that is not the one that was written last. */
export interface Mismatch {
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
