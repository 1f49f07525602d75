import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { OPERATIONS } from '../api/operations.ts';
import { type Entry, isOk, statusOf } from '../log/entry.ts';
import { GAP_ROWS } from '../plan/gaps.ts';
import { QUESTIONS, REFUSED_SIGN_IN } from '../plan/questions.ts';
import { readSpec } from '../spec-data.ts';
import { groupBy } from '../values/group.ts';
import { asText, essenceOf, isObject, memberOf, parseJson } from '../values/json.ts';
import { answersTo } from './questions.ts';
import { isRefusedAsInvalid, type Look, one, type Read, unanswered, undetermined, unexpected } from './reader.ts';
import { type Found, learnTemplate, looksSecret, mostOf, valuesAt } from './shapes.ts';

/** A refusal, and of which kind it is: the names are those of x-error-kinds in spec/openapi.yaml. */
export interface Refusal extends Pick<Entry, 'answer' | 'date' | 'operation' | 'refresh'> {
  kind: string;
  fields: readonly string[];
}

/** The refusals that a log has of each kind: of a recording some, of a run one, and three kinds at least. */
function refusals(look: Look): Refusal[] {
  const [most, least] = look.log.isPartial ? [10, 1] : [1, 3];
  const samples: Refusal[] = [];
  for (const [question, { refusal: kind, fields = [] }] of Object.entries(QUESTIONS))
    for (const entry of kind === undefined ? [] : look.any(question, most)) {
      // Claims that are none may match no user.
      const isOther = kind === 'validation' && !isRefusedAsInvalid(entry);
      // What is read says nothing of how a media type is refused.
      const isTaken = kind === 'media-type' && typeof mediaTypeFor(look, question) === 'string';
      const isUnlike =
        kind === REFUSED_SIGN_IN &&
        !look.any('keys-as-garbage', 1).some((other) => statusOf(other) === statusOf(entry));
      if (isOther || isTaken || isUnlike || (kind === 'forbidden' && !look.isGoodMember(entry))) continue;
      if (kind && statusOf(entry) >= 400 && statusOf(entry) < 500) samples.push({ ...entry, kind, fields });
    }
  const kinds = new Set(samples.map(kindOf));
  return kinds.size >= least ? samples : undetermined(`only ${[...kinds].join(', ') || 'nothing'} was refused`);
}

function bodyOf({ answer }: Refusal): unknown {
  const { body } = answer.response;
  const json = parseJson(body);
  return typeof json === 'object' && json !== null ? json : body === '' ? undefined : body;
}

const mediaTypeOf = ({ answer }: Refusal): string => essenceOf(answer.response.headers['content-type']);

/** Whether the members of an object are named like the fields sent, so that each describes one field. */
const isKeyed = (value: unknown, { fields }: Refusal): boolean =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => fields.includes(name));

/** Whether a list is a path: a part of the request, then fields, or the place of a character. */
const isPath = (value: unknown, { fields }: Refusal): value is unknown[] =>
  Array.isArray(value) &&
  /^(body|query|path|header|cookie)$/.test(asText(value[0])) &&
  value.slice(1).every((each) => typeof each === 'number' || fields.includes(asText(each)));

/** What tells the shapes of refusals apart: without null, and lists and the like, which are only where there is something to list. */
function signatureOf(sample: Refusal): string {
  const body = bodyOf(sample);
  const members = JSON.stringify(body, (_, value: unknown) => {
    if (value === null || Array.isArray(value) || isKeyed(value, sample)) return undefined;
    return isObject(value) ? value : typeof value;
  });
  return [mediaTypeOf(sample), Array.isArray(body), members].join(' ');
}

const kindOf = ({ kind }: Refusal): string => kind;

/** The field that a text names, by itself or after its place. */
const fieldNamed = (text: string, fields: readonly string[]): string | undefined =>
  fields.find((each) => text.endsWith(each) && /(^|[/.\]])$/.test(text.slice(0, -each.length)));

const namesField = (value: unknown, fields: readonly string[]): boolean =>
  typeof value === 'string'
    ? fieldNamed(value, fields) !== undefined
    : typeof value === 'object' && value !== null && Object.values(value).some((each) => namesField(each, fields));

