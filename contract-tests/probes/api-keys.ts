import { apiKeysPath, NO_TENANT, UNKNOWN_PARAMETER, UNUSED_STATUS } from '../api/operations.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess } from '../values/answer.ts';
import { isObject } from '../values/json.ts';
import { AtLeast, type Probe, Undetermined, unexpected } from './probe.ts';
import {
  forbiddenStatus,
  isAccepted,
  isRefusedAsInvalid,
  keysAs,
  listedKeys,
  listOf,
  memberAtAdminArea,
  NO_SUCH_VALUE,
} from './requests.ts';
import { enumerationOf, enumerationsIn, looksSecret } from './vocabulary.ts';

const needs: Probe['needs'] = ['actors.admin', 'resources.tenantId'];
const PROVIDERS = 7;

const isMadeUp = (value: string | null): boolean => value === NO_SUCH_VALUE || value === UNUSED_STATUS;

/** The values that the listed API keys have in a field, and what the refusal of a made-up value says of others. */
async function vocabulary(
  session: Session,
  field: 'provider' | 'status',
): Promise<{ seen: Set<string>; refusal: Answer | undefined }> {
  const seen = new Set(
    (await listedKeys(session)).map((key) => key[field]).filter((value) => typeof value === 'string'),
  );
  if (field === 'provider' && seen.size === PROVIDERS) return { seen, refusal: undefined };
  // A value that the checks made up says as much, beside whatever other filter.
  const known = session.recall(({ request }) => {
    const asked = new URL(request.url).searchParams.get(field);
    return request.url.includes(`${apiKeysPath(session.resource('tenantId'))}?`) && isMadeUp(asked);
  });
  const filtered = known ?? (await session.apiKeys.of(session.resource('tenantId'), { [field]: NO_SUCH_VALUE }));
  return { seen, refusal: isSuccess(filtered) ? undefined : filtered };
}

/** Which of these answers a refusal to list a tenant's API keys is. A 404 is never "forbidden", even where that has it. */
async function refusedTenant(session: Session, answer: Answer, what: string): Promise<'not-found' | 'forbidden'> {
  const { status } = answer.response;
  if (status === 404) return 'not-found';
  if (status === 403 || (!isSuccess(answer) && status === (await forbiddenStatus(session)))) return 'forbidden';
  throw unexpected(what, answer);
}

/** The vocabularies and filters of a tenant's API keys (4.3). */
export const keyProbes: Probe[] = [
  {
    gap: 'provider-values',
    sends: 'GET of the API keys, whole and with a made-up provider',
    needs,
    async observe(session) {
      // The document says that there are seven, so fewer do not answer the question.
      const { seen, refusal } = await vocabulary(session, 'provider');
      const named = refusal && (enumerationOf(seen, refusal) ?? enumerationsIn(refusal)[0]);
      if (named?.length === PROVIDERS) return named.toSorted();
      const known = [...new Set([...seen, ...(named ?? [])])].toSorted();
      if (seen.size === PROVIDERS) return known;
      throw new Undetermined(`${known.length} of seven are known: ${known.join(', ') || 'none is listed'}`);
    },
  },
  {
    gap: 'key-status-values',
    sends: 'GET of the API keys, whole and with a made-up status',
    needs,
    async observe(session) {
      // A refusal may name them all; those that are listed are some of them.
      const { seen, refusal } = await vocabulary(session, 'status');
      const all = refusal && enumerationOf(seen, refusal);
      const known = [...(all ?? seen)].toSorted();
      if (known.length === 0) throw new Undetermined('no API key is listed');
      if (known.some(looksSecret)) throw new Undetermined('a status looks like a credential');
      return all ? known : new AtLeast(known, "those of the target's API keys");
    },
  },
  {
    gap: 'unknown-provider-filter',
    sends: 'GET of the API keys with a made-up provider',
    needs,
    async observe(session) {
      await listedKeys(session);
      const answer = await keysAs(session, 'admin', session.resource('tenantId'), { provider: NO_SUCH_VALUE });
      if (!isAccepted('The filter', answer)) return 'refuse';
      const count = listOf('The filter', answer).length;
      if (count > 0) throw new Undetermined(`the filter lists ${count} API keys`);
      return 'empty';
    },
  },
];

