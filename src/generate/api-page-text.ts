import { asText } from '../../contract-tests/values/json.ts';
import type { JsonObject } from '../core/spec/document.ts';

/** Text for Markdown, with HTML and cell separators escaped. */
export const text = (plain: string): string => plain.replaceAll(/[<>|]/g, '\\$&');

export const code = (plain: string): string => `\`${plain.replaceAll('|', '\\|')}\``;

/** A link to a gap, a section or a record. */
export const anchorLink = (anchor: string): string => `[${anchor}](#${anchor})`;

/** The section and gaps of an element as links. In `chain`, the first citation counts, and each may fill gaps. */
export function basisLinks(chain: readonly JsonObject[]): string {
  const sections = chain.map((element) => listed(element['x-source'])).find(({ length }) => length > 0) ?? [];
  const gaps = new Set(chain.flatMap((element) => listed(element['x-gap'])));
  return [...sections.map((number) => `section ${anchorLink(number)}`), ...[...gaps].map(anchorLink)].join(', ');
}

const listed = (value: unknown): string[] => (value === undefined ? [] : [value].flat().map(asText));
