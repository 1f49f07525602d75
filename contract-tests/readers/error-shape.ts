import { STATUS_CODES } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { Answer } from '../values/answer.ts';
import { isObject, parseJson } from '../values/json.ts';
import { Undetermined } from './reader.ts';
import { learnTemplate, type Place, type Seen, type ShapeRules } from './shape-learner.ts';
import { looksSecret } from './vocabulary.ts';

/** A refusal, and of which kind it is: the names are those of x-error-kinds in spec/openapi.yaml. */
export interface RefusalSample {
  kind: string;
  /** The operation that refused, by its operationId; absent for an unknown path. */
  operation?: string;
  answer: Answer;
  /** When it was answered, in milliseconds since 1970. */
  date: number;
  /** The names of the fields sent, since a refusal may name them. */
  fields: readonly string[];
}

/** The body of a refusal: JSON, else its text; undefined where there is none. */
export function bodyOf({ response }: Answer): unknown {
  if (response.body === '') return undefined;
  const json = parseJson(response.body);
  return isObject(json) || Array.isArray(json) ? json : response.body;
}

/** The media type of a refusal, without its parameters. */
const mediaTypeOf = ({ response }: Answer): string =>
  response.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';

/** A learned shape of error bodies, as a profile writes it out. */
export interface LearnedErrors {
  template: unknown;
  mediaType?: string;
  cases?: { for?: string[]; at?: string[]; template: unknown; mediaType?: string }[];
}

interface Group {
  kinds: string[];
  samples: RefusalSample[];
}

/** The shape of all refusals: that of most kinds, and those of others as its cases. */
export function learnErrors(samples: readonly RefusalSample[]): LearnedErrors {
  return byOperation(samples) ?? byKind(samples);
}

/** The name under which refusals of unknown paths go, which are of no operation. */
const NOWHERE = '';

/** A shape for each operation, where all kinds of an operation share one and operations differ, as services do. */
function byOperation(samples: readonly RefusalSample[]): LearnedErrors | undefined {
  const signed = samples.map((sample) => ({ sample, signature: shapeSignature(sample) }));
  const isOne = (keyOf: (sample: RefusalSample) => string): boolean => {
    const seen = new Map<string, string>();
    return signed.every(({ sample, signature }) => {
      const known = seen.get(keyOf(sample)) ?? signature;
      seen.set(keyOf(sample), known);
      return known === signature;
    });
  };
  const operationOf = ({ operation = NOWHERE }: RefusalSample): string => operation;
  if (isOne(({ kind }) => kind) || !isOne(operationOf)) return undefined;
  const shapes = [...new Set(signed.map(({ signature }) => signature))].map((each) => {
    const own = signed.flatMap(({ sample, signature }) => (signature === each ? [sample] : []));
    const kinds = [...new Set(own.map(({ kind }) => kind))];
    return { at: [...new Set(own.map(operationOf))], ...shapeOf({ kinds, samples: own }) };
  });
  const [most, ...others] = shapes.toSorted((a, b) => b.at.length - a.at.length);
  if (!most) return undefined;
  const { at: _, ...shape } = most;
  const cases = others.flatMap(({ at, ...other }) => [
    ...(at.includes(NOWHERE) ? [{ for: ['unknown-path'], ...other }] : []),
    ...(at.some((one) => one !== NOWHERE) ? [{ at: at.filter((one) => one !== NOWHERE), ...other }] : []),
  ]);
  return { ...shape, ...(cases.length > 0 && { cases }) };
}

/** What tells the shapes of refusals apart. */
function shapeSignature(sample: RefusalSample): string {
  const body = bodyOf(sample.answer);
  return [mediaTypeOf(sample.answer), signatureOf(body, sample), pathTypesIn(body, sample)].join(' ');
}

function byKind(samples: readonly RefusalSample[]): LearnedErrors {
  const shapes = groupsOf(samples).flatMap(shapesOf);
  const [most, ...others] = shapes.toSorted((a, b) => b.kinds.length - a.kinds.length);
  if (!most) return { template: null };
  const cases = others.map(({ kinds, ...shape }) => ({ for: kinds, ...shape }));
  const { kinds: _, ...shape } = most;
  return { ...shape, ...(cases.length > 0 && { cases }) };
}

interface KindsShape {
  kinds: string[];
  template: unknown;
  mediaType?: string;
}

/** The shape of a group; one for each of its kinds where they have none in common. A kind without one is served like most. */
function shapesOf(group: Group): KindsShape[] {
  try {
    return [{ kinds: group.kinds, ...shapeOf(group) }];
  } catch (error) {
    if (!(error instanceof Undetermined)) throw error;
    const parts = group.kinds.length < 2 ? [] : group.kinds;
    return parts.flatMap((kind) =>
      shapesOf({ kinds: [kind], samples: group.samples.filter((sample) => sample.kind === kind) }),
    );
  }
}

/** Kinds whose refusals have the same members; lists may be there or not. A kind is where most of its refusals are. */
function groupsOf(samples: readonly RefusalSample[]): Group[] {
  const signed = samples.map((sample) => ({ sample, signature: shapeSignature(sample) }));
  const homeOf = (kind: string): string => {
    const own = signed.flatMap(({ sample, signature }) => (sample.kind === kind ? [signature] : []));
    const count = (signature: string): number => own.filter((one) => one === signature).length;
    return own.toSorted((a, b) => count(b) - count(a))[0] as string;
  };
  const homes = new Map([...new Set(samples.map(({ kind }) => kind))].map((kind) => [kind, homeOf(kind)]));
  return [...new Set(homes.values())].map((home) => {
    const own = signed.filter(({ sample, signature }) => signature === home && homes.get(sample.kind) === home);
    return {
      kinds: [...homes].flatMap(([kind, at]) => (at === home ? [kind] : [])),
      samples: own.map(({ sample }) => sample),
    };
  });
}

