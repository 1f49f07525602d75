import { blocked, violation } from '../failure.ts';
import type { Answer } from '../target/request.ts';
import type { Session } from '../target/session.ts';
import { describe, isSuccess, jsonOf, notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { type FieldRule, KEY_FIELDS, sameValue } from './fields.ts';
import { isLowerCaseIdentifier, isObject, type JsonObject, show } from './formats.ts';
import { allKeys, allListedKeys, countIds, distinct, filteredLists, HINT, needs, SUBJECT } from './key-lists.ts';
import { registerChecks } from './register.ts';
import { secretIn } from './secret-members.ts';
import { assertKnownResource } from './unknown-resources.ts';

function fieldCheck(field: string, { requirement, expected, holds }: FieldRule): Check {
  return {
    id: `keys-${field.replaceAll('_', '-')}`,
    requirements: [requirement],
    title: `each API key has ${field}: ${expected}`,
    needs,
    async run(session) {
      for (const { key, list } of await allListedKeys(session)) {
        if (holds(key[field])) continue;
        throw violation(
          `API key ${show(key.id)} ${field in key ? `has ${field} ${show(key[field])}` : `has no ${field}`}.`,
          `${field}: ${expected}`,
          key[field],
        ).seenIn(list);
      }
    },
  };
}

/** A tenant identifier that no tenant has. */
const NO_TENANT = '00000000-0000-4000-8000-000000000000';
/** What stays the same as long as it is the same API key. */
const LASTING = ['id', 'provider', 'name', 'created_at'];

/** The lists of other tenants than the target's, or what refuses them. */
async function otherLists(session: Session): Promise<{ tenantId: string; answer: Answer }[]> {
  const others = [session.target.resources?.otherTenantId, NO_TENANT].filter((id) => id !== undefined);
  const lists: { tenantId: string; answer: Answer }[] = [];
  for (const tenantId of others) {
    const answer = await session.recorder.once(`api keys of ${tenantId}`, () => session.apiKeys.of(tenantId));
    lists.push({ tenantId, answer });
  }
  return lists;
}

const ofTenant: Check = {
  id: 'keys-of-the-tenant',
  requirements: ['KEY-17'],
  title: 'the list is that of the tenant that the path addresses',
  needs,
  async run(session) {
    const own = await allKeys(session);
    // Nothing says that identifiers are unique across tenants: a shared one alone is not yet the same API key.
    const isOwn = (key: JsonObject): boolean =>
      own.some((one) => LASTING.every((field) => sameValue(field, one[field], key[field])));
    for (const { tenantId, answer } of await otherLists(session)) {
      if (!isSuccess(answer)) continue; // refusing another tenant is as right as an own list of it
      const json = jsonOf(answer);
      const shared = Array.isArray(json) ? json.filter(isObject).filter(isOwn) : [];
      if (shared.length > 0) {
        throw violation(
          `The list of tenant ${tenantId} holds API keys of the target's tenant.`,
          'none of them',
          shared.map((key) => key.id),
        ).seenIn(answer);
      }
    }
  },
  async remark(session) {
    const others = await otherLists(session);
    if (others.some(({ answer }) => isSuccess(answer))) return undefined;
    const refusals = others.map(({ tenantId, answer }) => `${tenantId}: ${answer.response.status}`).join(', ');
    return `Every other tenant was refused (${refusals}), so that it was not seen whether a list holds API keys of other tenants, too; resources.otherTenantId can name one that actors.admin may list.`;
  },
};

export const keyChecks: Check[] = [
  {
    id: 'keys-list',
    requirements: ['KEY-01'],
    title: 'the API keys of a tenant are listed without any query parameter',
    needs,
    async run(session) {
      const answer = await session.apiKeys.all();
      if (isSuccess(answer)) return;
      await assertKnownResource('tenantId', session);
      throw notSuccessful(answer, SUBJECT, HINT, await session.isProven());
    },
  },
  {
    id: 'keys-array',
    requirements: ['KEY-02'],
    title: 'the list of API keys is a JSON array of objects',
    needs,
    async run(session) {
      const answer = await session.apiKeys.all();
      if (!isSuccess(answer)) throw blocked('keys-list', `${SUBJECT} answered ${describe(answer)}`);
      const json = jsonOf(answer);
      if (!Array.isArray(json) || !json.every(isObject)) {
        throw violation(
          `${SUBJECT} answered no array of API keys.`,
          'a JSON array of objects',
          `${describe(answer)}: ${show(answer.response.body)}`,
        ).seenIn(answer);
      }
      // Whether a filter is taken at all is for its own checks to judge: here only what form its list has.
      for (const { subject, answer: list } of json.length > 0 ? await filteredLists(session) : []) {
        const listed = jsonOf(list);
        if (!isSuccess(list) || (Array.isArray(listed) && listed.every(isObject))) continue;
        throw violation(
          `${subject} answered no array of API keys.`,
          'a JSON array of objects',
          `${describe(list)}: ${show(list.response.body)}`,
        ).seenIn(list);
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
      for (const { key, list } of await allListedKeys(session)) {
        const secret = secretIn(key);
        if (secret)
          throw violation(`API key ${show(key.id)} holds a secret in ${secret.path.join('.')}.`, 'no secret', {
            [secret.path.join('.')]: secret.shown,
          }).seenIn(list);
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