/** The lists in a body, and the members of their items but for those that name a field, each by its path. */
function listedIn(value: unknown, sample: Refusal, path = ''): string[] {
  if (isKeyed(value, sample)) return [`${path}[]`];
  if (Array.isArray(value) && value.length > 0 && !isPath(value, sample))
    return [`${path}[]`, ...value.flatMap((item) => listedIn(item, sample, `${path}[]`))];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inside]) => {
    const own = `${path}.${name}`;
    if (!path.includes('[]')) return listedIn(inside, sample, own);
    return inside === null || namesField(inside, sample.fields) ? [] : [own, ...listedIn(inside, sample, own)];
  });
}

/**
 * Refusals of one signature, apart by kind where their lists hold different members, such as a position in the body. Only an
 * invalid request has fields to list: what another kind lists is always there.
 */
function byLists(samples: readonly Refusal[]): (readonly Refusal[])[] {
  const kinds = [...groupBy(samples, kindOf)].map(([kind, own]) => {
    const listed = [...new Set(own.flatMap((each) => listedIn(bodyOf(each), each)))].toSorted();
    return { kind, listed };
  });
  const groups = [...groupBy(kinds, ({ kind, listed }) => (kind === 'validation' ? kind : listed.join(' '))).values()];
  const invalid = groups.find(([first]) => first?.kind === 'validation');
  const listed = invalid?.[0]?.listed ?? [];
  const others = groups.filter((group) => group !== invalid);
  const isLike = (theirs: readonly string[], isExact: boolean): boolean => {
    const lists = isExact ? [] : listed.filter((path) => path.endsWith('[]') && !theirs.includes(path));
    const own = listed.filter((path) => !lists.some((list) => path.startsWith(list)));
    return isDeepStrictEqual(own, theirs);
  };
  const find = (isExact: boolean) => others.find(([first]) => first && isLike(first.listed, isExact));
  const home = invalid && (find(true) ?? find(false));
  const joined = home ? others.map((group) => (group === home ? [...home, ...invalid] : group)) : groups;
  return joined.map((group) => samples.filter((sample) => group.some(({ kind }) => kind === sample.kind)));
}

const operationOf = ({ operation, refresh }: Refusal): string =>
  operation ? OPERATIONS[operation].id : refresh ? 'refreshAccessToken' : '';

/** Where a case of error bodies applies that is read from refusals of these kinds. */
function whereOf(kinds: readonly string[]) {
  const named = kinds.filter((kind) => kind !== REFUSED_SIGN_IN);
  const isApart = named.length < kinds.length && !named.includes(INVALID);
  return [...(isApart ? [SIGN_INS] : []), ...(named.length > 0 ? [{ for: named }] : [])];
}
const INVALID = 'invalid-credentials';
const SIGN_INS = { for: [INVALID], at: ['ssoLogin', 'login', 'refreshAccessToken'] };
const isWhere = (name: string): boolean => name === 'for' || name === 'at';

/** The shapes of refusals: one for each kind, or for each operation where only that tells them apart, as services do. */
function shapesOf(samples: readonly Refusal[]) {
  // Those that have the shape of most of the same kind, or operation.
  const usual = (keyOf: typeof kindOf) =>
    [...groupBy(samples, keyOf).values()].flatMap((own) => mostOf(own, signatureOf));
  const isByOperation = usual(kindOf).length < samples.length && usual(operationOf).length === samples.length;
  const keyOf = isByOperation ? operationOf : kindOf;
  const alike = [...groupBy(usual(keyOf), signatureOf).values()];
  const groups = (isByOperation ? alike : alike.flatMap(byLists)).map((own) => {
    const keys = [...new Set(own.map(keyOf))];
    const at = keys.filter((key) => key !== '');
    const nowhere = at.length < keys.length ? [{ for: ['unknown-path'] }] : [];
    const where = isByOperation ? [...nowhere, ...(at.length > 0 ? [{ at }] : [])] : whereOf(keys);
    return { keys, where, samples: own, shape: shapeOf(own) };
  });
  return groups.toSorted((a, b) => b.keys.length - a.keys.length);
}

function shapeOf(samples: readonly Refusal[]): { template: unknown; mediaType?: string } {
  if (samples.every((sample) => bodyOf(sample) === undefined)) return { template: null };
  const [mediaType = ''] = samples.map(mediaTypeOf);
  const kinds = new Set(samples.map(kindOf)).size;
  const { template } = learnTemplate(samples, bodyOf, (found) => meaningsOf(found, kinds));
  return { template, ...(mediaType !== '' && mediaType !== 'application/json' && { mediaType }) };
}