/** The members of a body without lists, which are there only where something is to be listed. */
function signatureOf(body: unknown, sample: RefusalSample): string {
  if (!isObject(body)) return Array.isArray(body) ? 'list' : typeof body;
  const members = Object.entries(body).filter(([, value]) => !Array.isArray(value) && !isKeyed(value, sample));
  return `{${members
    .map(([name, value]) => `${name}:${isObject(value) ? signatureOf(value, sample) : ''}`)
    .toSorted()
    .join()}}`;
}

/** Whether the members of an object are named like the fields sent, so that each describes one field. */
const isKeyed = (value: unknown, { fields }: RefusalSample): boolean =>
  isObject(value) && Object.keys(value).length > 0 && Object.keys(value).every((name) => fields.includes(name));

/** Whether a list is a path: a part of the request, then fields, or the place of a character. */
const isPath = (list: readonly unknown[], { fields }: RefusalSample): boolean =>
  /^(body|query|path|header|cookie)$/.test(String(list[0])) &&
  list.slice(1).every((each) => typeof each === 'number' || fields.includes(String(each)));

/** The types of the first path in a body: `string,number`; empty where it has none. */
function pathTypesIn(body: unknown, sample: RefusalSample): string {
  if (Array.isArray(body) && isPath(body, sample)) return body.map((each) => typeof each).join();
  const inside: unknown[] = isObject(body) ? Object.values(body) : Array.isArray(body) ? body : [];
  for (const value of inside) {
    const found = pathTypesIn(value, sample);
    if (found !== '') return found;
  }
  return '';
}

function shapeOf({ kinds, samples }: Group): { template: unknown; mediaType?: string } {
  const [first] = samples;
  const bodies = samples.map(({ answer }) => bodyOf(answer));
  if (!first || bodies.every((body) => body === undefined)) return { template: null };
  const mediaType = mediaTypeOf(first.answer);
  return {
    template: learnTemplate(bodies, rulesFor(samples, kinds.length)),
    ...(mediaType !== '' && mediaType !== 'application/json' && { mediaType }),
  };
}

const rulesFor = (samples: readonly RefusalSample[], kinds: number): ShapeRules => ({
  candidates: (seen, place) => candidates(seen, place, samples[seen.sample] as RefusalSample, kinds),
  placed: ({ value, sample }) => isPath(value as unknown[], samples[sample] as RefusalSample),
  keyed: ({ value, sample }) => (isKeyed(value, samples[sample] as RefusalSample) ? '${field}' : undefined),
});

function candidates({ value }: Seen, place: Place, sample: RefusalSample, kinds: number): unknown[] {
  const { status } = sample.answer.response;
  // Another number varies in a way that no placeholder covers: its type is kept.
  if (typeof value === 'number') return value === status ? ['${status}', value] : [value, '${status}'];
  if (typeof value === 'boolean') return [value, false];
  if (value === null) return [null];
  // A list may repeat the request's body: its members are not those of the refusal.
  if (place.inList && isObject(value) && isDeepStrictEqual(value, parseJson(sample.answer.request.body ?? '')))
    return [{}];
  if (typeof value !== 'string') return [];
  const field = place.inList ? fieldIn(value, sample) : [];
  return [
    ...field,
    ...ofRequest(value, sample),
    ...words(value, place, kinds),
    place.inList ? '${detail}' : '${message}',
  ];
}

/** What a text is that follows from the request or from its status. */
function ofRequest(text: string, { answer, date }: RefusalSample): string[] {
  const { request, response } = answer;
  const { pathname, search } = new URL(request.url);
  const isNow = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && Math.abs(Date.parse(text) - date) < 300_000;
  return [
    ...(text === String(response.status) ? ['${statusText}'] : []),
    ...(text === STATUS_CODES[response.status] ? ['${title}'] : []),
    ...(text === request.method ? ['${method}'] : []),
    ...(text === pathname || text === pathname + search ? ['${path}'] : []),
    ...(isNow ? ['${time}'] : []),
  ];
}

const IDENTIFIER = /^[A-Za-z](?:[A-Za-z0-9_.:/-]*[A-Za-z0-9])?\/?$/;

/** What a text is by its look and by the name of its member. */
function words(text: string, { name, inList }: Place, kinds: number): string[] {
  if (looksSecret(text) || /^[0-9a-f-]{16,}$/i.test(text) || /^(?:request|trace|correlation)|id$/i.test(name))
    return ['${id}'];
  const isTitle = text.split(' ').length <= 6 && !inList && /^(title|summary|error|reason)$/i.test(name);
  const summary = isTitle && !text.endsWith('.') ? ['${summary}'] : [];
  if (!IDENTIFIER.test(text) || text.length > 80) return summary;
  // What one kind of refusal lists has its own codes, such as those of a validator's issues.
  const isCode = (/code|type|error|reason/i.test(name) || text.includes('_')) && (!inList || kinds > 1);
  if (!isCode) return [text, ...summary];
  return [...(kinds > 1 ? [text, '${code}'] : ['${code}', text]), ...summary];
}

/** A field that was sent, as a text names it: by itself, or after its place. */
function fieldIn(text: string, { fields }: RefusalSample): string[] {
  const field = fields.find(
    (one) => text === one || (/[/.\]]$/.test(text.slice(0, -one.length)) && text.endsWith(one)),
  );
  return field === undefined ? [] : [`${text.slice(0, text.length - field.length)}\${field}`];
}
