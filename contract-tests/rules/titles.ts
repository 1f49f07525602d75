import { type Entry, isOk, isRefused, type Log, overlap, sentObject, statusOf } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import { asText, show } from '../values/json.ts';
import { once } from '../values/once.ts';
import { markIn } from '../values/run-mark.ts';
import { describeSent, fieldsSent, recordOf } from './documented.ts';
import { type Judge, type Judged, type Judgement, of, open, shown, violated } from './rule.ts';

/** What becomes of titles: those that were written stay, those that were refused do not come (parts 2 and 4.2). */

const whoOf = ({ credential }: Entry) => credential.who;
const titleSent = (entry: Entry): unknown => sentObject(entry).title;
const titleIn = (entry: Entry): unknown => recordOf(entry)?.title;

const byRecording = once((log: Log): ReadonlyMap<string, Entry[]> => {
  const whole = of(log, 'recording').filter((entry) => entry.resource && entry.hasBody && entry.hasRequestBody);
  const inOrder = whole.toSorted((a, b) => a.begin - b.begin);
  return groupBy(inOrder, ({ resource = '' }) => resource);
});

/** The marks of the texts that a run sends, and the titles without one, which every run of the suite may send. */
const sentIn = once((log: Log) => {
  const updates = of(log, 'recording');
  const accepted = updates.filter((entry) => isOk(entry) && !entry.credential.flaw).map(titleSent);
  return {
    marks: new Set(updates.flatMap((entry) => [titleSent(entry), sentObject(entry).summary].flatMap(markIn))),
    unmarked: new Set(accepted.filter((title) => title !== undefined && markIn(title) === undefined)),
  };
});

/** Whether a text has the mark of another run of the suite. */
function isForeignIn(log: Log, text: unknown): boolean {
  const mark = markIn(text);
  return mark !== undefined && !sentIn(log).marks.has(mark);
}

/** The titles of each recording, and the summaries that were read, in their order. */
const textsIn = once((log: Log) =>
  [...byRecording(log)].map(([id, entries]) => {
    const titles = entries.flatMap((entry) => titleIn(entry) ?? []);
    const summaries = log.entries.flatMap(({ stored }) => (stored?.recordingId === id ? stored.fields.summary : []));
    return { id, texts: [titles, summaries] };
  }),
);

/** The recordings that began with a text of another run: an interrupted one, or one that puts the former texts back now. */
export const leftByOtherRuns = once((log: Log): ReadonlySet<string | undefined> => {
  const left = textsIn(log).filter(({ texts }) => texts.some(([first]) => isForeignIn(log, first)));
  return new Set(left.map(({ id }) => id));
});

/** The recordings that another run of the suite writes, too, each with a title, or a summary that was read, that shows it. */
export const titlesOfOtherRuns = once((log: Log): ReadonlyMap<string | undefined, unknown> => {
  const found = new Map<string, unknown>();
  for (const { id, texts } of textsIn(log)) {
    const later = texts.flatMap(([first, ...others]) => others.filter((each) => each !== first));
    const text = later.find((each) => isForeignIn(log, each));
    if (text !== undefined) found.set(id, text);
  }
  // Not every title has a mark: one that is lost at another recording is likely to be lost to that run.
  if (found.size > 0)
    for (const [id, entries] of byRecording(log))
      for (const { title } of titlesOf(entries).lost) if (!found.has(id)) found.set(id, title);
  return found;
});

/** The updates of each recording that no other run writes, in the order in which they were sent. */
export const histories = (log: Log): Entry[][] =>
  [...byRecording(log)].filter(([id]) => !titlesOfOtherRuns(log).has(id)).map(([, entries]) => entries);

/** What is known of the title that was written last, or seen first. */
interface Known {
  written?: Entry;
  expected: readonly unknown[];
  /** The title before that write. */
  before?: unknown;
  /** A look found the title: so another update changed it later, or somebody else did. */
  wasSeen: boolean;
}