/** A learned shape of error bodies: that of most, and those of others as its cases. */
export function learnErrors(samples: readonly Refusal[]): { template: unknown } {
  const [most, ...others] = shapesOf(samples);
  const isBearerApart = others.some(({ keys }) => keys.includes(INVALID));
  const apart = most && isBearerApart && most.keys.includes(REFUSED_SIGN_IN) ? [{ ...SIGN_INS, ...most.shape }] : [];
  const cases = [...apart, ...others.flatMap(({ where, shape }) => where.map((each) => ({ ...each, ...shape })))];
  // The case of fewer refusals comes first.
  cases.sort((a, b) => Object.keys(b).filter(isWhere).length - Object.keys(a).filter(isWhere).length);
  return { template: null, ...most?.shape, ...(cases.length > 0 && { cases }) };
}

/** The best first; `kinds` have one shape. */
function meaningsOf(found: Found<Refusal>, kinds: number): unknown[] {
  const { value, sample, inList } = found;
  const { request, response } = sample.answer;
  // Another number varies in a way that no placeholder covers: its type is kept.
  if (typeof value === 'number') return value === response.status ? ['${status}', value] : [value, '${status}'];
  if (typeof value === 'boolean') return [value, false];
  if (value === null) return [null];
  if (isPath(value, sample)) return [value.map((text) => (sample.fields.includes(asText(text)) ? '${field}' : text))];
  if (isKeyed(value, sample))
    return [{ '${field}': Object.values(value as object).every(Array.isArray) ? ['${detail}'] : '${detail}' }];
  // A list may repeat the request's body: its members are not those of the refusal.
  if (inList && isObject(value) && isDeepStrictEqual(value, parseJson(request.body ?? ''))) return [{}];
  if (typeof value !== 'string') return [];
  return textMeanings(value, found, kinds).flatMap(([meaning, is]) => (is ? [meaning] : []));
}

const IDENTIFIER = /^[A-Za-z](?:[A-Za-z0-9_.:/-]{0,78}[A-Za-z0-9])?\/?$/;

/** What a text may be, and whether it is: by the request, by its look, and by the name of its member. */
function textMeanings(text: string, { name, inList, sample }: Found<Refusal>, kinds: number) {
  const { answer, date, fields } = sample;
  const { request, response } = answer;
  const { pathname, search } = new URL(request.url);
  const field = fieldNamed(text, fields);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && Math.abs(Date.parse(text) - date) < 300_000;
  const isOpaque = !text.includes(' ') && (looksSecret(text) || /^[0-9a-f-]{16,}$/i.test(text));
  const isId = isOpaque || /^(?:request|trace|correlation)|id$/i.test(name);
  const isWord = !isId && IDENTIFIER.test(text);
  // What one kind of refusal lists has its own codes, such as those of a validator's issues.
  const isCode = isWord && (/code|type|error|reason/i.test(name) || text.includes('_')) && (!inList || kinds > 1);
  const isTitle = !isId && !inList && !text.endsWith('.') && text.split(' ').length <= 6;
  return [
    [`${text.slice(0, -(field?.length ?? 0))}\${field}`, inList && field !== undefined],
    ['${statusText}', text === String(response.status)],
    ['${title}', text === STATUS_CODES[response.status]],
    ['${method}', text === request.method],
    ['${path}', text === pathname || text === pathname + search],
    ['${time}', isTime],
    ['${id}', isId],
    ['${code}', isCode && kinds === 1],
    [text, isWord],
    ['${code}', isCode && kinds > 1],
    ['${summary}', isTitle && /^(title|summary|error|reason)$/i.test(name)],
    [inList ? '${detail}' : '${message}', true],
  ] as const;
}

const STYLES: Readonly<Record<string, (code: string) => string>> = {
  snake: (code) => code.toLowerCase(),
  'upper-snake': (code) => code.toUpperCase(),
};

/** What may be refused as invalid: a target that does so with another status has no single answer. */
function invalidQuestions(): string[] {
  const shows = Object.fromEntries(Object.values(GAP_ROWS).flatMap((row) => Object.entries(row.shows ?? {})));
  const isInvalid = (question: string) => memberOf(shows, question)?.some(([kind]) => kind === 'invalid');
  return Object.keys(QUESTIONS).filter(
    (each) => memberOf(QUESTIONS, each)?.refusal === 'validation' || isInvalid(each),
  );
}

