import { isDeepStrictEqual } from 'node:util';
import { PAT_NAME } from '../api/operations.ts';
import { fieldsOf } from '../api/records.ts';
import { isPatForm } from '../api/token-forms.ts';
import { GAP_ROWS } from '../plan/gaps.ts';
import { groupBy } from '../values/group.ts';
import { isObject, type JsonObject, memberOf } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';
import { undetermined } from './reader.ts';

export interface Found<Sample> {
  value: unknown;
  sample: Sample;
  /** Name of the member that it is, or that the list is in which it is; '' for the body itself. */
  name: string;
  inList: boolean;
}

/** Those of the most frequent kind, of equally frequent ones the first. */
export const mostOf = <T>(items: readonly T[], kindOf: (item: T) => unknown): readonly T[] =>
  [...groupBy(items, kindOf).values()].toSorted((a, b) => b.length - a.length)[0] ?? [];

/** The template on which all samples agree, or most within lists. A value without any of `meaningsOf` may be a credential. */
export function learnTemplate<Sample>(
  samples: readonly Sample[],
  bodyOf: (sample: Sample) => unknown,
  meaningsOf: (found: Found<Sample>) => readonly unknown[],
) {
  const merge = (all: readonly Found<Sample>[]): unknown => {
    // A value that may be null has the type that it has otherwise.
    const filled = all.filter(({ value }) => value !== null);
    const given = filled.length > 0 ? filled : all;
    const { inList = false } = given[0] ?? {};
    const seen = inList ? mostOf(given, ({ value }) => (Array.isArray(value) ? 'list' : typeof value)) : given;
    const meanings = seen.map(meaningsOf);
    const [best] = mostOf(meanings.flat(), (meaning) => JSON.stringify(meaning));
    const isShared = meanings.every((list) => list.some((meaning) => isDeepStrictEqual(meaning, best)));
    if (best !== undefined && (isShared || inList)) return best;
    if (seen.every(({ value }) => isObject(value))) {
      const names = new Set(seen.flatMap(({ value }) => Object.keys(value as JsonObject)));
      const members = [...names].map((member) => {
        const own = seen.filter(({ value }) => Object.hasOwn(value as JsonObject, member));
        const values = own.map((each) => ({
          ...each,
          name: member,
          value: memberOf(each.value as JsonObject, member),
        }));
        return [own.length < seen.length ? `${member}?` : member, merge(values)] as const;
      });
      return Object.fromEntries(members.filter(([, value]) => value !== undefined));
    }
    if (seen.every(({ value }) => Array.isArray(value))) {
      const items = seen.flatMap((each) =>
        (each.value as unknown[]).map((value) => ({ ...each, value, inList: true })),
      );
      return [items.length > 0 ? merge(items) : undefined].filter((item) => item !== undefined);
    }
    return undefined;
  };
  const template = merge(samples.map((sample) => ({ value: bodyOf(sample), sample, name: '', inList: false })));
  if (template === undefined) return undetermined('the bodies are of several types');
  return { template };
}

export function valuesAt(placeholder: string, template: unknown, value: unknown): unknown[] {
  if (template === placeholder) return [value];
  if (Array.isArray(template) && Array.isArray(value))
    return value.flatMap((item) => valuesAt(placeholder, template[0], item));
  const members = isObject(template) && isObject(value) ? Object.entries(template) : [];
  const below = Object(value) as JsonObject;
  return members.flatMap(([name, inside]) => valuesAt(placeholder, inside, memberOf(below, name.replace(/\?$/, ''))));
}

/** The learned template; undetermined without the placeholders for which the body is there. */
export function learned({ template }: ReturnType<typeof learnTemplate>, ...main: string[]) {
  const missing = main.find((placeholder) => !JSON.stringify(template).includes(placeholder));
  if (missing !== undefined) undetermined(`nothing in the body is known to be its ${missing.slice(2, -1)}`);
  return { template };
}

/** Whether a value looks like a credential rather than a word of a vocabulary: it must not get into a profile. */
export const looksSecret = (value: string): boolean =>
  isJwt(value) || (value.length >= 24 && (isPatForm(value) || /\d/.test(value)));

const isText = (value: unknown): value is string => typeof value === 'string';
const isTime = (value: unknown): boolean => isText(value) && /^\d{4}-\d\d-\d\dT/.test(value);

const HOLDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: isText,
  number: (value) => typeof value === 'number',
  list: (value) => Array.isArray(value) && value.every(isText),
  time: isTime,
  'time or null': (value) => value === null || isTime(value),
  word: (value) => isText(value) && /^[A-Za-z]{1,12}$/.test(value),
  'text with @': (value) => isText(value) && value.includes('@'),
  'name of the suite': (value) => isText(value) && value.startsWith(PAT_NAME),
  jwt: isJwt,
  pat: isPatForm,
  user: (value) =>
    isObject(value) && Object.keys(fieldsOf('User')).every((field) => memberOf(value, field) !== undefined),
};

export function shapeBy(gap: string, body: JsonObject): ReturnType<typeof learnTemplate> {
  const { members = [] } = memberOf(GAP_ROWS, gap) ?? {};
  const meaningsOf = ({ value, name }: Found<JsonObject>): unknown[] => {
    const isIt = (holds: string, named = '') => memberOf(HOLDS, holds)?.(value) && new RegExp(named, 'i').test(name);
    const [found] = members.find(([, holds, named]) => isIt(holds, named)) ?? [];
    if (found !== undefined) return [found === 'itself' ? value : `\${${found}}`];
    return value === null || typeof value === 'boolean' ? [value] : [];
  };
  return learnTemplate([body], () => body, meaningsOf);
}

/** A scope as a record: its name, by the likeliest member, what is said of it in words, and flags. */
function scopeRecord(record: JsonObject): unknown {
  const main = ['name', 'key', 'scope', 'id', 'value', 'code', 'slug'].find((member) =>
    isText(memberOf(record, member)),
  );
  const others: Readonly<Record<string, unknown>> = { string: '${description}', boolean: false, number: 0 };
  const meaningOf = (name: string, value: unknown) => (name === main ? '${scope}' : others[typeof value]);
  const members = Object.entries(record).map(([name, value]) => [name, meaningOf(name, value)]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** The template of the token scopes: what differs between admin and member tells administrators; with one caller, its name does. */
export function scopesShape(answers: readonly { body: unknown; isAdmin: boolean }[]): ReturnType<typeof learnTemplate> {
  const hasBoth = new Set(answers.map(({ isAdmin }) => isAdmin)).size > 1;
  const meaningsOf = ({ value, name, inList, sample }: Found<(typeof answers)[number]>): unknown[] => {
    const tellsAdmin = !inList && value === sample.isAdmin && (hasBoth || /admin/i.test(name));
    if (typeof value === 'boolean') return tellsAdmin ? ['${isAdmin}', value] : [value];
    if (inList && isText(value)) return ['${scope}'];
    if (inList && isObject(value)) return [scopeRecord(value)];
    return typeof value === 'number' ? [0] : value === null ? [value] : [];
  };
  return learnTemplate(answers, ({ body }) => body, meaningsOf);
}
