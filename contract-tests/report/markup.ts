import { memberOf } from '../values/json.ts';
import { visible } from './text.ts';

/** Text that is HTML already. Only the `html` tag makes it, so that nothing else can get into a page unescaped. */
export class Html {
  constructor(readonly text: string) {}
}

/** What a template accepts: text, which is escaped; HTML, which is not; a list of either; or nothing. */
export type Content = Html | string | number | undefined | false | readonly Content[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const withEntities = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => memberOf(ENTITIES, char) ?? char);

function render(content: Content): string {
  if (content === undefined || content === false) return '';
  if (content instanceof Html) return content.text;
  if (typeof content === 'object') return content.map(render).join('');
  return withEntities(visible(String(content)));
}

/** HTML from a template: what is interpolated is escaped unless it is HTML itself. Attributes must be quoted. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

export const join = (contents: readonly Content[], separator: Content): Content =>
  contents.flatMap((content, index) => (index === 0 ? [content] : [separator, content]));