/** The status of most of some refusals: one request may meet a separate check. */
function invalidStatus(look: Look, refused: readonly Entry[]): number | undefined {
  const [usual, ...same] = mostOf(refused, statusOf);
  const apart = refused.filter((entry) => usual && statusOf(entry) !== statusOf(usual));
  const [other] = apart;
  if (!usual || !other) return usual && statusOf(usual);
  look.by.add(other);
  if (same.length < 2 * apart.length)
    undetermined(`invalid requests are refused with ${[...new Set(refused.map(statusOf))].toSorted().join(' and ')}`);
  look.remark = `${other.answer.request.method} ${other.path} was refused with ${statusOf(other)}`;
  return statusOf(usual);
}

const FORMS: Readonly<Record<string, string>> = { 'text/html': 'page', 'text/plain': 'text' };

/** What an error becomes for another client than the usual one (gap error-accept). */
function formOf(entry: Entry, usual: Entry): string {
  if (statusOf(entry) < 400 && statusOf(usual) >= 400) return 'redirect';
  const [own, other] = [usual, entry].map(({ answer }) => essenceOf(answer.response.headers['content-type']));
  return own === other ? 'same' : (memberOf(FORMS, other ?? '') ?? unexpected(entry));
}

/** Bodies that are sent as text: the same as JSON, where that is refused, and what has no body at all. */
const AS_TEXT: Readonly<Record<string, { id: string; json?: string; none: string }>> = {
  'sso-as-text': { id: 'ssoLogin', none: 'sso-no-body' },
  'login-as-text': { id: 'login', none: 'login-no-body' },
  'update-as-text': { id: 'updateRecording', json: 'update-text', none: 'update-no-body' },
};

/** The same status and body, but for what is of one answer alone. */
function isAlike(one: Entry, other: Entry): boolean {
  const [left, right] = [one, other].map(({ answer }) =>
    answer.response.body.replaceAll(/\d{4}-\d\d-\d\dT[\d:.Z+-]+|[0-9a-f-]{16,}/gi, ''),
  );
  return statusOf(one) === statusOf(other) && left !== '' && left === right;
}

/** What becomes of a body of another media type; undefined where that is not known. */
function mediaTypeFor(look: Look, question: string): number | 'accept' | 'no-body' | undefined {
  const entry = look.maybe(question);
  const { json, none = '' } = memberOf(AS_TEXT, question) ?? {};
  if (!entry) return undefined;
  // As JSON, the update is refused.
  if (isOk(entry)) return json === undefined ? 'accept' : 'no-body';
  const isLike = (other: string): boolean => look.any(other, 1).some((each) => isAlike(each, entry));
  const status = statusOf(entry);
  if (status !== 415 && json !== undefined && isLike(json)) return 'accept';
  const invalid = ['sso-wrong-claims', 'update-text'].flatMap((each) => look.any(each, 1)).map(statusOf);
  // A missing body may be refused for its media type.
  const namesType = /media|content.?type|application\/json/i.test(entry.answer.response.body);
  if (status !== 415 && invalid.includes(status) && !namesType && isLike(none)) return 'no-body';
  return [415, 400, 422].includes(status) ? status : undefined;
}

