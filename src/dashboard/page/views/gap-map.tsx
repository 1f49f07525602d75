import { control, type Schemas, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import { Card, Facts } from '../ui/parts.tsx';
import { displayed } from '../ui/text.ts';

type Gap = Schemas['Gap'];

/** A section of the source document -> how many elements of the API's document cite it. */
type Citations = ReadonlyMap<string, number>;

function citationsIn(document: unknown): Citations {
  const found = new Map<string, number>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { 'x-source': source } = node as Record<string, unknown>;
    for (const name of source === undefined ? [] : [source].flat().map(String))
      found.set(name, (found.get(name) ?? 0) + 1);
    for (const child of Object.values(node)) visit(child);
  };
  visit(document);
  return found;
}

let loaded: Citations | undefined;

/** What the API's document cites; nothing until it is loaded, once. */
function useCitations(): Citations {
  const { data } = useLoad(async () => {
    loaded ??= citationsIn(await unwrap(control.GET('/spec.json')));
    return loaded;
  });
  return data ?? new Map();
}

/** A section by its number and its title. */
export const sectionTitle = (name: string, titles: Schemas['Profile']['sections']): string =>
  [...(/\d/.test(name) ? [name] : []), titles[name] ?? name].join(' ');

/** What is known about something: a statement of the source document, or how an assumption came about. */
const kinds = {
  documented: 'documented',
  assumed: 'assumed, by default',
  chosen: 'assumed, by choice',
  learned: 'learned from a deployment',
} as const;

function kindOf({ isDefault, origin }: Gap): keyof typeof kinds {
  if (origin.includes('learned from')) return 'learned';
  return isDefault ? 'assumed' : 'chosen';
}

/** Compares sections by their numbers. */
export const bySection = (one: string, other: string): number => one.localeCompare(other, 'en', { numeric: true });

/** Section by section, a square for everything that is documented, assumed or learned; an assumption leads to its gap. */
export function GapMap({ gaps, sections }: Pick<Schemas['Profile'], 'gaps' | 'sections'>) {
  const citations = useCitations();
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
