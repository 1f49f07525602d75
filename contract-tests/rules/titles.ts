import { type Entry, isOk, isRefused, type Log, overlap, sentObject } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import { show } from '../values/json.ts';
import { markIn } from '../values/run-mark.ts';
import { fieldsSent } from './accepted-updates.ts';
import { describeSent, recordOf } from './documented.ts';
import { isPredictable } from './fields.ts';
import { type Judged, type Judgement, of, open, perLog, type Rule, shown, violated } from './rule.ts';

/** What becomes of titles: those that were written stay, those that were refused do not come (parts 2 and 4.2). */

const byRecording = perLog((log): ReadonlyMap<string, Entry[]> => {
  const whole = of(log, 'recording').filter(
    ({ resource, hasBody, hasRequestBody }) => resource !== undefined && hasBody && hasRequestBody,
  );
  return groupBy(
    whole.toSorted((a, b) => a.begin - b.begin),
    ({ resource = '' }) => resource,
  );
});

/** The marks of the titles that a run sends, and the titles without one, which every run of the suite may send. */
const sentIn = perLog((log) => {
  const titled = of(log, 'recording').filter((entry) => 'title' in sentObject(entry));
  const sentBy = (entries: readonly Entry[]): unknown[] => entries.map((entry) => sentObject(entry).title);
  const accepted = titled.filter((entry) => isOk(entry) && !entry.credential.flaw);
  return {
    marks: new Set(sentBy(titled).flatMap((title) => markIn(title) ?? [])),
    unmarked: new Set(sentBy(accepted).filter((title) => markIn(title) === undefined)),
  };
});