/** Refusals (7): each kind of them has its status, and its shape. */
export const errors: Readonly<Record<string, Read>> = {
  'error-body': (look) => learnErrors(refusals(look)),
  // How codes are written: the style of the words of the answer `snake`, else each by itself.
  'error-codes': (look) => {
    const { 'x-error-kinds': kinds } = readSpec('openapi') as { 'x-error-kinds': Record<string, { code?: string }> };
    const codes = new Map<string, { code: string; snake: string; operation: string }>();
    const found = shapesOf(refusals(look)).flatMap(({ samples, shape }) =>
      samples.map((sample) => ({ sample, shape, isSignIn: sample.kind === REFUSED_SIGN_IN })),
    );
    // Sign-ins may have codes that other refused credentials do not have.
    for (const { sample, shape, isSignIn } of found.toSorted((a, b) => Number(a.isSignIn) - Number(b.isSignIn))) {
      const [code] = valuesAt('${code}', shape.template, bodyOf(sample));
      if (typeof code !== 'string') continue;
      const title = STATUS_CODES[statusOf(sample)] ?? 'error';
      const kind = isSignIn ? INVALID : sample.kind;
      const snake = memberOf(kinds, kind)?.code ?? title.toLowerCase().replaceAll(/[^a-z]+/g, '_');
      const operation = operationOf(sample);
      const usual = codes.get(kind);
      const name = usual ? `${kind} at ${operation}` : kind;
      const isKnown = usual && (usual.code === code || usual.operation === operation || codes.has(name));
      if (!isKnown) codes.set(name, { code, snake, operation });
    }
    const all = [...codes.values()];
    if (all.length === 0) return undetermined('refusals carry no code');
    const style = Object.keys(STYLES).find((each) =>
      all.every(({ code, snake }) => memberOf(STYLES, each)?.(snake) === code),
    );
    look.fits = (other) => all.every(({ code }) => memberOf(STYLES, asText(other))?.(code) === code);
    return style ?? Object.fromEntries([...codes].map(([kind, { code }]) => [kind, code] as const).toSorted());
  },
  'error-precedence': (look) => {
    const missing = statusOf(look.take('keys-as-nobody'));
    // These are sent without credentials, too.
    const seen = ['keys-no-provider', 'update-text'].flatMap((question) => {
      const invalid = look.maybe(question);
      // Only what is refused with good credentials, too.
      if (!invalid || !isRefusedAsInvalid(invalid) || statusOf(invalid) === missing) return [];
      const both = look.maybe(`${question}-as-nobody`);
      const known = { [missing]: 'credentials', [statusOf(invalid)]: 'validation' };
      return both ? (known[statusOf(both)] ?? unexpected(both)) : [];
    });
    return one('both', seen) ?? undetermined('nothing that may be sent is refused as invalid with its own status');
  },
  'error-accept': (look) => {
    const usual = look.take('keys-as-garbage');
    const formTo = (accepted: 'any' | 'none') => {
      const refused = look.any(`keys-as-garbage-${accepted}`);
      return one(
        'a client that does not name JSON is refused',
        refused.map((entry) => formOf(entry, usual)),
      );
    };
    const [any, none] = [formTo('any'), formTo('none')];
    if (any === undefined && none === undefined) unanswered('keys-as-garbage-any');
    // A recording is mostly of one kind of clients.
    return { any: any ?? 'same', none: none ?? 'same' };
  },
  'validation-status': (look) => {
    const asked = ['sso-wrong-claims', 'update-text', 'keys-no-provider'].flatMap(
      (question) => look.maybe(question) ?? [],
    );
    // Once for each question: how often one was asked says nothing.
    const all = invalidQuestions().flatMap((question) => answersTo(look.log, question).find(isRefusedAsInvalid) ?? []);
    // Claims of a wrong type may match no user.
    if (all.length === 0) return asked[0] ? statusOf(asked[0]) : undetermined('nothing was refused');
    const [query, body] = [true, false].map((isQuery) =>
      invalidStatus(
        look,
        all.filter(({ answer }) => (answer.request.method === 'GET') === isQuery),
      ),
    );
    return query === undefined || body === undefined || query === body ? (body ?? query) : { body, query };
  },
  'method-status': (look) => {
    const seen = new Map([['ssoLogin', statusOf(look.take('sso-get'))]]);
    for (const operation of ['login', 'pat', 'recording'] as const) {
      const status = look.maybe(`${operation}-get`)?.answer.response.status;
      if (status === 405 || status === 404) seen.set(OPERATIONS[operation].id, status);
    }
    look.fits = (other) =>
      [...seen].every(([id, status]) => status === (isObject(other) ? (memberOf(other, id) ?? 405) : other));
    const [status, ...others] = new Set(seen.values());
    return others.length > 0 ? Object.fromEntries(seen) : status;
  },
  'media-type-status': (look) => {
    const seen = Object.entries(AS_TEXT).flatMap(([question, { id, none }]) => {
      const answer = mediaTypeFor(look, question);
      return answer === undefined ? [] : [{ id, answer, isOpen: look.any(none, 1).length === 0 }];
    });
    // What has no body at all was not sent everywhere, and login not by every run.
    look.fits = (other) =>
      seen.every(({ id, answer, isOpen }) => {
        const assumed = isObject(other) ? (memberOf(other, id) ?? 415) : other;
        return assumed === answer || (isOpen && assumed === 'no-body' && answer !== 'accept' && answer !== 415);
      });
    const [status, ...others] = new Set(seen.map(({ answer }) => answer));
    return others.length > 0
      ? Object.fromEntries(seen.map(({ id, answer }) => [id, answer]))
      : (status ?? undetermined('nothing was refused'));
  },
};
