import { blocked, untested, violation } from '../failure.ts';
import { OPERATIONS } from '../session/operations.ts';
import type { Session } from '../session/session.ts';
import { type Answer, describe, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject } from '../wire/json.ts';
import { notSuccessful } from './answers.ts';
import { distinct, listedKeys, listFindings } from './listed-keys.ts';

export const { name: SUBJECT, needs } = OPERATIONS['api-keys'];

/** The API keys that a list answered; blocked unless it is one as a whole, by the check that judges this one's form. */
export function keysOf(answer: Answer, by = 'keys-array'): JsonObject[] {
  const json = jsonOf(answer);
  if (!isSuccess(answer)) throw blocked('keys-list', `${SUBJECT} answered ${describe(answer)}`);
  if (!Array.isArray(json) || !json.every(isObject)) throw blocked(by, `${SUBJECT} did not answer an array of objects`);
  return json;
}

export const NO_KEYS = 'the tenant has no API keys; name one that has in resources.tenantId';

export async function allKeys(session: Session): Promise<JsonObject[]> {
  const keys = keysOf(await session.apiKeys.all());
  if (keys.length === 0) throw untested(NO_KEYS);
  return keys;
}

export const subjectOf = (query: Record<string, string>): string => `${SUBJECT}?${new URLSearchParams(query)}`;

/** What a filtered list of the target's tenant answered; requested once a run, unless the run knows it already. */
export function filteredAnswer(
  session: Session,
  query: Record<string, string>,
  known?: () => Promise<Answer | undefined>,
): Promise<Answer> {
  return session.recorder.once(
    `api keys ${new URLSearchParams(query)}`,
    async () => (await known?.()) ?? session.apiKeys.of(session.resource('tenantId'), query),
  );
}

/** The API keys that a filter lists; a violation where it lists none in the documented way. */
export async function filtered(session: Session, query: Record<string, string>): Promise<JsonObject[]> {
  const answer = await filteredAnswer(session, query);
  const subject = subjectOf(query);
  if (!isSuccess(answer)) throw notSuccessful(answer, subject, 'The value is one that the list itself shows.', true);
  const [form] = listFindings(subject, answer);
  if (form) throw violation(form.message, form.expected, form.actual).seenIn(answer);
  return listedKeys(answer);
}

/** The value of a filter that the fewest API keys have: short lists are where implementations differ. */
function rarest(keys: JsonObject[], field: 'provider' | 'status'): string | undefined {
  const count = (value: string): number => keys.filter((key) => key[field] === value).length;
  return distinct(keys, field).toSorted((a, b) => count(a) - count(b))[0];
}

/** A filtered list of each filter. Part 2 describes each API key that is listed, and 4.3 the list, whatever the query. */
export async function filteredLists(session: Session): Promise<{ subject: string; answer: Answer }[]> {
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
