import { type Entry, isOk, jsonIn, statusOf } from '../log/entry.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import {
  allowedStatus,
  isAccepted,
  isRefusedAsInvalid,
  Lenient,
  type Look,
  type Read,
  Undetermined,
  unexpected,
} from './reader.ts';
import { enumerationOf, enumerationsIn, looksSecret } from './vocabulary.ts';

const PROVIDERS = 7;

/** The answer's list, where it is one. */
function listOf(what: string, entry: Entry): unknown[] {
  const json = jsonIn(entry);
  return Array.isArray(json) ? json : unexpected(what, entry);
}

/** `empty` for an accepted request that lists nothing; undetermined where it lists something. */
function empty(what: string, entry: Entry): 'empty' {
  const { length } = listOf(what, entry);
  if (length === 0) return 'empty';
  throw new Undetermined(`${what} lists ${length} API keys`);
}

/** The tenant's API keys as the administrator sees them. */
const listed = (look: Look): JsonObject[] => listOf('The list of API keys', look.success('keys')).filter(isObject);

/** The values of a field that API keys have, and what the refusal of a made-up value says of others. */
function valuesOf(look: Look, field: 'provider' | 'status'): { seen: Set<string>; refusal: Entry | undefined } {
  listed(look);
  const keys = look.any('keys').filter(isOk).flatMap(jsonIn).filter(isObject);
  const seen = new Set(keys.map((key) => key[field]).filter((value) => typeof value === 'string'));
  const [filtered] = field === 'provider' && seen.size === PROVIDERS ? [] : look.any(`keys-no-${field}`, 1);
  return { seen, refusal: filtered && !isOk(filtered) ? filtered : undefined };
}

/** Whether the credentials of a refused member are good, since the target gave them, or accepts them elsewhere. */
export const isGoodMember = (look: Look, { credential }: Entry): boolean =>
  credential.issued !== undefined || look.any('scopes-as-member').some(isOk);

/** The member at the administration area. */
function memberAtAdminArea(look: Look): Entry {
  const entry = look.take('keys-as-member');
  if (isOk(entry) || isGoodMember(look, entry)) return entry;
  throw new Undetermined('the credentials of member are refused elsewhere too, so the refusal may be due to them');
}

/** The status of "not permitted", as the administration area shows it; undefined where no actor is refused there. */
export function forbiddenStatus(look: Look): number | undefined {
  const [entry] = look.any('keys-as-member', 1);
  return entry && !isOk(entry) && isGoodMember(look, entry) ? statusOf(entry) : undefined;
}

/** Which of these answers a refusal to list a tenant's API keys is. A 404 is never "forbidden", even where that has it. */
function refusedTenant(look: Look, entry: Entry): 'not-found' | 'forbidden' {
  const status = statusOf(entry);
  if (status === 404) return 'not-found';
  return status === 403 || status === forbiddenStatus(look) ? 'forbidden' : unexpected('It', entry);
}

/** A tenant's API keys (4.3): their vocabularies and filters, who may list which, and how many at a time. */
export const keys: Readonly<Record<string, Read>> = {
  'provider-values': (look) => {
    // The document says that there are seven, so fewer do not answer the question.
    const { seen, refusal } = valuesOf(look, 'provider');
    const named = refusal && (enumerationOf(seen, refusal.answer) ?? enumerationsIn(refusal.answer)[0]);
    if (named?.length === PROVIDERS) return named.toSorted();
    const known = [...new Set([...seen, ...(named ?? [])])].toSorted();
    if (seen.size === PROVIDERS) return known;
    throw new Undetermined(`${known.length} of seven are known: ${known.join(', ') || 'none is listed'}`);
  },
  'key-status-values': (look) => {
    // A refusal may name them all; those that are listed are some of them.
    const { seen, refusal } = valuesOf(look, 'status');
    const all = refusal && enumerationOf(seen, refusal.answer);
    const known = [...(all ?? seen)].toSorted();
    if (known.length === 0) throw new Undetermined('no API key is listed');
    if (known.some(looksSecret)) throw new Undetermined('a status looks like a credential');
    const fits = (other: unknown): boolean => Array.isArray(other) && known.every((value) => other.includes(value));
    return all ? known : new Lenient(known, fits, "at least these: those of the target's API keys");
  },
  'unknown-provider-filter': (look) => {
    const entry = look.take('keys-no-provider');
    return isAccepted(entry) ? empty('the filter', entry) : 'refuse';
  },
  'admin-access': (look) => {
    const entry = memberAtAdminArea(look);
    if (isOk(entry)) return listOf('The list', entry) && 'members';
    // Of a recording it is not known whose tenant that is.
    if (entry.resource !== look.log.resources?.tenantId) throw new Undetermined('it may be the tenant of others');
    return [401, 403, 404].includes(statusOf(entry)) ? 'administrators' : unexpected('The list', entry);
  },
  'unknown-tenant': (look) => {
    const entry = look.take('keys-unknown-tenant');
    return isOk(entry) ? empty('it', entry) : refusedTenant(look, entry);
  },
  'foreign-tenant': (look) => {
    const entry = look.take('keys-other-tenant');
    if (!isOk(entry)) return refusedTenant(look, entry);
    if (listOf('The list of the other tenant', entry).length > 0) return 'visible';
    throw new Undetermined('an empty list says neither that the tenant is hidden nor that it may be seen');
  },
  pagination: (look) => {
    const { length } = listed(look);
    if (length < 2) throw new Undetermined(`pages show only with two API keys or more; there are ${length}`);
    // The second page shows alone that neither parameter is used, where it is the whole list.
    const withUnknown = look.take('keys-later-page-unknown');
    const later = isRefusedAsInvalid(withUnknown) ? look.take('keys-later-page') : withUnknown;
    const isWhole = isOk(later) && listOf('A page', later).length === length;
    if (isWhole && later.answer.response.headers.link === undefined) return 'none';
    const pages = [look.take('keys-first-page'), later];
    if (pages.every(isRefusedAsInvalid)) {
      // Parameters that are refused like any unknown one divide nothing.
      if (isRefusedAsInvalid(look.take('keys-unknown-parameter'))) return 'none';
      throw new Undetermined('limit and offset are refused, though unknown parameters are not');
    }
    const lists = pages.map((page) => listOf('A page', page));
    if (pages.some(({ answer }) => /rel="?next/.test(answer.response.headers.link ?? '')))
      throw new Undetermined('pages follow each other by the header Link');
    if (lists.every((list) => list.length === length)) return 'none';
    if (lists.some((list) => list.length !== 1))
      throw new Undetermined(`of ${length} API keys the pages have ${lists.map((list) => list.length).join(' and ')}`);
    // Pages that begin at the same key have a size, but no offset.
    const [first, second] = lists.map(([key]) => (isObject(key) ? key.id : key));
    if (first !== second) return 'limit-offset';
    throw new Undetermined('limit is used, offset is not: both pages have the same API key');
  },
  'forbidden-status': (look) => {
    const entry = memberAtAdminArea(look);
    if (!isOk(entry)) return allowedStatus('forbidden-status', entry);
    const [foreign] = look.any('keys-other-tenant', 1);
    // A 404 may be about the tenant rather than about what the caller may do.
    if (foreign && [401, 403].includes(statusOf(foreign))) return statusOf(foreign);
    throw new Undetermined('member may list the API keys, so nothing is known that is forbidden');
  },
};
