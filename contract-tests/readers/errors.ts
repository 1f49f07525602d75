import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { OperationId } from '../api/operations.ts';
import { type Entry, statusOf } from '../log/entry.ts';
import { readSpec } from '../spec-data.ts';
import { groupBy } from '../values/group.ts';
import { isObject, parseJson } from '../values/json.ts';
import { isGoodMember } from './keys.ts';
import { questions } from './questions.ts';
import { isRefusedAsInvalid, type Look, type Read, undetermined } from './reader.ts';
import { learnTemplate, looksSecret, mostOf, type Place, valuesAt } from './shapes.ts';

/** A refusal, and of which kind it is: the names are those of x-error-kinds in spec/openapi.yaml. */
export interface Refusal {
  kind: string;
  entry: Pick<Entry, 'answer' | 'date' | 'operation'>;
  /** The names of the fields sent, since a refusal may name them. */
  fields: readonly string[];
}

/** The operations as `spec/openapi.yaml` names them. */
const OPERATION_IDS: Readonly<Record<OperationId, string>> = {
  sso: 'ssoLogin',
  recording: 'updateRecording',
  'api-keys': 'listTenantApiKeys',
  scopes: 'listTokenScopes',
  login: 'login',
  pat: 'createApiToken',
};

/** Refusals of a kind in a recording that are looked at, and kinds that a run must have met. */
const SAMPLES = 10;
const KINDS = 3;

/** Refusals of each kind that this target can be brought to. */
function refusals(look: Look): Refusal[] {
  const { isPartial } = look.log;
  const samples = Object.entries(questions()).flatMap(([question, { refusal: kind, fields = [] }]): Refusal[] => {
    if (kind === undefined) return [];
    return look.any(question, isPartial ? SAMPLES : 1).flatMap((entry) => {
      const isRefused = statusOf(entry) >= 400 && statusOf(entry) < 500;
      // No claims may identify no user.
      const isOther =
        (question === 'sso-no-claims' && !isRefusedAsInvalid(entry)) ||
        (kind === 'forbidden' && !isGoodMember(look, entry));
      return !isRefused || isOther ? [] : [{ kind, entry, fields }];
    });
  });
  const kinds = new Set(samples.map(({ kind }) => kind));
  if (kinds.size >= (isPartial ? 1 : KINDS)) return samples;
  return undetermined(`only ${[...kinds].join(', ') || 'nothing'} was refused`);
}

/** The body of a refusal: JSON, else its text; undefined where there is none. */
function bodyOf({
  entry: {
    answer: { response },
  },
}: Refusal): unknown {
  if (response.body === '') return undefined;
  const json = parseJson(response.body);
  return isObject(json) || Array.isArray(json) ? json : response.body;
}

/** The media type of a refusal, without its parameters. */
const mediaTypeOf = ({
  entry: {
    answer: { response },
  },
}: Refusal): string => response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';

/** Whether the members of an object are named like the fields sent, so that each describes one field. */
const isKeyed = (value: unknown, { fields }: Refusal): boolean =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => fields.includes(name));

/** Whether a list is a path: a part of the request, then fields, or the place of a character. */
const isPath = (value: unknown, { fields }: Refusal): value is unknown[] =>
  Array.isArray(value) &&
  /^(body|query|path|header|cookie)$/.test(String(value[0])) &&
  value.slice(1).every((each) => typeof each === 'number' || fields.includes(String(each)));

/** The types of the first path in a body; empty where it has none. */
function pathTypesIn(body: unknown, sample: Refusal): string {
  if (isPath(body, sample)) return body.map((each) => typeof each).join();
  const inside: unknown[] = typeof body === 'object' && body !== null ? Object.values(body) : [];
  return inside.map((value) => pathTypesIn(value, sample)).find((types) => types !== '') ?? '';
}

/** What tells the shapes of refusals apart: without null, and lists and the like, which are only where there is something to list. */
function signatureOf(sample: Refusal): string {
  const body = bodyOf(sample);
  const members = JSON.stringify(body, (_, value: unknown) => {
    if (value === null || Array.isArray(value) || isKeyed(value, sample)) return undefined;
    return isObject(value) ? value : typeof value;
  });
  return [mediaTypeOf(sample), Array.isArray(body), members, pathTypesIn(body, sample)].join(' ');
}

