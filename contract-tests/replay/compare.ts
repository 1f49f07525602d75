import { type Answer, isSuccess, jsonOf, sentIn } from '../values/answer.ts';
import { essenceOf, isEqual, isObject, memberOf, objectOf } from '../values/json.ts';
import { isId, type Mapping } from './mapping.ts';

/** How an answer may differ, and what each means in a sentence. */
export const KINDS = {
  status: 'another status',
  'media-type': 'another media type',
  'error-body': 'another shape of the error',
  'error-code': 'another code of the error',
  shape: 'members are missing, or of another type',
  further: 'further members',
  echo: 'does not return the value that it got',
  filter: 'holds what the filter leaves out',
  identity: 'is about another record',
  state: 'changes what nothing changed',
  access: 'says otherwise whether the caller is an administrator',
} as const;
export type Kind = keyof typeof KINDS;

export interface Difference {
  kind: Kind;
  /** The member, if it is one. */
  at: string;
  expected: unknown;
  actual: unknown;
}

/** What a client does not notice that ignores further members and the codes of errors. */
export const isMinor = ({ kind }: Difference): boolean => kind === 'further' || kind === 'error-code';

/** Both answers to one request, with the two requests. */
export interface Pair {
  recorded: Answer;
  actual: Answer;
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

type Leaf = { at: readonly string[]; name: string; value: unknown; isInList: boolean };

/** Every scalar of a JSON value; `[]` means the elements of a list. */
export function* leavesOf(value: unknown, at: readonly string[] = []): Generator<Leaf> {
  if (Array.isArray(value)) for (const [nth, each] of value.entries()) yield* leavesOf(each, [...at, String(nth)]);
  else if (isObject(value)) for (const [name, each] of Object.entries(value)) yield* leavesOf(each, [...at, name]);
  else
    yield {
      at,
      name: at.findLast((name) => !/^\d+$/.test(name)) ?? '',
      value,
      isInList: at.some((name) => /^\d+$/.test(name)),
    };
}

export const valueAt = (json: unknown, at: readonly string[]): unknown =>
  at.reduce<unknown>(
    (value, name) => (Array.isArray(value) ? value[Number(name)] : memberOf(objectOf(value), name)),
    json,
  );

/** Compares two answers: status, media type, shape, and what an answer says of its request; data is not compared. */
export function differencesOf(pair: Pair, mapping: Mapping): Difference[] {
  const { recorded, actual } = pair;
  const statuses = { expected: recorded.response.status, actual: actual.response.status };
  const isSameStatus = statuses.expected === statuses.actual;
  const found: Difference[] = isSameStatus ? [] : [{ kind: 'status', at: '', ...statuses }];
  const areOk = isSuccess(recorded) && isSuccess(actual);
  if (isSuccess(recorded) !== isSuccess(actual)) return found;
  const [there, here] = [recorded, actual].map(({ response }) => essenceOf(response.headers['content-type']));
  if (there !== here && recorded.response.body !== '' && actual.response.body !== '')
    found.push({ kind: 'media-type', at: '', expected: there, actual: here });
  const [expected, given] = [jsonOf(recorded), jsonOf(actual)];
  found.push(...shapes(expected, given, areOk ? 'shape' : 'error-body'));
  // Another refusal has another code.
  if (!areOk) return isSameStatus ? [...found, ...codes(expected, given)] : found;
  return [...found, ...echoes(pair), ...filters(pair), ...identities(pair, mapping)];
}

const typeOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** Members and their types; of lists, each element is compared with the first recorded one. Null says nothing of a type. */
function shapes(expected: unknown, actual: unknown, kind: Kind): Difference[] {
  const found = new Map<string, Difference>();
  const note = (own: Kind, at: string, a: unknown, b: unknown): void => {
    if (!found.has(at)) found.set(at, { kind: own, at, expected: typeOf(a), actual: typeOf(b) });
  };
  const look = (a: unknown, b: unknown, at: string): void => {
    if (a === null || b === null) return;
    if (typeOf(a) !== typeOf(b)) note(kind, at, a, b);
    else if (Array.isArray(a) && Array.isArray(b)) {
      const [first] = a;
      if (a.length > 0) for (const each of b) look(first, each, `${at}[]`);
    } else if (isObject(a) && isObject(b))
      for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
        if (!Object.hasOwn(a, name))
          note(kind === 'shape' ? 'further' : kind, `${at}.${name}`, undefined, memberOf(b, name));
        else if (!Object.hasOwn(b, name)) note(kind, `${at}.${name}`, memberOf(a, name), undefined);
        else look(memberOf(a, name), memberOf(b, name), `${at}.${name}`);
  };
  look(expected, actual, '');
  return [...found.values()];
}

/** Codes of errors: words without spaces. Ids, paths and times are not. */
function codes(expected: unknown, actual: unknown): Difference[] {
  return [...leavesOf(expected)].flatMap(({ at, name, value }): Difference[] => {
    const given = valueAt(actual, at);
    const isCode = [value, given].every((each) => typeof each === 'string' && /^[a-z][\w.:/-]*$/i.test(each));
    if (!isCode || value === given || /id$|trace|path|instance|time|field|method|url/i.test(name)) return [];
    return [{ kind: 'error-code', at: `.${at.join('.')}`, expected: value, actual: given }];
  });
}

/** Members that return what the client sent must do so again. */
function echoes({ recorded, actual }: Pair): Difference[] {
  const [sent, sentHere] = [objectOf(sentIn(recorded)), objectOf(sentIn(actual))];
  return [...leavesOf(jsonOf(recorded))].flatMap(({ at, name, value }): Difference[] => {
    if (value === null || !Object.hasOwn(sent, name) || !isEqual(memberOf(sent, name), value)) return [];
    const given = valueAt(jsonOf(actual), at);
    if (given === undefined || isEqual(given, memberOf(sentHere, name))) return [];
    return [{ kind: 'echo', at: `.${at.join('.')}`, expected: memberOf(sentHere, name), actual: given }];
  });
}

/** Where all recorded elements have the value that was asked for, all must have it. */
function filters({ recorded, actual }: Pair): Difference[] {
  const elementsOf = (answer: Answer) => {
    const json = jsonOf(answer);
    const list = Array.isArray(json) ? json : Object.values(objectOf(json)).find(Array.isArray);
    return (list ?? []).filter(isObject);
  };
  const here = [...new URL(actual.request.url).searchParams];
  return [...new URL(recorded.request.url).searchParams].flatMap(([name, value], at): Difference[] => {
    const wanted = here[at]?.[1];
    const isFiltered = elementsOf(recorded).every((element) => memberOf(element, name) === value);
    const other = elementsOf(actual).find(
      (element) => Object.hasOwn(element, name) && memberOf(element, name) !== wanted,
    );
    return isFiltered && other
      ? [{ kind: 'filter', at: `.${name}`, expected: wanted, actual: memberOf(other, name) }]
      : [];
  });
}

/** Known ids must be their counterparts, and so must what is said of the caller; the records of a list may be in any order. */
function identities({ recorded, actual }: Pair, mapping: Mapping): Difference[] {
  return [...leavesOf(jsonOf(recorded))].flatMap(({ at, name, value, isInList }): Difference[] => {
    const given = valueAt(jsonOf(actual), at);
    if (isInList || given === undefined || given === null) return [];
    const difference = { at: `.${at.join('.')}`, actual: given };
    if (typeof value === 'boolean' && /admin/i.test(name) && given !== value)
      return [{ kind: 'access', ...difference, expected: value }];
    const counterpart = isId(name) ? mapping.of(name, value) : undefined;
    return counterpart === undefined || counterpart === given
      ? []
      : [{ kind: 'identity', ...difference, expected: counterpart }];
  });
}

type Record = { [name: string]: unknown };

/** The record that an answer is about, as both servers have shown it last. */
export class Records {
  readonly #last = new Map<string, { recorded: Record; actual: Record }>();