/** The ids of the records in a list. */
const idsIn = (answer: Answer): unknown[] => listOf('A page', answer).map((key) => (isObject(key) ? key.id : key));

/** Who may list which tenant's API keys, and how many at a time. */
export const tenantProbes: Probe[] = [
  {
    gap: 'admin-access',
    sends: 'GET of the API keys as member',
    needs: ['actors.admin', 'actors.member', 'resources.tenantId'],
    async observe(session) {
      const answer = await memberAtAdminArea(session);
      if (isSuccess(answer)) return listOf('The list', answer) && 'members';
      if ([401, 403, 404].includes(answer.response.status)) return 'administrators';
      throw unexpected('The list', answer);
    },
  },
  {
    gap: 'unknown-tenant',
    sends: 'GET of the API keys of a tenant with a made-up id',
    needs,
    async observe(session) {
      await listedKeys(session);
      const answer = await keysAs(session, 'admin', NO_TENANT);
      if (!isSuccess(answer)) return refusedTenant(session, answer, 'It');
      const count = listOf('The list', answer).length;
      if (count > 0) throw new Undetermined(`it lists ${count} API keys`);
      return 'empty';
    },
  },
  {
    gap: 'foreign-tenant',
    sends: 'GET of the API keys of resources.otherTenantId',
    needs: ['actors.admin', 'resources.tenantId', 'resources.otherTenantId'],
    async observe(session) {
      await listedKeys(session);
      const answer = await keysAs(session, 'admin', session.resource('otherTenantId'));
      if (!isSuccess(answer)) return refusedTenant(session, answer, 'The list of the other tenant');
      if (listOf('The list of the other tenant', answer).length > 0) return 'visible';
      throw new Undetermined('an empty list says neither that the tenant is hidden nor that it may be seen');
    },
  },
  {
    gap: 'pagination',
    sends:
      'GET of the API keys with limit=1, offset=1 and a made-up parameter, and where that is not the whole list, without it and with offset=0',
    needs,
    async observe(session) {
      const all = await listedKeys(session);
      if (all.length < 2) throw new Undetermined(`pages show only with two API keys or more; there are ${all.length}`);
      const tenant = session.resource('tenantId');
      // The second page shows alone that neither parameter is used, where it is the whole list.
      const page = { limit: '1', offset: '1' };
      const withUnknown = await keysAs(session, 'admin', tenant, { ...page, [UNKNOWN_PARAMETER]: '1' });
      const later = isRefusedAsInvalid(withUnknown) ? await keysAs(session, 'admin', tenant, page) : withUnknown;
      const isWhole = isSuccess(later) && listOf('A page', later).length === all.length;
      if (isWhole && later.response.headers.link === undefined) return 'none';
      const pages = [await keysAs(session, 'admin', tenant, { limit: '1', offset: '0' }), later];
      if (pages.every(isRefusedAsInvalid)) {
        // Parameters that are refused like any unknown one divide nothing.
        const madeUp = await keysAs(session, 'admin', tenant, { [UNKNOWN_PARAMETER]: '1' });
        if (isRefusedAsInvalid(madeUp)) return 'none';
        throw new Undetermined('limit and offset are refused, though unknown parameters are not');
      }
      const sizes = pages.map((page) => listOf('A page', page).length);
      const link = pages.map(({ response }) => response.headers.link).find((header) => /rel="?next/.test(header ?? ''));
      if (link !== undefined) throw new Undetermined('pages follow each other by the header Link');
      if (sizes.every((size) => size === all.length)) return 'none';
      if (!sizes.every((size) => size === 1))
        throw new Undetermined(`of ${all.length} API keys the pages have ${sizes.join(' and ')}`);
      // Pages that begin at the same key have a size, but no offset.
      const [first, second] = pages.map((page) => JSON.stringify(idsIn(page)));
      if (first !== second) return 'limit-offset';
      throw new Undetermined('limit is used, offset is not: both pages have the same API key');
    },
  },
];
