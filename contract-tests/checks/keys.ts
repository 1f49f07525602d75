import { blocked, violation } from '../failure.ts';
import { NO_TENANT } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import type { Check } from './check.ts';
import { sameValue } from './field-rules.ts';
import { type Finding, fieldJudgements, findingChecks, type Judgement } from './findings.ts';
import { allKeys, filteredLists, needs, SUBJECT } from './key-lists.ts';
import { keyFindings, listedKeys, listFindings, providerFindings } from './listed-keys.ts';
import { CHECKED_OPERATIONS } from './operations.ts';
import { assertKnownResource } from './unknown-resources.ts';

/** What is wrong with the form of the whole list, and of a filtered list of each filter. */
async function formFindings(session: Session): Promise<Finding[]> {
  const answer = await session.apiKeys.all();
  if (!isSuccess(answer)) throw blocked('keys-list', `${SUBJECT} answered ${describe(answer)}`);
  const findings = listFindings(SUBJECT, answer);
  if (findings.length > 0 || listedKeys(answer).length === 0) return findings;
  // Whether a filter is accepted at all is judged by checks of its own.
  const filtered = (await filteredLists(session)).filter((list) => isSuccess(list.answer));
  return filtered.flatMap((list) => listFindings(list.subject, list.answer));
}

/** What is wrong with the API keys of these lists. */
async function recordFindings(session: Session): Promise<Finding[]> {
  await allKeys(session);
  const all = { subject: SUBJECT, answer: await session.apiKeys.all() };
  const lists = [all, ...(await filteredLists(session)).filter((list) => isSuccess(list.answer))];
  return [
    ...lists.flatMap((list) => keyFindings(list.subject, list.answer)),
    ...providerFindings(lists.map((list) => list.answer)),
  ];
}

/** What part 2 says of each API key. */
export const KEY_JUDGEMENTS: Judgement[] = [
  ...fieldJudgements('TenantApiKey', 'keys', 'each API key'),
  { id: 'keys-no-secret', requirement: 'KEY-08', title: 'no listed API key holds its secret' },
  { id: 'keys-provider-lower-case', requirement: 'KEY-09', title: 'each provider is a lower-case identifier' },
  { id: 'keys-seven-providers', requirement: 'KEY-10', title: 'there are at most seven different providers' },
  { id: 'keys-unique', requirement: 'KEY-18', title: 'no two API keys of a list share an id', buildsOn: ['KEY-03'] },
];

/** What identifies an API key for as long as it exists. */
const LASTING = ['id', 'provider', 'name', 'created_at'];

/** Whether two tenants' lists show one and the same API key: a shared id alone is not that, since nothing says that ids are unique across tenants. */
export const isSameKey = (a: JsonObject, b: JsonObject): boolean =>
  LASTING.every((field) => sameValue(field, a[field], b[field]));

/** The lists of other tenants than the target's, or what refuses them. */
async function otherLists(session: Session): Promise<{ tenantId: string; answer: Answer }[]> {
  const named = [session.target.resources?.otherTenantId, NO_TENANT].filter((id) => id !== undefined);
  const others = session.isQuick ? named.slice(0, 1) : named;
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
    const isOwn = (key: JsonObject): boolean => own.some((one) => isSameKey(one, key));
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
    const advice = session.target.resources?.otherTenantId
      ? 'admin may list none but its own'
      : 'resources.otherTenantId can name one that actors.admin may list';
    return `Every other tenant was refused (${refusals}), so that whether a list also holds API keys of other tenants stayed open; ${advice}.`;
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
      throw notSuccessful(answer, SUBJECT, CHECKED_OPERATIONS['api-keys'].hint, await session.isProven());
    },
  },
  ...findingChecks({ needs, judge: formFindings }, [
    { id: 'keys-array', requirement: 'KEY-02', title: 'the list of API keys is a JSON array of objects' },
  ]),
  ...findingChecks({ needs, judge: recordFindings }, KEY_JUDGEMENTS),
  ofTenant,
];
