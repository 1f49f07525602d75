import { isObject, memberOf } from '../values/json.ts';
import { decoded } from '../values/url.ts';

/** An operation of a deployment that shows a recording: the document has none. */
export interface Reading {
  path: string;
  /** Where the answer has a field, as `data.summary`; by its own name where that is not said. */
  fields?: Readonly<Record<string, string>>;
}

/** The fields that no documented answer needs to carry (part 2). */
export const CARRIED = ['summary', 'analysis', 'kb_folder_id', 'kb_document_id'] as const;

export const readPath = ({ path }: Reading, id: string): string => path.replace('{id}', () => encodeURIComponent(id));

/** What an answer of the operation shows; undefined where the path is not its path, or the body no JSON object. */
export function storedIn({ path: template, fields = {} }: Reading, path: string, body: unknown) {
  const [start = '', end = ''] = template.split('{id}');
  const id = path.slice(start.length, path.length - end.length);
  if (!isObject(body) || readPath({ path: template }, decoded(id)) !== path) return undefined;
  const valueAt = (place: string): unknown =>
    place.split('.').reduce<unknown>((at, name) => (isObject(at) ? memberOf(at, name) : undefined), body);
  const shown = CARRIED.map((field) => [field, valueAt(fields[field] ?? field)] as const);
  return { recordingId: decoded(id), fields: Object.fromEntries(shown.filter(([, value]) => value !== undefined)) };
}
export type Stored = NonNullable<ReturnType<typeof storedIn>>;
