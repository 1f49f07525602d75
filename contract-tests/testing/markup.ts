/** A tiny tokenizer of markup, strict about what the renderers promise: balanced elements, quoted attributes. */

const VOID = new Set(['meta', 'br', 'rect']);
const TAG = /<(?:!doctype html|\?xml [^<>]*\?|(\/?)([a-z][a-z0-9]*)((?:\s+[A-Za-z][\w:-]*(?:="[^"<]*")?)*)\s*(\/?))>/y;
const ATTRIBUTE = /([A-Za-z][\w:-]*)(?:="([^"]*)")?/g;

export interface Element {
  name: string;
  attributes: Record<string, string>;
  /** Its own text, entities as they are. */
  text: string;
}

/** The elements of a document in their order; throws where it is not well-formed. */
export function elementsOf(document: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  let at = 0;
  while (at < document.length) {
    const next = document.indexOf('<', at);
    const end = next === -1 ? document.length : next;
    const parent = open.at(-1);
    if (parent) parent.text += document.slice(at, end);
    if (next === -1) break;
    TAG.lastIndex = next;
    const match = TAG.exec(document);
    if (!match) throw new Error(`not well-formed at ${JSON.stringify(document.slice(next, next + 80))}`);
    at = TAG.lastIndex;
    const [, closing, name, given = '', empty] = match;
    if (name === undefined) continue;
    if (closing) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element`);
      continue;
    }
    const attributes = Object.fromEntries([...given.matchAll(ATTRIBUTE)].map(([, key, value]) => [key, value ?? '']));
    const element = { name, attributes, text: '' };
    elements.push(element);
    if (empty || VOID.has(name)) continue;
    if (name === 'script' || name === 'style') {
      const stop = document.indexOf(`</${name}>`, at);
      element.text = document.slice(at, stop);
      at = stop + name.length + 3;
    } else open.push(element);
  }
  if (open.length > 0) throw new Error(`<${open.at(-1)?.name}> is not closed`);
  return elements;
}