/** Refusals by the shape that most of those with the same key have, the shape of most keys first. */
function groupsBy(keyOf: (sample: Refusal) => string, samples: readonly Refusal[]) {
  const homes = new Map(
    [...groupBy(samples, keyOf)].map(([key, own]) => [key, mostOf(own.map(signatureOf), (each) => each)[0]]),
  );
  const atHome = samples.filter((sample) => homes.get(keyOf(sample)) === signatureOf(sample));
  const groups = [...groupBy(atHome, signatureOf).values()].map((own) => ({
    keys: [...new Set(own.map(keyOf))],
    samples: own,
  }));
  return {
    groups: groups.toSorted((a, b) => b.keys.length - a.keys.length),
    isWhole: atHome.length === samples.length,
  };
}

/** Refusals of one shape, with its template. */
interface Group {
  /** For which kinds, or at which operations, it is. */
  where: { for?: string[]; at?: string[] }[];
  samples: readonly Refusal[];
  shape: { template: unknown; mediaType?: string };
}

/** The shapes of refusals: one for each kind, or for each operation where only that tells them apart, as services do. */
function shapesOf(samples: readonly Refusal[]): Group[] {
  const [byKind, byOperation] = [
    groupsBy(({ kind }) => kind, samples),
    groupsBy(({ entry: { operation } }) => (operation ? OPERATION_IDS[operation] : ''), samples),
  ];
  const isByKind = byKind.isWhole || !byOperation.isWhole;
  return (isByKind ? byKind : byOperation).groups.map(({ keys, samples: own }) => {
    const at = keys.filter((key) => key !== '');
    const nowhere = keys.includes('') ? [{ for: ['unknown-path'] }] : [];
    return {
      where: isByKind ? [{ for: keys }] : [...nowhere, ...(at.length > 0 ? [{ at }] : [])],
      samples: own,
      shape: shapeOf(own),
    };
  });
}

function shapeOf(samples: readonly Refusal[]): Group['shape'] {
  const bodies = samples.map(bodyOf);
  if (bodies.every((body) => body === undefined)) return { template: null };
  const mediaType = samples.map(mediaTypeOf)[0] ?? '';
  const kinds = new Set(samples.map(({ kind }) => kind)).size;
  const { template } = learnTemplate(bodies, (value, place, at) =>
    meaningsOf(value, place, samples[at] as Refusal, kinds),
  );
  return { template, ...(mediaType !== '' && mediaType !== 'application/json' && { mediaType }) };
}

/** A learned shape of error bodies, as a profile writes it out: that of most, and those of others as its cases. */
export function learnErrors(samples: readonly Refusal[]): { template: unknown } {
  const [most, ...others] = shapesOf(samples);
  if (!most) return { template: null };
  const cases = others.flatMap(({ where, shape }) => where.map((each) => ({ ...each, ...shape })));
  return { ...most.shape, ...(cases.length > 0 && { cases }) };
}

/** What a value of a refusal may be, the best first; `kinds` have one shape. */
function meaningsOf(value: unknown, place: Place, sample: Refusal, kinds: number): unknown[] {
  const { status } = sample.entry.answer.response;
  const ofField = (text: unknown) => (sample.fields.includes(String(text)) ? '${field}' : text);
  // Another number varies in a way that no placeholder covers: its type is kept.
  if (typeof value === 'number') return value === status ? ['${status}', value] : [value, '${status}'];
  if (typeof value === 'boolean') return [...new Set([value, false])];
  if (value === null) return [null];
  if (isPath(value, sample)) return [value.map(ofField)];
  if (isKeyed(value, sample))
    return [{ '${field}': Object.values(value as object).every(Array.isArray) ? ['${detail}'] : '${detail}' }];
  // A list may repeat the request's body: its members are not those of the refusal.
  if (place.inList && isObject(value) && isDeepStrictEqual(value, parseJson(sample.entry.answer.request.body ?? '')))
    return [{}];
  if (typeof value !== 'string') return [];
  const known = Object.keys(TEXTS).filter((placeholder) => TEXTS[placeholder]?.(value, sample.entry, place));
  const words = known.includes('${id}') ? [] : wordsIn(value, place, kinds);
  return [...fieldIn(value, place, sample), ...known, ...words, place.inList ? '${detail}' : '${message}'];
}

