import { mapJson } from '../values/json.ts';
import { visible } from './text.ts';

/**
 * Text that commands nothing where it is printed: control characters are written out, and what CI systems take for a
 * command (`::error::` at the start of a line, `##[error]` anywhere) is no longer one. Line ends stay.
 */
export const printable = (text: string): string =>
  visible(text).split('\n').map(withoutCommand).join('\n').replaceAll('##[', '##\\u{5b}');

const withoutCommand = (line: string): string =>
  line.trimStart().startsWith('::') ? line.replace(':', '\\u{3a}') : line;

/** A deep copy of a JSON value whose texts, and names of members, command nothing. */
export const printableJson = <T>(value: T): T =>
  mapJson(value, (leaf) => (typeof leaf === 'string' ? printable(leaf) : leaf), printable);

/** What JSON leaves as it is, and a terminal does not. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A value as indented JSON that commands nothing where it is printed, and is read as the same value. */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, null, 2)
    .replace(UNESCAPED, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('##[', '#\\u0023[')}\n`;
