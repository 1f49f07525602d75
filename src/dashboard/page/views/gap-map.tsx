import { control, type Schemas, unwrap } from '../api/client.ts';
import { useLoad } from '../api/load.ts';
import { Card, Facts } from '../ui/parts.tsx';
import { displayed } from '../ui/text.ts';

type Gap = Schemas['Gap'];

/** A section of the source document in the API's document: its operations, and how many elements cite it. */
interface Section {
  readonly operations: string[];
  documented: number;
}
type Sections = ReadonlyMap<string, Section>;

/** The sections that the elements of the API's document cite. */
function sectionsOf(document: unknown): Sections {
  const found = new Map<string, Section>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { 'x-source': source, operationId, summary } = node as Record<string, unknown>;
    for (const name of source === undefined ? [] : [source].flat().map(String)) {
      const section = found.get(name) ?? { operations: [], documented: 0 };
      section.documented += 1;
      if (typeof operationId === 'string') section.operations.push(String(summary));
      found.set(name, section);
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(document);
  return found;
}

let loaded: Sections | undefined;

/** The sections of the API's document; none until it is loaded, once. */
export function useSections(): Sections {
  const { data } = useLoad(async () => {
    loaded ??= sectionsOf(await unwrap(control.GET('/spec.json')));
    return loaded;
  });
  return data ?? new Map();
}

/** A section with the operations that it is about. */
export function sectionTitle(name: string, sections: Sections): string {
  const operations = sections.get(name)?.operations ?? [];
  return `${/\d/.test(name) ? `Section ${name}` : name}${operations.length > 0 ? `: ${operations.join(' ')}` : ''}`;
}

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

interface MapProps {
  readonly gaps: readonly Gap[];
  readonly sections: Sections;
}

/** Section by section, a square for everything that is documented, assumed or learned; an assumption leads to its gap. */
export function GapMap({ gaps, sections }: MapProps) {
  const names = [...new Set([...sections.keys(), ...gaps.map(({ section }) => section)])];
  names.sort(bySection);
  const squares = (name: string) => (
    <div class="row">
      <span class="visually-hidden">{sections.get(name)?.documented ?? 0} documented elements</span>
      {Array.from({ length: sections.get(name)?.documented ?? 0 }, (_, index) => (
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
