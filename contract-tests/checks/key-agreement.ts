import { fieldsOf } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { type Answer, isSuccess, jsonOf } from '../wire/exchange.ts';
import { isObject, type JsonObject, show } from '../wire/json.ts';
import { relativeTo } from '../wire/url.ts';
import { holdsField, sameValue } from './field-rules.ts';
import type { Finding } from './findings.ts';

/** An API key that two lists of one caller show otherwise. */
interface Discrepancy {
  id: unknown;
  field: string;
  lists: readonly [Answer, Answer];
}

/** The fields that belong to a key and not to the list that shows it; those that never change come first. */
export const KEY_FIELDS = ['created_at', 'provider', 'name', 'status'];

/** The keys of a list by id, without those that it lists twice. */
export function byId(list: Answer): Map<unknown, JsonObject> {
  const json = jsonOf(list);
  const keys = Array.isArray(json) ? json.filter(isObject) : [];
  const count = (id: unknown): number => keys.filter((key) => key.id === id).length;
  return new Map(keys.filter(({ id }) => typeof id === 'string' && count(id) === 1).map((key) => [key.id, key]));
}

/** Where lists that one caller got of one tenant disagree about a key, each with the list that showed it first. */
function discrepancies(lists: readonly Answer[]): Discrepancy[] {
  const found: Discrepancy[] = [];
  const first = new Map<string, { list: Answer; key: JsonObject }>();
  for (const list of lists) {
    const source = `${list.request.headers.Authorization} ${list.request.url.split('?')[0]}`;
    for (const [id, key] of byId(list)) {
      const before = first.get(`${source} ${id}`);
      if (!before) first.set(`${source} ${id}`, { list, key });
      else
        for (const field of KEY_FIELDS)
          if (differs(field, before.key, key)) found.push({ id, field, lists: [before.list, list] });
    }
  }
  return found;
}

/** Whether two lists show a field of one API key otherwise, both as the document describes it. */
export function differs(field: string, a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  const holds = (key: JsonObject): boolean => holdsField('TenantApiKey', field, key[field]);
  if (!a || !b || !holds(a) || !holds(b)) return false; // judged by the check of every record
  return !sameValue(field, a[field], b[field]);
}

/** Sends the request of a list once more. */
function ask({ request }: Answer, session: Session): Promise<Answer> {
  const { Authorization } = request.headers;
  return session.send({
    method: 'GET',
    path: relativeTo(session.target.baseUrl, request.url),
    headers: Authorization === undefined ? {} : { Authorization },
  });
}

/** Nobody recreates a key under its former id this often in one run. */
const TOO_MANY_TIMES = 3;

/** The lists in which the key differs from all lists before. */
function disagreeing({ id, field, lists: [first] }: Discrepancy, all: readonly Discrepancy[]): Answer[] {
  const later = all.filter((each) => each.id === id && each.lists[0] === first).map(({ lists }) => lists[1]);
  return [first, ...later].filter((list, at, shown) =>
    shown.slice(0, at).every((earlier) => differs(field, byId(earlier).get(id), byId(list).get(id))),
  );
}

/** Requests both lists again; returns those that still disagree without the key having changed. */
async function confirmed({ id, field, lists }: Discrepancy, session: Session): Promise<Answer[] | undefined> {
  const again = [await ask(lists[0], session), await ask(lists[1], session), await ask(lists[0], session)];
  const [before, between, after] = again.map((list) => (isSuccess(list) ? byId(list).get(id) : undefined));
  if (!differs(field, before, between) || !differs(field, between, after)) return undefined;
  // When it was made is no matter of time; all else may just be changing.
  return field !== 'created_at' && differs(field, before, after) ? undefined : again.slice(0, 2);
}

/**
 * The API keys that the same caller got with different values (part 2 describes one record of a key, not one for each
 * list). Somebody else may rename a key during the run, so both lists are requested again, one between two of the other:
 * what differs only in between was not changed by anybody.
 */
export async function keyDisagreements(lists: readonly Answer[], session: Session): Promise<Finding[]> {
  const all = discrepancies(lists);
  const findings: Finding[] = [];
  for (const field of KEY_FIELDS) {
    const own = all.filter((each) => each.field === field);
    // Between two filters more can differ than between two answers to the same request.
    const suspect = own.find(({ lists: [a, b] }) => a.request.url !== b.request.url) ?? own[0];
    if (!suspect) continue;
    const shown = disagreeing(suspect, own);
    const answers =
      field === 'created_at' && shown.length >= TOO_MANY_TIMES ? shown.slice(0, 2) : await confirmed(suspect, session);
    if (!answers) continue;
    const [one, other] = answers.map((list) => byId(list).get(suspect.id)?.[field]);
    findings.push({
      requirement: fieldsOf('TenantApiKey')[field]?.requirement ?? '',
      message: `API key ${show(suspect.id)} has another ${field} in each of two lists that the same caller got.`,
      expected: { [field]: one },
      actual: { [field]: other },
      answers,
    });
  }
  return findings;
}
