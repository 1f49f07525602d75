import { Failure } from '../api/failure.ts';
import type { FieldDescription } from './field.tsx';

/** What is entered, by field name. */
export type Values = Readonly<Record<string, string>>;

/** A field of a form. */
export interface FormField extends FieldDescription {
  readonly name: string;
  /** What the entered text becomes; `list` is separated by spaces or commas. */
  readonly type?: 'string' | 'number' | 'boolean' | 'list' | 'json';
  readonly initial?: string | undefined;
  /** The field is part of the form only where this holds. */
  readonly when?: (values: Values) => boolean;
}

/** A value as the text of its input. */
export function textOf({ type }: Pick<FormField, 'type'>, value: unknown): string {
  if (value === undefined || value === null) return '';
  return type === 'json' ? JSON.stringify(value, null, 2) : String(value);
}

/**
 * The value of an input's text; undefined for an empty one.
 * @throws Failure where JSON is expected and the text is not JSON
 */
export function parseInput({ name, type = 'string' }: FormField, text: string): unknown {
  if (text === '') return undefined;
  if (type === 'number') return Number(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'list') return text.split(/[\s,]+/);
  if (type === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure(`${name} is not valid JSON.`, 0, [{ field: name, message: 'This is not valid JSON.' }]);
  }
}
