import { type Entry, sentObject } from '../log/entry.ts';
import { show } from '../values/json.ts';
import { describeSent } from './documented.ts';
import { type Open, open, type Rule, shown, violated } from './rule.ts';
import { histories, type Mismatch, type TitleHistory, titlesOf } from './title-history.ts';
import { fieldsSent, recordOf } from './updates-in-order.ts';

/** What becomes of titles: those that were written stay, those that were refused do not come (parts 2 and 4.2). */

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
  *judge(log) {
    const own = histories(log).map(titlesOf);
    const known = kindsIn(own);
    const kept = own.flatMap((each) => each.kept).filter(({ written }) => written !== undefined);
    const lost = own.flatMap((each) => each.lost).filter(({ written }) => written !== undefined);
    for (const { written, look } of kept) yield shown(...(written ? [written] : []), look);
    for (const mismatch of lost) {
      const { written, expected, look, before } = mismatch;
      const title = recordOf(look)?.title;
      // Of a recording by others, only the very title that was there before is sure not to be written by somebody else.
      const isSure = !log.isPartial || title === before || (kept.length === 0 && lost.length > 1);
      if (!isSure || !written) {
        yield open('a title changed between two updates, which a client outside of the recording may have done');
        continue;
      }
      if (!log.isPartial && isOfLook(mismatch, known)) continue;
      const doubt = log.isPartial ? undefined : doubtOf(mismatch, own);
      yield doubt ??
        violated({
          message: `The title that ${describeSent(written)} wrote is not there any more at the next update.`,
          expected: expected.length === 1 ? expected[0] : expected,
          actual: title,
          by: [written, look],
        });
    }
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
          violated({
            message: `${describeSent(refused)} was refused with ${refused.answer.response.status}${refused.credential.flaw ? ` (${refused.credential.flaw.what})` : ''}, and its title was written all the same.`,
            expected: before ?? 'the title as before',
            actual: recordOf(look)?.title,
            by: [refused, look],
          }),
        ),
      ]),
};