/** The recordings that another run of the suite writes, too, each with a title that shows it. */
export const titlesOfOtherRuns = perLog((log): ReadonlyMap<string | undefined, unknown> => {
  const found = new Map<string, unknown>();
  for (const [id, entries] of byRecording(log)) {
    const [first, ...titles] = entries.flatMap((entry) => recordOf(entry)?.title ?? []);
    // The title that was there at first may be that of a run that was interrupted.
    const title = titles.find((each) => each !== first && !sentIn(log).marks.has(markIn(each) ?? '') && markIn(each));
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
interface Mismatch {
  written: Entry | undefined;
  expected: readonly unknown[];
  look: Entry;
  title: string;
  /** The title before that write. */
  before: unknown;
  /** An earlier look found the title: so this update changed it, or somebody else did. */
  wasSeen: boolean;
}

interface TitleHistory {
  kept: { written: Entry | undefined; look: Entry }[];
  lost: Mismatch[];
  /** Looks did not find the title, and later ones did: no other client explains that. */
  hasRecovered: boolean;
  /** Titles that a refused update sent, and whether the next look showed them all the same. */
  refused: { entry: Entry; look: Entry; before: unknown; isWritten: boolean }[];
}

/** What became of each title: a look is a success that sends none. A mismatch counts unless a later look shows the title. */
function titlesOf(entries: readonly Entry[]): TitleHistory {
  const history: TitleHistory = { kept: [], lost: [], hasRecovered: false, refused: [] };
  /** What is known of the title that was written last, or seen first. */
  let now:
    | { written?: Entry; expected: unknown[]; before?: unknown; wasSeen: boolean; mismatch?: Mismatch }
    | undefined;
  let refused: Entry[] = [];
  const settle = (): unknown => now?.mismatch && history.lost.push(now.mismatch);
  const writes = entries.filter((entry) => 'title' in sentObject(entry));
  for (const entry of entries) {
    const sent = sentObject(entry);
    const title = recordOf(entry)?.title;
    if ('title' in sent && isOk(entry)) {
      settle();
      const isExact = typeof sent.title === 'string' && isPredictable(sent.title) && title === sent.title;
      const expected = isExact || typeof title !== 'string' ? [sent.title] : [title, sent.title];
      const isRival = now?.written !== undefined && overlap(now.written, entry);
      now = {
        written: entry,
        expected: isRival && now ? [...now.expected, ...expected] : expected,
        before: isRival ? now?.before : now?.expected[0],
        wasSeen: false,
      };
      refused = [];
    } else if ('title' in sent) {
      if (isRefused(entry) && typeof sent.title === 'string') refused.push(entry);
      // A server error leaves open which title was written.
      else now?.expected.push(sent.title);
      // An update that was under way with a write may show either title.
    } else if (typeof title === 'string' && !writes.some((write) => overlap(write, entry))) {
      const before = now?.expected[0];
      const culprit = refused.find((each) => sentObject(each).title === title && !now?.expected.includes(title));
      for (const each of culprit ? [culprit] : refused)
        history.refused.push({ entry: each, look: entry, before, isWritten: each === culprit });
      if (culprit || !now) now = { expected: [title], wasSeen: true };
      else if (now.expected.includes(title)) {
        history.kept.push({ written: now.written, look: entry });
        history.hasRecovered ||= now.mismatch !== undefined;
        now = { ...now, expected: [title], wasSeen: true, mismatch: undefined };
      } else
        now.mismatch ??= {
          ...now,
          written: now.written,
          before: now.before,
          expected: [...now.expected],
          look: entry,
          title,
        };
      refused = [];
    }
  }
  settle();
  return history;
}

/** Whether a title may be what a service made of another one: cut off, or with other signs or letter cases. */
function isAlike(a: unknown, b: unknown): boolean {
  const [one = '', other = ''] = [a, b].map((text) => `${text}`.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return Math.min(one.length, other.length) >= 5 && (one.includes(other) || other.includes(one));
}

/** Milliseconds for which others may be shown the title before a write, as by a replica that lags. */
const LAG_MS = 1500;

/** Whether two updates were sent as the same user. */
const isSameUser = (a: Entry, b: Entry): boolean => a.credential.who === b.credential.who;

/** Losses to one title that another run does not explain. */
const TOO_OFTEN = 3;

/** A title that was lost, and whose fault that is: of the update that wrote it, or of the one that looked. */
interface Loss extends Mismatch {
  isOfLook: boolean;
  /** An update of another recording that sent what the look shows. */
  elsewhere?: Entry;
  /** Another client may have written the title. */
  isDoubtful: boolean;
}

/** The titles that were kept and lost, and whether answers show former titles in between. */
export const titlesIn = perLog((log): { kept: TitleHistory['kept']; losses: Loss[]; isStale: boolean } => {
  const all = histories(log);
  const titles = all.map(titlesOf);
  const kept = titles.flatMap((each) => each.kept);
  const lost = titles.flatMap((each) => each.lost);
  const keeping = new Set(kept.map(({ look }) => fieldsSent(look)));
  const { marks, unmarked } = sentIn(log);
  const isStale = titles.some(({ hasRecovered }) => hasRecovered);
  const losses = lost.map((loss): Loss => {
    const { look, title, expected, written, wasSeen, before } = loss;
    const kind = fieldsSent(look);
    const elsewhere = of(log, 'recording').findLast(
      (entry) =>
        isOk(entry) && entry.resource !== look.resource && entry.n < look.n && sentObject(entry).title === title,
    );
    const isOwn = marks.has(markIn(title) ?? '') || (isStale && unmarked.has(title));
    const times = lost.filter((other) => other.title === title).length;
    const isStrange = !isOwn && title !== before && !expected.some((text) => isAlike(text, title));
    // Those who write are shown what they wrote.
    const isLate =
      written !== undefined &&
      title === before &&
      !isSameUser(written, look) &&
      look.startedAt - written.endedAt < LAG_MS &&
      kept.some((each) => each.written && isSameUser(each.written, written) && isSameUser(each.look, written));
    // Of a kind of update that keeps titles otherwise, or once only.
    const isOnce = lost.filter((other) => fieldsSent(other.look) === kind).length === 1;
    const isRare = (isOnce || keeping.has(kind)) && lost.length * 5 < kept.length;
    return {
      ...loss,
      elsewhere,
      isOfLook:
        written === undefined ||
        (!keeping.has(kind) && wasSeen) ||
        // Another of its fields is the title now.
        (title !== '' && Object.values(sentObject(look)).includes(title)),
      isDoubtful: isLate || (isStrange && (isRare || (unmarked.has(title) && times < TOO_OFTEN))),
    };
  });
  return { kept, losses, isStale };
});

function judgeLoss({ title, expected, isDoubtful }: Loss, message: string, ...by: (Entry | undefined)[]): Judgement {
  const doubt = `the title became ${show(title)}, which another client may have written: does one write the same recording?`;
  if (isDoubtful) return open(doubt, { isDoubt: true });
  const known = by.filter((entry) => entry !== undefined);
  return violated(message, expected.length === 1 ? expected[0] : expected, title, ...known);
}

/** Titles that the log shows to be lost at the update after they were written. */
export const titleKept: Rule = {
  id: 'recording-title-kept',
  requirements: ['REC-23'],
  title: 'a written title is still there at the next update',
  judge(log) {
    const { kept, losses } = titlesIn(log);
    const own = kept.flatMap(({ written, look }) => (written ? [shown(written, look)] : []));
    const lost = losses.filter(({ written }) => written !== undefined);
    return [
      ...own,
      ...lost.flatMap((loss): Judged => {
        const { written, look, title, before } = loss;
        const message = `The title that ${written && describeSent(written)} wrote is not there any more at the next update.`;
        if (!log.isPartial) return loss.isOfLook ? [] : judgeLoss(loss, message, written, look);
        // Of a recording by others, only the very title that was there before is sure not to be written by somebody else.
        if (title === before || (own.length === 0 && lost.length > 1))
          return judgeLoss({ ...loss, isDoubtful: false }, message, written, look);
        return open('a title changed between two updates, which a client outside of the recording may have done');
      }),
    ];
  },
};

/** Titles that an update changed which did not send them. */
export const titleOthersKept = (log: Log): Judgement[] =>
  titlesIn(log).losses.flatMap((loss): Judged => {
    const { look, written, elsewhere, isOfLook } = loss;
    if (log.isPartial || !(elsewhere || isOfLook)) return [];
    const message = elsewhere
      ? `The title that ${describeSent(elsewhere)} sent to another recording is now that of this one.`
      : `${describeSent(look)} changed the title, which it did not send.`;
    return judgeLoss(loss, message, written, elsewhere, look);
  });

export const refusedChangesNothing: Rule = {
  id: 'refused-update-changes-nothing',
  requirements: ['AUT-11'],
  title: 'an update that is refused changes nothing',
  judge: (log) =>
    histories(log)
      .flatMap((entries) => titlesOf(entries).refused)
      .map(({ entry, look, before, isWritten }) => {
        if (!isWritten) return shown(entry, look);
        const { flaw } = entry.credential;
        const why = `${entry.answer.response.status}${flaw ? ` (${flaw.what})` : ''}`;
        const message = `${describeSent(entry)} was refused with ${why}, and its title was written all the same.`;
        return violated(message, before ?? 'the title as before', recordOf(look)?.title, entry, look);
      }),
};
