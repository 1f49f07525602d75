import { isPatForm } from '../api/token-forms.ts';
import { type Answer, jsonOf } from '../values/answer.ts';
import { findStrings, isObject } from '../values/json.ts';
import { isJwt } from '../values/jwt.ts';

const WORD = String.raw`["'\`‘“]?[a-z0-9][a-z0-9._-]*["'\`’”]?`;
const SEPARATOR = String.raw`(?:\s*[,|/;]\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+)`;
const SEQUENCE = new RegExp(`${WORD}(?:${SEPARATOR}${WORD})+`, 'g');

/** Enumerations of lower-case identifiers in a refusal: arrays of them, and sequences within its sentences. */
export function enumerationsIn(answer: Answer): string[][] {
  const json = jsonOf(answer);
  const sentences = findStrings(json).flatMap(({ value }) =>
    [...value.matchAll(SEQUENCE)].map(([text]) =>
      text
        .split(new RegExp(SEPARATOR))
        .map((word) => word.replaceAll(/["'`‘“’”]|\.$/g, ''))
        .filter((word) => word !== ''),
    ),
  );
  return [...arraysIn(json), ...sentences].map((words) => [...new Set(words)]);
}

function arraysIn(value: unknown): string[][] {
  if (Array.isArray(value)) {
    const items: unknown[] = value;
    const words = items.filter((item) => typeof item === 'string');
    return words.length === items.length && words.length > 1 ? [words] : items.flatMap(arraysIn);
  }
  return isObject(value) ? Object.values(value).flatMap(arraysIn) : [];
}

/** The enumeration that holds all the values seen, and so can be the one of their vocabulary. */
export function enumerationOf(seen: ReadonlySet<string>, answer: Answer): string[] | undefined {
  if (seen.size === 0) return undefined;
  return enumerationsIn(answer).find((words) => [...seen].every((value) => words.includes(value)));
}

/** Whether a value looks like a credential rather than a word of a vocabulary: it must not get into a profile. */
export function looksSecret(value: string): boolean {
  return isJwt(value) || (value.length >= 24 && (isPatForm(value) || /\d/.test(value)));
}