  /** Members that did not change in the recording, and that nothing was sent for, must not change. */
  differences({ recorded, actual }: Pair, isAlone: boolean): Difference[] {
    // What only one of both wrote explains what differs from then on.
    if (recorded.request.method === 'PATCH' && isSuccess(recorded) !== isSuccess(actual)) this.#last.clear();
    if (!isSuccess(recorded) || !isSuccess(actual)) return [];
    const [one, other] = [recordIn(recorded), recordIn(actual)];
    if (!one || !other) return [];
    const key = JSON.stringify(one.id);
    const before = this.#last.get(key);
    this.#last.set(key, { recorded: one, actual: other });
    const sent = objectOf(sentIn(recorded));
    if (!before || !isAlone) return [];
    return Object.keys(one).flatMap((name): Difference[] => {
      const [was, is] = [memberOf(before.actual, name), memberOf(other, name)];
      const isKept = isEqual(memberOf(before.recorded, name), memberOf(one, name)) && !Object.hasOwn(sent, name);
      const isTime = [was, is].some((each) => typeof each === 'string' && TIME.test(each)) || /_at$/.test(name);
      if (!isKept || isTime || was === undefined || is === undefined || isEqual(was, is)) return [];
      return [{ kind: 'state', at: `.${name}`, expected: was, actual: is }];
    });
  }
}

function recordIn(answer: Answer): Record | undefined {
  const json = jsonOf(answer);
  const isRecord = (value: unknown): value is Record => isObject(value) && Object.hasOwn(value, 'id');
  if (answer.request.method !== 'PATCH') return undefined;
  return isRecord(json) ? json : Object.values(objectOf(json)).find(isRecord);
}

/** Learns counterparts from two successes: of ids and other scalars at the same place, but not of times and of what the client sent itself. */
export function correlate({ recorded, actual }: Pair, mapping: Mapping, isToken: (value: string) => boolean): void {
  if (!isSuccess(recorded) || !isSuccess(actual)) return;
  const sent = new Set([...leavesOf(sentIn(recorded))].map(({ value }) => value));
  const here = jsonOf(actual);
  const inLists = new Map<string, Set<unknown>>();
  for (const { at, isInList, value } of leavesOf(here)) {
    const place = placeOf(at);
    if (isInList) inLists.set(place, (inLists.get(place) ?? new Set()).add(value));
  }
  for (const { at, name, value, isInList } of leavesOf(jsonOf(recorded))) {
    const isText = typeof value === 'string';
    if (!(isText || typeof value === 'number') || sent.has(value) || mapping.of(name, value) !== undefined) continue;
    if (isText && (TIME.test(value) || isToken(value))) continue;
    const isThere = isInList && inLists.get(placeOf(at))?.has(value);
    mapping.bind(name, value, isThere ? value : valueAt(here, at));
  }
}

const placeOf = (at: readonly string[]): string => at.map((name) => (/^\d+$/.test(name) ? '[]' : name)).join('.');
