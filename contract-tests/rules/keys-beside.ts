import { isOk, type Log, overlappingIn } from '../log/entry.ts';
import { canonical } from '../log/log.ts';
import { describe } from '../values/answer.ts';
import { missingFrom } from './listed-keys.ts';
import { type Judged, type Judgement, of, perLog, type Rule, refused, shown, violated } from './rule.ts';
import { foreignIn, isOverlapping, type List, matches, type Shelf, shelvesOf, subjectOf, wholeAt } from './shelves.ts';

/** Lists that are asked for at the same time (4.3). */

export const overlapping: Rule = {
  id: 'keys-overlapping',
  requirements: ['KEY-15'],
  title: 'lists of API keys that one caller asks for at the same time each hold what matches their own filters',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...shelf.refused.flatMap((each) => judgeRefusedBeside(log, shelf, each)),
      ...shelf.lists.flatMap((each) => judgeGivenBeside(log, shelf, each)),
      ...shelf.lists
        .filter((list) => isOverlapping(shelf, list))
        .map((list): Judgement => {
          const foreign = foreignIn(list);
          if (foreign)
            return violated({
              ...foreign,
              message: `${foreign.message} Another list was requested at the same time.`,
              by: [list.entry],
            });
          const whole = wholeAt(shelf, list);
          const missing = whole
            ? missingFrom(
                whole.keys.filter((key) => matches(key, list.query)),
                list.keys,
              )
            : [];
          if (whole && missing.length > 0)
            return violated({
              message: `${subjectOf(list)} leaves out API keys while another list is requested at the same time.`,
              expected: 'every API key that matches',
              actual: { missing },
              by: [whole.entry, list.entry],
            });
          return shown(list.entry);
        }),
    ]),
};

/** Requests for lists that overlap another one, of any caller; and such that were both given. */
const besideIn = perLog((log) => overlappingIn(of(log, 'api-keys')));
const givenBeside = perLog((log) => overlappingIn(of(log, 'api-keys').filter(isOk)));

/** A list that succeeds alone and is refused while another list is requested. */
function judgeRefusedBeside(log: Log, shelf: Shelf, { entry, query }: Shelf['refused'][number]): Judged {
  const { status } = entry.answer.response;
  if (![403, 404].includes(status) || !besideIn(log).has(entry)) return [];
  const alone = shelf.lists.find(
    (list) => canonical(list.query) === canonical(query) && !besideIn(log).has(list.entry),
  );
  if (!alone) return [];
  const message = `${subjectOf({ query })} was refused while another list was requested, and succeeds alone.`;
  return refused(message, [alone.entry, entry]);
}

/** A list that the caller may not get alone, and gets while another caller requests it. */
function judgeGivenBeside(log: Log, shelf: Shelf, { entry, query }: List): Judged {
  if (!givenBeside(log).has(entry)) return [];
  const alone = shelf.refused.filter(
    (each) =>
      each.entry.answer.response.status === 403 &&
      canonical(each.query) === canonical(query) &&
      !besideIn(log).has(each.entry),
  );
  if (alone.length === 0 || shelf.lists.some((list) => !besideIn(log).has(list.entry))) return [];
  return violated({
    message: `${subjectOf({ query })} was given to a caller while another one requested it, and is refused to that caller alone.`,
    expected: 'a refusal (403), as alone',
    actual: describe(entry.answer),
    by: [...alone.slice(0, 1).map((each) => each.entry), entry],
  });
}