/** What became of each title: a look is a success that sends none. A mismatch counts unless a later look shows the title. */
function titlesOf(entries: readonly Entry[]) {
  const kept: { written?: Entry; look: Entry }[] = [];
  const lost: (Known & { look: Entry; title: string })[] = [];
  /** Titles that a refused update sent, and whether the next look showed them all the same. */
  const refused: { entry: Entry; look: Entry; before: unknown; isWritten: boolean }[] = [];
  /** Looks did not find the title, and later ones did: no other client explains that. */
  let hasRecovered = false;
  let now: Known = { expected: [], wasSeen: false };
  let mismatch: (typeof lost)[number] | undefined;
  let waiting: Entry[] = [];
  const writes = entries.filter((entry) => titleSent(entry) !== undefined);
  for (const entry of entries) {
    const [sent, title] = [titleSent(entry), titleIn(entry)];
    if (sent !== undefined && isOk(entry)) {
      if (mismatch) lost.push(mismatch);
      // Of two that were written at the same time either may be the last.
      const rival = now.written && overlap(now.written, entry) ? now.expected : [];
      const expected = [...new Set([typeof title === 'string' ? title : sent, sent, ...rival])];
      now = { written: entry, expected, before: now.expected[0], wasSeen: false };
      [mismatch, waiting] = [undefined, []];
    } else if (sent !== undefined) {
      if (isRefused(entry) && typeof sent === 'string') waiting.push(entry);
      // A server error leaves open which title was written.
      else if (now.expected.length > 0) now = { ...now, expected: [...now.expected, sent] };
      // An update that was under way with a write may show either title.
    } else if (typeof title === 'string' && !writes.some((write) => overlap(write, entry))) {
      const isExpected = now.expected.includes(title);
      const culprit = waiting.find((each) => titleSent(each) === title && !isExpected);
      for (const each of culprit ? [culprit] : waiting)
        refused.push({ entry: each, look: entry, before: now.expected[0], isWritten: each === culprit });
      if (!culprit && now.expected.length > 0 && !isExpected) mismatch ??= { ...now, look: entry, title };
      else {
        if (isExpected) kept.push({ written: now.written, look: entry });
        hasRecovered ||= isExpected && mismatch !== undefined;
        now = isExpected ? { ...now, expected: [title], wasSeen: true } : { expected: [title], wasSeen: true };
        mismatch = undefined;
      }
      waiting = [];
    }
  }
  return { kept, lost: mismatch ? [...lost, mismatch] : lost, refused, hasRecovered };
}