/** What a text is that follows from the request, from its status, or from the name of its member. */
const TEXTS: Readonly<Record<string, (text: string, entry: Refusal['entry'], place: Place) => boolean>> = {
  '${statusText}': (text, { answer }) => text === String(answer.response.status),
  '${title}': (text, { answer }) => text === STATUS_CODES[answer.response.status],
  '${method}': (text, { answer }) => text === answer.request.method,
  '${path}': (text, { answer }) => {
    const { pathname, search } = new URL(answer.request.url);
    return text === pathname || text === pathname + search;
  },
  '${time}': (text, { date }) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && Math.abs(Date.parse(text) - date) < 300_000,
  '${id}': (text, _, { name }) =>
    looksSecret(text) || /^[0-9a-f-]{16,}$/i.test(text) || /^(?:request|trace|correlation)|id$/i.test(name),
};

const IDENTIFIER = /^[A-Za-z](?:[A-Za-z0-9_.:/-]{0,78}[A-Za-z0-9])?\/?$/;

/** A title, a code or a word, by its look and by the name of its member. */
function wordsIn(text: string, { name, inList }: Place, kinds: number): string[] {
  const isTitle = !inList && !text.endsWith('.') && text.split(' ').length <= 6;
  const summary = isTitle && /^(title|summary|error|reason)$/i.test(name) ? ['${summary}'] : [];
  if (!IDENTIFIER.test(text)) return summary;
  // What one kind of refusal lists has its own codes, such as those of a validator's issues.
  const isCode = (/code|type|error|reason/i.test(name) || text.includes('_')) && (!inList || kinds > 1);
  if (!isCode) return [text, ...summary];
  return [...(kinds > 1 ? [text, '${code}'] : ['${code}', text]), ...summary];
}

/** A field that was sent, as a text in a list names it: by itself, or after its place. */
function fieldIn(text: string, { inList }: Place, { fields }: Refusal): string[] {
  const field = fields.find(
    (one) => text === one || (/[/.\]]$/.test(text.slice(0, -one.length)) && text.endsWith(one)),
  );
  return field === undefined || !inList ? [] : [`${text.slice(0, text.length - field.length)}\${field}`];
}

/** The code that the answer `snake` has for a kind. */
function snakeCode({ kind, entry: { answer } }: Refusal): string {
  const { 'x-error-kinds': kinds } = readSpec('openapi') as { 'x-error-kinds': Record<string, { code?: string }> };
  return (
    kinds[kind]?.code ?? (STATUS_CODES[answer.response.status] ?? 'error').toLowerCase().replaceAll(/[^a-z]+/g, '_')
  );
}

const STYLES: Readonly<Record<string, RegExp>> = {
  snake: /^[a-z]+(?:_[a-z]+)*$/,
  'upper-snake': /^[A-Z]+(?:_[A-Z]+)*$/,
};

/** The bodies of refusals (7): each kind of them has its shape. */
export const errors: Readonly<Record<string, Read>> = {
  'error-body': (look) => learnErrors(refusals(look)),
  // How codes are written: the style of the same words, else each by itself.
  'error-codes': (look) => {
    const found = shapesOf(refusals(look)).flatMap(({ samples, shape }) =>
      samples.flatMap((sample) => {
        const [code] = valuesAt('${code}', shape.template, bodyOf(sample));
        return typeof code === 'string' ? [{ kind: sample.kind, code, snake: snakeCode(sample) }] : [];
      }),
    );
    // The first of each kind.
    const all = [...new Map(found.toReversed().map((each) => [each.kind, each])).values()];
    if (all.length === 0) return undetermined('refusals carry no code');
    if (all.every(({ code, snake }) => code === snake)) return 'snake';
    if (all.every(({ code, snake }) => code === snake.toUpperCase())) return 'upper-snake';
    const own = Object.fromEntries(all.map(({ kind, code }) => [kind, code]).toSorted());
    look.fits = (style) => all.every(({ code }) => STYLES[String(style)]?.test(code) === true);
    return own;
  },
};
