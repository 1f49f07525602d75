import { type Entry, isOk, jsonIn, statusOf } from '../log/entry.ts';
import { groupBy } from '../values/group.ts';
import { findStrings, isObject } from '../values/json.ts';
import { isRefusedAsInvalid, type Look, type Read, undetermined, unexpected } from './reader.ts';
import { looksSecret } from './shapes.ts';

const PROVIDERS = 7;

export function listOf(entry: Entry): unknown[] {
  const json = jsonIn(entry);
  return Array.isArray(json) ? json : unexpected(entry);
}

/** Lower-case identifiers within a sentence that have commas, slashes or the like between them, or `or` and `and`. */
function sequencesIn(text: string): string[][] {
  const bare = text.replaceAll(/["'`‘“’”[\](){}]/g, ' ').replaceAll(/[|/;]| (?:or|and) /g, ',');
  const parts = bare.split(',').map((part) => part.trim());
  const joined = parts.filter((part) => part !== '').join(',');
  const sequences = joined.split(/\s/).map((words) => words.replace(/\.$/, '').split(','));
  return sequences.filter((words) => words.length > 1 && words.every((word) => /^[a-z0-9][\w.-]*$/.test(word)));
}

function enumerationsIn(refusal: Entry): string[][] {
  const strings = findStrings(jsonIn(refusal));
  const inLists = strings.filter(({ path }) => /^\d+$/.test(path.at(-1) ?? ''));
  const lists = [...groupBy(inLists, ({ path }) => path.slice(0, -1).join('/')).values()];
  const listed = lists.map((list) => list.map(({ value }) => value));
  const found = [...listed, ...strings.flatMap(({ value }) => sequencesIn(value))];
  return found.map((words) => [...new Set(words)].toSorted());
}

/** The values of a field that API keys have, and the enumerations of all of them in the refusal of a made-up value. */
function valuesOf(look: Look, field: 'provider' | 'status'): { seen: string[]; enumerations: string[][] } {
  listOf(look.success('keys'));
  const keys = look.any('keys').filter(isOk).flatMap(jsonIn).filter(isObject);
  const values = keys.map((key) => key[field]).filter((value) => typeof value === 'string');
  const seen = [...new Set(values)].toSorted();
  const [filtered] = field === 'provider' && seen.length === PROVIDERS ? [] : look.any(`keys-no-${field}`, 1);
  const all = filtered && !isOk(filtered) ? enumerationsIn(filtered) : [];
  return { seen, enumerations: all.filter((words) => seen.every((value) => words.includes(value))) };
}

/** Whether the credentials of a refused member are good, since the target gave them, or accepts them elsewhere. */
export const isGoodMember = (look: Look, { credential }: Entry): boolean =>
  credential.issued !== undefined || look.any('scopes-as-member').some(isOk);

/** The status of "not permitted", as the administration area shows it; undefined where no actor is refused there. */
export function forbiddenStatus(look: Look): number | undefined {
  const [entry] = look.any('keys-as-member', 1);
  return entry && !isOk(entry) && isGoodMember(look, entry) ? statusOf(entry) : undefined;
}

/** A tenant's API keys (4.3): their vocabularies and filters, who may list which, and how many at a time. */
export const keys: Readonly<Record<string, Read>> = {
  'provider-values': (look) => {
    // The document says that there are seven, so fewer do not answer the question.
    const { seen, enumerations } = valuesOf(look, 'provider');
    const all = [seen, ...enumerations].find((values) => values.length === PROVIDERS);
    return all ?? undetermined(`${seen.length} of seven are known: ${seen.join(', ') || 'none is listed'}`);
  },
  'key-status-values': (look) => {
    // A refusal may name them all; those that are listed are some of them.
    const { seen, enumerations } = valuesOf(look, 'status');
    if (seen.length === 0) return undetermined('no API key is listed');
    const [all] = enumerations;
    if ((all ?? seen).some(looksSecret)) return undetermined('a status looks like a credential');
    if (all) return all;
    look.fits = (other) => Array.isArray(other) && seen.every((value) => other.includes(value));
    look.remark = "at least these: those of the target's API keys";
    return seen;
  },
  pagination: (look) => {
    const { length } = listOf(look.success('keys'));
    if (length < 2) return undetermined(`pages show only with two API keys or more; there are ${length}`);
    // The second page shows alone that neither parameter is used, where it is the whole list.
    const withUnknown = look.take('keys-later-page-unknown');
    const later = isRefusedAsInvalid(withUnknown) ? look.take('keys-later-page') : withUnknown;
    // Parameters that are refused like any unknown one divide nothing.
    if (isRefusedAsInvalid(later) && isRefusedAsInvalid(look.take('keys-unknown-parameter'))) return 'none';
    const hasNext = /rel="?next/.test(later.answer.response.headers.link ?? '');
    if (listOf(later).length === length && !hasNext) return 'none';
    const lists = [look.take('keys-first-page'), later].map(listOf);
    // Pages that begin at the same key have a size, but no offset.
    const [first, second] = lists.map(([key]) => (isObject(key) ? key.id : key));
    if (lists.every((list) => list.length === 1) && first !== second) return 'limit-offset';
    return undetermined(`of ${length} API keys the pages have ${lists.map((list) => list.length).join(' and ')}`);
  },
  'forbidden-status': (look) => {
    const entry = look.take('keys-as-member');
    if (!isOk(entry) && isGoodMember(look, entry)) return statusOf(entry);
    if (!isOk(entry))
      undetermined('the refusal may be due to the credentials of member: they are refused elsewhere too');
    const [foreign] = look.any('keys-other-tenant', 1);
    // A 404 may be about the tenant rather than about what the caller may do.
    if (foreign && [401, 403].includes(statusOf(foreign))) return statusOf(foreign);
    return undetermined('member may list the API keys, so nothing is known that is forbidden');
  },
};
