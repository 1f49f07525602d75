import { asText, memberOf } from '../../../../contract-tests/values/json.ts';
import { targetOf } from '../../../core/spec/json.ts';
import type { Schemas } from '../api/client.ts';
import { call } from '../api/document.ts';
import { Card, Facts } from '../ui/parts.tsx';
import { displayed } from '../ui/text.ts';

type Node = Readonly<Record<string, unknown>>;

export interface ApiDocument extends Node {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>;
}

let loaded: ApiDocument | undefined;

/** The API's document, loaded once: answers to gaps change neither what cites a section nor what names a gap. */
export async function apiDocument(): Promise<ApiDocument> {
  loaded ??= (await call('getApiDocument', {})) as ApiDocument;
  return loaded;
}

/** Calls back with the texts of `key` in an element and all below it. @param document where its references are followed */
function visit(element: unknown, key: string, found: (text: string) => void, document?: ApiDocument): void {
  const seen = new Set<unknown>();
  const see = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const { [key]: named, $ref } = node as Node;
    for (const text of named === undefined ? [] : [named].flat().map(asText)) found(text);
    if (document && typeof $ref === 'string') see(targetOf(document, $ref));
    for (const child of Object.values(node)) see(child);
  };
  see(element);
}

const several = 'Several operations';

/** Gap -> the operation that it is about, by its summary; in the order of the document, `several` last. */
export function subjectsOf(document: ApiDocument): ReadonlyMap<string, string> {
  const subjects = new Map<string, string>();
  for (const { summary, ...operation } of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const subject = asText(summary).replace(/\.$/, '');
    const note = (gap: string) =>
      subjects.set(gap, [subject, undefined].includes(subjects.get(gap)) ? subject : several);
    visit(operation, 'x-gap', note, document);
  }
  return new Map([...subjects].sort(([, one], [, other]) => Number(one === several) - Number(other === several)));
}

export const sectionTitle = (name: string, titles: Schemas['Profile']['sections']): string =>
  [...(/\d/.test(name) ? [name] : []), memberOf(titles, name) ?? name].join(' ');

/** What is known about something: a statement of the source document, or how an assumption came about. */
const kinds = {
  documented: 'documented',
  assumed: 'assumed, by default',
  chosen: 'assumed, by choice',
  learned: 'learned from a deployment',
} as const;

function kindOf({ isDefault, origin }: Schemas['Gap']): keyof typeof kinds {
  if (origin.includes('learned from')) return 'learned';
  return isDefault ? 'assumed' : 'chosen';
}

export const bySection = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

export function GapMap({ profile, document }: { profile: Schemas['Profile']; document: ApiDocument }) {
  const { gaps, sections } = profile;
  const citations = new Map<string, number>();
  visit(document, 'x-source', (name) => citations.set(name, (citations.get(name) ?? 0) + 1));
  const names = [...new Set([...citations.keys(), ...gaps.map(({ section }) => section)])];
  names.sort(bySection);
  const squares = (name: string) => (
    <div class="row">
      <span class="visually-hidden">{citations.get(name) ?? 0} documented elements</span>
      {Array.from({ length: citations.get(name) ?? 0 }, (_, index) => (
        <span key={`element ${index}`} class="cell documented" />
      ))}
      {gaps
        .filter(({ section }) => section === name)
        .map((gap) => {
          const text = `${gap.id}: ${displayed(gap.answer)} (${kinds[kindOf(gap)]})`;
          return (
            <a key={gap.id} href={`#/gaps/${gap.id}`} class={`cell ${kindOf(gap)}`} title={text}>
              <span class="visually-hidden">{text}</span>
            </a>
          );
        })}
    </div>
  );
  return (
    <Card title="What is known" hint="A square for each element that the source document states, and one for each gap.">
      <ul class="row small" aria-label="Legend">
        {Object.entries(kinds).map(([kind, text]) => (
          <li key={kind} class="row">
            <span class={`cell ${kind}`} />
            {text}
          </li>
        ))}
      </ul>
      <Facts
        class="gap-map"
        of={Object.fromEntries(names.map((name) => [sectionTitle(name, sections), squares(name)]))}
      />
    </Card>
  );
}