/** Whether a title may be what a service made of another one: cut off, or with other signs or letter cases. */
function isAlike(a: unknown, b: unknown): boolean {
  const [one = '', other = ''] = [a, b].map((text) => `${asText(text)}`.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return Math.min(one.length, other.length) >= 5 && (one.includes(other) || other.includes(one));
}

/** Milliseconds for which others may be shown the title before a write, as by a replica that lags. */
const LAG_MS = 1500;
/** Milliseconds between two requests of a run, one after the other, in which another run may write. */
const PAUSE_MS = 300;
/** Losses to one title that another run does not explain. */
const TOO_OFTEN = 3;

/** The titles that were kept and lost, each with whose fault that is, and whether answers show former titles in between. */
export const titlesIn = once((log: Log) => {
  const titles = histories(log).map(titlesOf);
  const kept = titles.flatMap((each) => each.kept);
  const lost = titles.flatMap((each) => each.lost);
  const keeping = new Set(kept.map(({ look }) => fieldsSent(look)));
  const { unmarked } = sentIn(log);
  const updates = of(log, 'recording');
  const losses = lost.map((loss) => {
    const { look, title, expected, written, wasSeen, before } = loss;
    const kind = fieldsSent(look);
    // Those who write are shown what they wrote.
    const isLate =
      written !== undefined &&
      title === before &&
      whoOf(written) !== whoOf(look) &&
      look.startedAt - written.endedAt < LAG_MS &&
      kept.some((each) => [each.written, each.look].every((entry) => entry && whoOf(entry) === whoOf(written)));
    // The title that was there at first may be that of another run, and come back while it goes on.
    const isForeign = isForeignIn(log, title);
    const isLike = markIn(title) !== undefined || title === before || expected.some((text) => isAlike(text, title));
    // Only another run writes an empty one, while this one waits, or has written none yet; an update that empties them does it again.
    const isWaiting = written ? look.startedAt - written.endedAt > PAUSE_MS : lost.length === 1;
    const isOfOtherField = title !== '' && Object.values(sentObject(look)).includes(title);
    const isStrange = (isForeign || !isLike) && (title !== '' || isWaiting) && !isOfOtherField;
    // Of a kind of update that keeps titles otherwise, or once only.
    const isOnce = lost.filter((other) => fieldsSent(other.look) === kind).length === 1;
    const isRare = (isOnce || keeping.has(kind)) && lost.length * 5 < kept.length;
    const isOfOthers =
      (isForeign || unmarked.has(title)) && lost.filter((other) => other.title === title).length < TOO_OFTEN;
    const senders = updates.filter((entry) => isOk(entry) && entry.n < look.n && titleSent(entry) === title);
    const isOwn = senders.some(({ resource }) => resource === look.resource);
    const elsewhere = isOwn ? undefined : senders.at(-1);
    // Sent there after the recording was last shown without it: another run, which would show by its marks, is no explanation.
    const last = updates.findLast(
      (entry) => entry.resource === look.resource && entry.n < look.n && titleIn(entry) !== undefined,
    );
    const isSpread = elsewhere !== undefined && last !== undefined && last.n < elsewhere.n && titleIn(last) !== title;
    return {
      ...loss,
      /** An update of another recording, and none of this one, that sent what the look shows. */
      elsewhere,
      /** The update that looked changed the title, and not the one that wrote it; another of its fields may be the title now. */
      isOfLook: written === undefined || (!keeping.has(kind) && wasSeen) || isOfOtherField,
      isDoubtful: isLate || (isStrange && (isRare || isOfOthers) && (isForeign || !isSpread || log.isPartial)),
    };
  });
  return { kept, losses, isStale: titles.some(({ hasRecovered }) => hasRecovered) };
});
type Loss = ReturnType<typeof titlesIn>['losses'][number];

function judgeLoss(loss: Loss, message: string, elsewhere?: Entry): Judgement {
  const { title, expected, isDoubtful, written, look } = loss;
  const doubt = `the title became ${show(title)}, which another client may have written: does one write the same recording?`;
  if (isDoubtful) return open(doubt, { kind: 'doubt' });
  return violated(message, expected.length === 1 ? expected[0] : expected, title, written, elsewhere, look);
}

/** Titles that the log shows to be lost at the update after they were written. */
export function titleKept(log: Log): Judgement[] {
  const { kept, losses } = titlesIn(log);
  const own = kept.flatMap(({ written, look }) => (written ? [shown(written, look)] : []));
  const lost = losses.flatMap((loss): Judged => {
    if (!loss.written || (!log.isPartial && loss.isOfLook)) return [];
    const message = `The title that ${describeSent(loss.written)} wrote is not there any more at the next update.`;
    if (!log.isPartial) return judgeLoss(loss, message);
    // Of a recording by others, only the very title that was there before is sure not to be written by somebody else.
    if (loss.title === loss.before || (own.length === 0 && losses.filter(({ written }) => written).length > 1))
      return judgeLoss({ ...loss, isDoubtful: false }, message);
    return open('a title changed between two updates, which a client outside of the recording may have done');
  });
  return [...own, ...lost];
}

/** Titles that an update changed which did not send them. */
export const titleOthersKept = (log: Log): Judgement[] =>
  titlesIn(log).losses.flatMap((loss): Judged => {
    const { look, title, isOfLook } = loss;
    const elsewhere = title === '' ? undefined : loss.elsewhere;
    if (log.isPartial || !(loss.elsewhere || isOfLook)) return [];
    const message = elsewhere
      ? `The title that ${describeSent(elsewhere)} sent to another recording is now that of this one.`
      : `${describeSent(look)} changed the title, which it did not send.`;
    return judgeLoss(loss, message, elsewhere);
  });

export const refusedChangesNothing: Judge = (log) =>
  histories(log)
    .flatMap((entries) => titlesOf(entries).refused)
    .map(({ entry, look, before, isWritten }) => {
      if (!isWritten) return shown(entry, look);
      const why = [statusOf(entry), entry.credential.flaw?.what].filter(Boolean).join(': ');
      const message = `${describeSent(entry)} was refused (${why}), and its title was written all the same.`;
      return violated(message, before ?? 'the title as before', titleIn(look), entry, look);
    });
