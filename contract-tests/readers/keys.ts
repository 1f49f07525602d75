import { type Entry, isOk, jsonIn, statusOf } from '../log/entry.ts';
import { isObject } from '../values/json.ts';
import { isRefusedAsInvalid, type Look, type Read, undetermined, unexpected } from './reader.ts';
import { looksSecret } from './shapes.ts';

export function listOf(entry: Entry): unknown[] {
  const json = jsonIn(entry);
  return Array.isArray(json) ? json : unexpected(entry);
}

/** The values of a field that API keys have. */
function valuesOf(look: Look, field: 'provider' | 'status'): string[] {
  listOf(look.success('keys'));
  const keys = look.any('keys').filter(isOk).flatMap(jsonIn).filter(isObject);
  const values = keys.map((key) => key[field]).filter((value) => typeof value === 'string');
  return [...new Set(values)].toSorted();
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
    const seen = valuesOf(look, 'provider');
    if (seen.length === 7) return seen;
    return undetermined(`${seen.length} of seven are known: ${seen.join(', ') || 'none is listed'}`);
  },
  'key-status-values': (look) => {
    const seen = valuesOf(look, 'status');
    if (seen.length === 0) return undetermined('no API key is listed');
    if (seen.some(looksSecret)) return undetermined('a status looks like a credential');
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
