import { blocked, untested, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { assertJson, describe, isSuccess, jsonOf, notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { type FieldRule, KEY_FIELDS } from './fields.ts';
import { isLowerCaseIdentifier, isObject, type JsonObject, show } from './formats.ts';
import { registerChecks } from './register.ts';
import { secretIn } from './secret-members.ts';

const SUBJECT = 'GET /v1/admin/tenants/{id}/api-keys';
const HINT = 'Check that resources.tenantId is a tenant whose API keys actors.admin may list.';
const needs: Check['needs'] = ['actors.admin', 'resources.tenantId'];
/** As many combinations of both filters are tried; more would teach little and cost the target much. */
const MAX_COMBINATIONS = 12;

/** The API keys that a list answered; blocked unless it is one as a whole. */
function keysOf(answer: Answer): JsonObject[] {
  const json = jsonOf(answer);
  if (!isSuccess(answer)) throw blocked('keys-list', `${SUBJECT} answered ${describe(answer)}`);
  if (!Array.isArray(json) || !json.every(isObject))
    throw blocked('keys-array', `${SUBJECT} answered no array of objects`);
  return json;
}

async function allKeys(session: Session): Promise<JsonObject[]> {
  const keys = keysOf(await session.allApiKeys());
  if (keys.length === 0) throw untested('the tenant has no API keys; name one that has in resources.tenantId');
  return keys;
}

/** The value of a filter that the fewest API keys have: short lists are where implementations differ. */
function rarest(keys: JsonObject[], field: 'provider' | 'status'): string | undefined {
  const count = (value: string): number => keys.filter((key) => key[field] === value).length;
  return distinct(keys, field).toSorted((a, b) => count(a) - count(b))[0];
}

/** A filtered list of each filter. Part 2 describes each API key that is listed, and 4.3 the list, however it was asked for. */
async function filteredLists(session: Session): Promise<{ subject: string; answer: Answer }[]> {
  const keys = await allKeys(session);
  const lists: { subject: string; answer: Answer }[] = [];
  for (const field of ['provider', 'status'] as const) {
    const value = rarest(keys, field);
    if (value === undefined) continue;
    const query = { [field]: value };
    lists.push({ subject: subjectOf(query), answer: await filteredAnswer(session, query) });
  }
  return lists;
}

/** The API keys of the whole list, and those of a filtered list of each filter, where that is one. */
async function allListedKeys(session: Session): Promise<JsonObject[]> {
  const keys = [...(await allKeys(session))];
  for (const { answer } of await filteredLists(session)) {
    const json = jsonOf(answer);
    if (isSuccess(answer) && Array.isArray(json)) keys.push(...json.filter(isObject));
  }
  return keys;
}

function fieldCheck(field: string, { requirement, expected, holds }: FieldRule): Check {
  return {
    id: `keys-${field.replaceAll('_', '-')}`,
    requirements: [requirement],
    title: `each API key has ${field}: ${expected}`,
    needs,
    async run(session) {
      for (const key of await allListedKeys(session)) {
        if (holds(key[field])) continue;
        throw violation(
          `API key ${show(key.id)} ${field in key ? `has ${field} ${show(key[field])}` : `has no ${field}`}.`,
          `${field}: ${expected}`,
          key[field],
        );
      }
    },
  };
}

function distinct(keys: JsonObject[], field: string): string[] {
  return [...new Set(keys.map((key) => key[field]).filter((value) => typeof value === 'string'))];
}

/** How often each id stands in a list: lists are compared whatever their order. */
function countIds(keys: JsonObject[]): Map<unknown, number> {
  const counts = new Map<unknown, number>();
  for (const { id } of keys) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** The ids that `a` lists more often than `b`. */
function missingFrom(a: JsonObject[], b: JsonObject[]): unknown[] {
  const other = countIds(b);
  return [...countIds(a)].filter(([id, count]) => count > (other.get(id) ?? 0)).map(([id]) => id);
}

const PAGE_HEADER = /^x-(total(-count|-pages)?|next-page|page|per-page)$|pagination|has-more|continuation|cursor/;

/** Whether the list says itself that it is one page of more. */
function isPaged({ response }: Answer, keys: JsonObject[]): boolean {
  const { link, ...headers } = response.headers;
  const totals = [headers['x-total'], headers['x-total-count'], headers['content-range']?.split('/')[1]];
  if (totals.some((total) => total !== undefined && total.trim() === String(keys.length))) return false;
  if (response.status === 206 || headers['content-range'] !== undefined || /rel="?next/i.test(link ?? '')) return true;
  return Object.entries(headers).some(
    ([name, value]) => PAGE_HEADER.test(name) && !/^(false|no|0)?$/i.test(value.trim()),
  );
}

/** How many records a page usually has, where pages are not asked for. */
const PAGE_SIZES = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500]);

/** Whether the unfiltered list is perhaps a page: of a usual size, and what filtered lists hold beside it is not in it at all. */
function mayBePage(keys: JsonObject[], more: unknown[]): boolean {
  return more.length > 0 && PAGE_SIZES.has(keys.length) && !keys.some(({ id }) => more.includes(id));
}

const UNTOLD_PAGE =
  'filtered lists hold API keys that the whole list does not, which has as many as a page usually has, and how pages work is not documented; name a tenant with fewer in resources.tenantId';

const subjectOf = (query: Record<string, string>): string => `${SUBJECT}?${new URLSearchParams(query)}`;

/** What a filtered list of the target's tenant answered; asked for once a run. */
function filteredAnswer(session: Session, query: Record<string, string>): Promise<Answer> {
  return session.recorder.once(`api keys ${new URLSearchParams(query)}`, () =>
    session.apiKeys(session.resource('tenantId'), query),
  );
}

async function filtered(session: Session, query: Record<string, string>): Promise<JsonObject[]> {
  const answer = await filteredAnswer(session, query);
  const subject = subjectOf(query);
  if (!isSuccess(answer)) throw notSuccessful(answer, subject, 'The value is one that the list itself shows.', true);
  const json = jsonOf(answer);
  if (!Array.isArray(json) || !json.every(isObject)) {
    throw violation(
      `${subject} answered no array of API keys.`,
      'a JSON array',
      `${describe(answer)}: ${show(answer.response.body)}`,
    );
  }
  return json;
}

/** Nothing foreign may be listed under a filter. */
function onlyCheck(field: 'provider' | 'status', requirement: string): Check {
  return {
    id: `keys-filter-${field}-only`,
    requirements: [requirement],
    title: `the ${field} filter takes the value of the ${field} field and lists nothing of another ${field}`,
    needs,
    async run(session) {
      const values = distinct(await allKeys(session), field);
      for (const value of values) {
        const foreign = (await filtered(session, { [field]: value })).find((key) => key[field] !== value);
        if (foreign)
          throw violation(`The filter ${field}=${value} lists an API key of another ${field}.`, value, foreign[field]);
      }
      if (values.length < 2)
        throw untested(
          `all API keys of the tenant have one ${field}, so a filter that does nothing would not show; name a tenant with more in resources.tenantId`,
        );
    },
  };
}

/** Nothing that matches may be left out. */
function wholeCheck(field: 'provider' | 'status', requirement: string): Check {
  return {
    id: `keys-filter-${field}-whole`,
    requirements: [requirement],
    title: `the ${field} filter lists every API key of that ${field}`,
    needs,
    async run(session) {
      const keys = await allKeys(session);
      for (const value of distinct(keys, field)) {
        const expected = keys.filter((key) => key[field] === value);
        const left = missingFrom(expected, await filtered(session, { [field]: value }));
        if (left.length > 0)
          throw violation(
            `The filter ${field}=${value} leaves API keys out.`,
            expected.map(({ id }) => id),
            { missing: left },
          );
      }
    },
  };
}

const bothFilters: Check = {
  id: 'keys-filter-both',
  requirements: ['KEY-15'],
  title: 'both filters together list exactly the API keys that match both',
  needs,
  async run(session) {
    const all = await session.allApiKeys();
    const keys = await allKeys(session);
    const pairs = distinct(keys, 'provider').flatMap((provider) =>
      distinct(keys, 'status').map((status) => ({ provider, status })),
    );
    if (pairs.length < 2)
      throw untested(
        'all API keys of the tenant have one provider and one status; name a tenant with more in resources.tenantId',
      );
    // Pairs that some API key has, and pairs that none has, in turn: a filter may fail at either.
    const matches = ({ provider, status }: { provider: string; status: string }): JsonObject[] =>
      keys.filter((key) => key.provider === provider && key.status === status);
    const [some, none] = [
      pairs.filter((pair) => matches(pair).length > 0),
      pairs.filter((pair) => matches(pair).length === 0),
    ];
    const half = MAX_COMBINATIONS / 2;
    const chosen = [...some.slice(0, MAX_COMBINATIONS - Math.min(half, none.length)), ...none.slice(0, half)];
    let isPage = false;
    for (const pair of chosen) {
      const expected = matches(pair);
      const listed = await filtered(session, pair);
      const query = `provider=${pair.provider}&status=${pair.status}`;
      const foreign = listed.find((key) => key.provider !== pair.provider || key.status !== pair.status);
      if (foreign) {
        throw violation(`The filters ${query} list an API key that does not match both.`, pair, {
          provider: foreign.provider,
          status: foreign.status,
        });
      }
      const left = missingFrom(expected, listed);
      if (left.length > 0)
        throw violation(
          `The filters ${query} leave API keys out.`,
          expected.map(({ id }) => id),
          { missing: left },
        );
      const more = missingFrom(listed, expected);
      if (more.length === 0 || isPaged(all, keys)) continue;
      if (mayBePage(keys, more)) {
        isPage = true;
        continue;
      }
      throw violation(
        `The filters ${query} list API keys that the whole list does not hold so often.`,
        expected.map(({ id }) => id),
        { more },
      );
    }
    if (isPage) throw untested(UNTOLD_PAGE);
  },
};

const partition: Check = {
  id: 'keys-filters-partition',
  requirements: ['KEY-16'],
  title: 'without a filter the list holds what the filters partition',
  needs,
  async run(session) {
    const all = await session.allApiKeys();
    const keys = await allKeys(session);
    if (isPaged(all, keys))
      throw untested('the list says that it is one page of more, and how pages work is not documented');
    let isPage = false;
    for (const field of ['provider', 'status'] as const) {
      const parts: JsonObject[] = [];
      for (const value of distinct(keys, field)) parts.push(...(await filtered(session, { [field]: value })));
      const [more, left] = [missingFrom(parts, keys), missingFrom(keys, parts)];
      if (left.length === 0 && mayBePage(keys, more)) {
        isPage = true;
        continue;
      }
      if (more.length > 0 || left.length > 0) {
        throw violation(
          `The lists by ${field} together are not the list without a filter.`,
          keys.map(({ id }) => id),
          { onlyFiltered: more, onlyUnfiltered: left },
        );
      }
    }
    if (isPage) throw untested(UNTOLD_PAGE);
  },
};

/** A tenant identifier that no tenant has. */
const NO_TENANT = '00000000-0000-4000-8000-000000000000';

const ofTenant: Check = {
  id: 'keys-of-the-tenant',
  requirements: ['KEY-17'],
  title: 'the list is that of the tenant that the path addresses',
  needs,
  async run(session) {
    const own = countIds(await allKeys(session));
    const others = [session.target.resources?.otherTenantId, NO_TENANT].filter((id) => id !== undefined);
    for (const tenantId of others) {
      const answer = await session.apiKeys(tenantId);
      if (!isSuccess(answer)) continue; // refusing another tenant is as right as an own list of it
      const json = jsonOf(answer);
      const shared = Array.isArray(json) ? json.filter((key) => isObject(key) && own.has(key.id)) : [];
      if (shared.length > 0) {
        throw violation(
          `The list of tenant ${tenantId} holds API keys of the target's tenant.`,
          'none of them',
          shared.map((key) => key.id),
        );
      }
    }
  },
};

export const keyChecks: Check[] = [
  {
    id: 'keys-list',
    requirements: ['KEY-01'],
    title: 'the API keys of a tenant are listed without any query parameter',
    needs,
    async run(session) {
      const answer = await session.allApiKeys();
      if (!isSuccess(answer)) throw notSuccessful(answer, SUBJECT, HINT, await session.isProven());
    },
  },
  {
    id: 'keys-json',
    requirements: ['GEN-01'],
    title: 'the list of API keys is JSON',
    needs,
    async run(session) {
      const answer = await session.allApiKeys();
      if (!isSuccess(answer)) throw blocked('keys-list', `${SUBJECT} answered ${describe(answer)}`);
      assertJson(answer, SUBJECT);
    },
  },
  {
    id: 'keys-array',
    requirements: ['KEY-02'],
    title: 'the list of API keys is a JSON array of objects',
    needs,
    async run(session) {
      const answer = await session.allApiKeys();
      if (!isSuccess(answer)) throw blocked('keys-list', `${SUBJECT} answered ${describe(answer)}`);
      const json = jsonOf(answer);
      if (!Array.isArray(json) || !json.every(isObject)) {
        throw violation(
          `${SUBJECT} answered no array of API keys.`,
          'a JSON array of objects',
          `${describe(answer)}: ${show(answer.response.body)}`,
        );
      }
      // Whether a filter is taken at all is for its own checks to judge: here only what form its list has.
      for (const { subject, answer: list } of json.length > 0 ? await filteredLists(session) : []) {
        const listed = jsonOf(list);
        if (!isSuccess(list) || (Array.isArray(listed) && listed.every(isObject))) continue;
        throw violation(
          `${subject} answered no array of API keys.`,
          'a JSON array of objects',
          `${describe(list)}: ${show(list.response.body)}`,
        );
      }
    },
  },
  ...Object.entries(KEY_FIELDS).map(([field, rule]) => fieldCheck(field, rule)),
  {
    id: 'keys-no-secret',
    requirements: ['KEY-08'],
    title: 'no listed API key holds its secret',
    needs,
    async run(session) {
      for (const key of await allListedKeys(session)) {
        const secret = secretIn(key);
        if (secret)
          throw violation(`API key ${show(key.id)} holds a secret in ${secret.path.join('.')}.`, 'no secret', {
            [secret.path.join('.')]: secret.shown,
          });
      }
    },
  },
  {
    id: 'keys-provider-lower-case',
    requirements: ['KEY-09'],
    title: 'each provider is a lower-case identifier',
    needs,
    async run(session) {
      const wrong = distinct(await allKeys(session), 'provider').find((provider) => !isLowerCaseIdentifier(provider));
      if (wrong !== undefined)
        throw violation('A provider is no lower-case identifier.', 'lower-case letters, digits, - _ .', wrong);
    },
  },
  {
    id: 'keys-seven-providers',
    requirements: ['KEY-10'],
    title: 'there are at most seven different providers',
    needs,
    async run(session) {
      const providers = distinct(await allKeys(session), 'provider');
      if (providers.length > 7) throw violation('There are more than seven providers.', 'at most 7', providers);
    },
  },
  onlyCheck('provider', 'KEY-11'),
  wholeCheck('provider', 'KEY-12'),
  onlyCheck('status', 'KEY-13'),
  wholeCheck('status', 'KEY-14'),
  bothFilters,
  partition,
  ofTenant,
  {
    id: 'keys-unique',
    requirements: ['KEY-18'],
    title: 'no two API keys of a list share an id',
    needs,
    async run(session) {
      const twice = [...countIds(await allKeys(session))].find(([, count]) => count > 1);
      if (twice)
        throw violation('Two API keys of the list share an id.', 'each id once', { id: twice[0], times: twice[1] });
    },
  },
];

await registerChecks('api keys', keyChecks);
