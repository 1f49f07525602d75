import { isDeepStrictEqual } from 'node:util';
import { loadGaps } from '../spec-data.ts';
import { isObject, type JsonObject } from '../values/json.ts';
import { Undetermined } from './reader.ts';

/** Where a value stands in a body. */
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
  /** Whether the names of an object's members are values themselves, and the placeholder that stands for them. */
  keyed?(seen: Seen): string | undefined;
}

/** The template of which all samples are instances. Throws Undetermined where a value has nothing that stands for it. */
export function learnTemplate(samples: readonly unknown[], rules: ShapeRules): unknown {
  return merge(
    samples.map((value, sample) => ({ value, sample })),
    { name: '', inList: false },
    rules,
  );
}

function merge(all: readonly Seen[], place: Place, rules: ShapeRules): unknown {
  // A value that may be null is whatever else it is.
  const filled = all.filter(({ value }) => value !== null);
  const seen = filled.length > 0 ? filled : all;
  const [best] = common(seen.map((one) => rules.candidates(one, place)));
  if (best !== undefined) return best.candidate;
  if (seen.every(({ value }) => isObject(value)))
    return mergeObjects(seen as { value: JsonObject; sample: number }[], place, rules);
  if (seen.every(({ value }) => Array.isArray(value)))
    return mergeLists(seen as { value: unknown[]; sample: number }[], place, rules);
  throw new Undetermined(`what stands in ${place.name || 'the body'} is not one of the values that are known here`);
}

function mergeObjects(
  seen: readonly { value: JsonObject; sample: number }[],
  place: Place,
  rules: ShapeRules,
): JsonObject {
  const key = common(seen.map((one) => [rules.keyed?.(one)].filter((name) => name !== undefined)))[0]?.candidate;
  const members = (of: (name: string) => boolean): Seen[] =>
    seen.flatMap(({ value, sample }) =>
      Object.entries(value).flatMap(([name, inside]) => (of(name) ? [{ value: inside, sample }] : [])),
    );
  if (typeof key === 'string')
    return {
      [key]: merge(
        members(() => true),
        { ...place, inList: true },
        rules,
      ),
    };
  const names = [...new Set(seen.flatMap(({ value }) => Object.keys(value)))];
  return Object.fromEntries(
    names.map((name) => {
      const optional = seen.some(({ value }) => !(name in value)) ? '?' : '';
      return [
        name + optional,
        merge(
          members((other) => other === name),
          { ...place, name },
          rules,
        ),
      ];
    }),
  );
}

function mergeLists(seen: readonly { value: unknown[]; sample: number }[], place: Place, rules: ShapeRules): unknown[] {
  const items = seen.flatMap(({ value, sample }) => value.map((item) => ({ value: item, sample })));
  return items.length === 0 ? [] : [merge(items, { ...place, inList: true }, rules)];
}

/** What all lists have, in the order of the first; the same may be meant by several, so each keeps its wrapping. */
function common(lists: readonly unknown[][]): { candidate: unknown }[] {
  const [first = [], ...others] = lists;
  return first
    .filter((candidate) => others.every((list) => list.some((other) => isDeepStrictEqual(other, candidate))))
    .map((candidate) => ({ candidate }));
}

/** The named answer that stands for this shape, else the shape itself, as a profile writes it out. */
export function answerFor(gapId: string, shape: { template: unknown }): unknown {
  const named = Object.entries(loadGaps().find(({ id }) => id === gapId)?.shapes ?? {}).find(([, known]) =>
    isDeepStrictEqual(known, shape),
  );
  return named ? named[0] : shape;
}
