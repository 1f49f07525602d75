import { show } from '../values/json.ts';
import { FILTERS } from './documented.ts';
import { judgeAdded } from './key-filters.ts';
import { missingFrom } from './listed-keys.ts';
import { isPaged, mayBePage } from './pages.ts';
import { type Judged, type Rule, violated } from './rule.ts';
import {
  contentOf,
  isOverlapping,
  isWhole,
  kindOf,
  type List,
  matches,
  type Shelf,
  shelvesOf,
  subjectOf,
  wholeAt,
} from './shelves.ts';

/** What the whole list and the filtered ones say of each other, early and late (4.3). */

export const partition: Rule = {
  id: 'keys-filters-partition',
  requirements: ['KEY-16'],
  title: 'without a filter the list holds what the filters partition',
  judge: (log) =>
    shelvesOf(log).flatMap((shelf) => [
      ...shelf.lists
        .filter((list) => !isWhole(list) && kindOf(list.query) !== 'both' && !isOverlapping(shelf, list))
        .flatMap((list) => judgeAdded(shelf, list)),
      ...[judgeReturning, judgeUnfindable, judgeReplaced, judgeSticking].flatMap((judge) => judge(shelf)),
    ]),
};

/** A filter that still applies to the next whole list, or that changed the keys. Other clients do not change several keys like that. */
function judgeSticking({ lists }: Shelf): Judged {
  let last: List | undefined;
  let between: List[] = [];
  for (const list of lists) {
    if (!isWhole(list)) {
      between.push(list);
      continue;
    }
    const before = last;
    const gone = before ? missingFrom(before.keys, list.keys) : [];
    const isLeft = (filtered: List): boolean => gone.length > 1 && contentOf(filtered) === contentOf(list);
    const isWritten = ({ query }: List): boolean =>
      list.keys.filter(
        (key) => matches(key, query) && before?.keys.some((old) => old.id === key.id && !matches(old, query)),
      ).length > 1;
    const culprit =
      list.keys.length > 0 ? between.find((filtered) => isLeft(filtered) || isWritten(filtered)) : undefined;
    if (before && culprit)
      return violated({
        message: isWritten(culprit)
          ? `${subjectOf(culprit)} changed the API keys: the next whole list shows the values of the filter.`
          : 'The list without a filter holds only what a filtered list before it held.',
        expected: before.keys.map(({ id, provider, status }) => ({ id, provider, status })),
        actual: list.keys.map(({ id, provider, status }) => ({ id, provider, status })),
        by: [before.entry, culprit.entry, list.entry],
      });
    last = list;
    between = [];
  }
  return [];
}

/** Two whole lists, one right after the other, that have no key in common: people do not replace several at once. */
function judgeReplaced({ lists }: Shelf): Judged {
  for (const [at, list] of lists.entries()) {
    const last = lists[at - 1];
    if (!last || !isWhole(list) || !isWhole(last) || last.keys.length < 3 || list.keys.length < 3) continue;
    if (list.keys.some(({ id }) => last.keys.some((key) => key.id === id))) continue;
    return ['KEY-16', 'KEY-15'].map((requirement) =>
      violated({
        requirement,
        message: 'Two whole lists, one right after the other, have no API key in common.',
        expected: last.keys.map(({ id }) => id),
        actual: list.keys.map(({ id }) => id),
        by: [last.entry, list.entry],
      }),
    );
  }
  return [];
}

/** An API key of the whole list that the filter of neither its provider nor its status finds. */
function judgeUnfindable(shelf: Shelf): Judged {
  const singles = shelf.lists.filter(
    (list) => !isWhole(list) && kindOf(list.query) !== 'both' && !isOverlapping(shelf, list),
  );
  const whole = singles[0] && wholeAt(shelf, singles[0]);
  if (!whole || isPaged(whole.entry, whole.keys)) return [];
  for (const key of whole.keys) {
    const own = FILTERS.map((field) =>
      singles.find((list) => list.query[field] === key[field] && wholeAt(shelf, list) !== undefined),
    );
    const [byProvider, byStatus] = own;
    if (!byProvider || !byStatus) continue;
    if ([byProvider, byStatus].some(({ keys }) => keys.some(({ id }) => id === key.id))) continue;
    return violated({
      message: `API key ${show(key.id)} of the whole list is in neither list of its provider and its status.`,
      expected: 'the API keys that the filters list, and only those',
      actual: { more: [key.id] },
      by: [byProvider.entry, byStatus.entry, whole.entry],
    });
  }
  return [];
}

/** An API key that leaves the whole list and comes back was not deleted in between. */
function judgeReturning(shelf: Shelf): Judged {
  const wholes = shelf.lists.filter((list) => isWhole(list) && !isPaged(list.entry, list.keys));
  const ids = wholes.map(({ keys }) => new Set(keys.map(({ id }) => id)));
  for (const [at, list] of wholes.entries()) {
    if (at === 0) continue;
    for (const id of ids[at - 1] ?? []) {
      const back = ids.findIndex((each, later) => later > at && each.has(id));
      const [previous, returned] = [wholes[at - 1], wholes[back]];
      if (ids[at]?.has(id) || !previous || !returned || mayBePage(list.keys, [id], [])) continue;
      return violated({
        message: `The whole list left out API key ${show(id)}, which the same caller was shown before and after.`,
        expected: 'the API keys of the lists before and after it',
        actual: { missing: [id] },
        by: [previous.entry, returned.entry, list.entry],
      });
    }
  }
  return [];
}
