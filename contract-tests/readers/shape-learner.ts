import { isDeepStrictEqual } from 'node:util';
import { loadGaps } from '../spec-data.ts';
import { isObject } from '../values/json.ts';
import { Undetermined } from './reader.ts';

/** The place of a value in a body. */
export interface Place {
  /** Name of the member that it is, or that the list is in which it is; '' for the body itself. */
  name: string;
  /** Whether it is within a list. */
  inList: boolean;
}

/** A value of one sample, and which sample that is. */
export interface Seen {
  value: unknown;
  sample: number;
}

/** What a shape is learned from. */
export interface ShapeRules {
  /** What may stand for a value in the template, the best first: placeholders like `${status}`, or the value itself. */
  candidates(seen: Seen, place: Place): unknown[];
  /** Whether the names of an object's members are values themselves, and the placeholder that replaces them. */
  keyed?(seen: Seen): string | undefined;
  /** Whether a list says something by its places, such as `["body", "oid"]`. */
  placed?(seen: Seen): boolean;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);

/** Those of the most frequent kind, of equally frequent ones the first. */
function mostOf<T>(items: readonly T[], kindOf: (item: T) => unknown): T[] {
  const kinds = items.map(kindOf);
  const times = (kind: unknown): number => kinds.filter((other) => other === kind).length;
  const [most] = [...new Set(kinds)].toSorted((a, b) => times(b) - times(a));
  return items.filter((item) => kindOf(item) === most);
}

/** The template of all samples; within lists most decide the type. Throws Undetermined where a value has no placeholder. */
export function learnTemplate(samples: readonly unknown[], { candidates, keyed, placed }: ShapeRules): unknown {
  const merge = (all: readonly Seen[], place: Place): unknown => {
    // A value that may be null has the type that it has otherwise.
    const filled = all.filter(({ value }) => value !== null);
    const given = filled.length > 0 ? filled : all;
    const seen = place.inList ? mostOf(given, ({ value }) => typeOf(value)) : given;
    const [best] = common(seen.map((one) => candidates(one, place)));
    if (best) return best.candidate;
    if (seen.every(({ value }) => isObject(value))) return mergeObjects(seen, place);
    if (!seen.every(({ value }) => Array.isArray(value)))
      throw new Undetermined(`the value in ${place.name || 'the body'} is not one of the values that are known here`);
    if (seen.every((one) => placed?.(one))) return mergePlaces(seen, place);
    const items = seen.flatMap(({ value, sample }) => (value as unknown[]).map((item) => ({ value: item, sample })));
    return items.length === 0 ? [] : [merge(items, { ...place, inList: true })];
  };
  const mergePlaces = (seen: readonly Seen[], place: Place): unknown[] => {
    const lists = seen.map(({ value, sample }) => ({ items: value as unknown[], sample }));
    const alike = mostOf(lists, ({ items }) => items.map(typeOf).join());
    const places = alike[0]?.items ?? [];
    return places.map((_, at) => {
      const own = alike.map(({ items, sample }) => ({ value: items[at], sample }));
      // What the path begins with is what most begin with.
      return merge(at === 0 ? mostOf(own, ({ value }) => value) : own, { ...place, inList: true });
    });
  };
  const mergeObjects = (seen: readonly Seen[], place: Place): unknown => {
    const entries = seen.map(({ value, sample }) => ({ members: Object.entries(value as object), sample }));
    const membersNamed = (isOne: (name: string) => boolean): Seen[] =>
      entries.flatMap(({ members, sample }) =>
        members.filter(([name]) => isOne(name)).map(([, value]) => ({ value, sample })),
      );
    const [key] = common(seen.map((one) => [keyed?.(one)].filter((name) => name !== undefined)));
    if (key)
      return {
        [String(key.candidate)]: merge(
          membersNamed(() => true),
          { ...place, inList: true },
        ),
      };
    const names = new Set(entries.flatMap(({ members }) => members.map(([name]) => name)));
    const merged = [...names].map((name) => {
      const own = membersNamed((other) => other === name);
      return [own.length < seen.length ? `${name}?` : name, merge(own, { ...place, name })];
    });
    return Object.fromEntries(merged);
  };
  const all = samples.map((value, sample) => ({ value, sample }));
  return merge(all, { name: '', inList: false });
}

/** What all lists have, in the order of the first; the same may be meant by several, so each keeps its wrapping. */
function common(lists: readonly unknown[][]): { candidate: unknown }[] {
  const [first = [], ...others] = lists;
  return first
    .filter((candidate) => others.every((list) => list.some((other) => isDeepStrictEqual(other, candidate))))
    .map((candidate) => ({ candidate }));
}

/** The named answer for this shape, else the shape itself, as a profile writes it out. */
export function answerFor(gapId: string, shape: { template: unknown }): unknown {
  const { shapes = {} } = loadGaps().find(({ id }) => id === gapId) ?? {};
  return Object.entries(shapes).find(([, known]) => isDeepStrictEqual(known, shape))?.[0] ?? shape;
}
