import { control, type Schemas, unwrap } from '../../api/client.ts';
import { useLoad } from '../../api/load.ts';
import { Card } from '../../ui/card.tsx';
import { displayed } from '../../ui/failure-note.tsx';
import { Load } from '../../ui/load.tsx';

type Gap = Schemas['Gap'];

/** What is known about something: a statement of the source document, or how an assumption came about. */
const kinds = {
  documented: 'documented',
  assumed: 'assumed, by default',
  chosen: 'assumed, by choice',
  learned: 'learned from a deployment',
} as const;
type Kind = keyof typeof kinds;

const kindOf = ({ isDefault, origin }: Gap): Kind => {
  if (origin.includes('learned from')) return 'learned';
  return isDefault ? 'assumed' : 'chosen';
};

/** What the API's document says of each section: the operations, and how many elements the source document states. */
interface Section {
  readonly operations: string[];
  documented: number;
}

/** The sections that the elements of the API's document cite. */
function sectionsOf(document: unknown): Map<string, Section> {
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

const bySection = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]) =>
  left.localeCompare(right, 'en', { numeric: true });

/** Section by section, a square for everything that is documented, assumed or learned; an assumption leads to its gap. */
export function GapMap({ gaps }: { readonly gaps: readonly Gap[] }) {
  const document = useLoad(() => unwrap(control.GET('/spec.json')));
  return (
    <Card title="What is known" hint="A square for each element that the source document states, and one for each gap.">
      <ul class="row small legend" aria-label="Legend">
        {Object.entries(kinds).map(([kind, text]) => (
          <li key={kind} class="row">
            <span class={`cell ${kind}`} />
            {text}
          </li>
        ))}
      </ul>
      <Load of={document}>
        {(loaded) => {
          const sections = sectionsOf(loaded);
          for (const { section } of gaps)
            if (!sections.has(section)) sections.set(section, { operations: [], documented: 0 });
          return (
            <dl class="facts gap-map">
              {[...sections].sort(bySection).map(([name, section]) => (
                <SectionRow
                  key={name}
                  name={name}
                  section={section}
                  gaps={gaps.filter((gap) => gap.section === name)}
                />
              ))}
            </dl>
          );
        }}
      </Load>
    </Card>
  );
}

interface SectionRowProps {
  readonly name: string;
  readonly section: Section;
  readonly gaps: readonly Gap[];
}

const SectionRow = ({ name, section: { operations, documented }, gaps }: SectionRowProps) => (
  <>
    <dt>
      {/\d/.test(name) ? `Section ${name}` : name}
      {operations.length > 0 && `: ${operations.join(' ')}`}
    </dt>
    <dd class="row cells">
      <span class="visually-hidden">{documented} documented elements</span>
      {Array.from({ length: documented }, (_, index) => (
        <span key={`element ${index}`} class="cell documented" />
      ))}
      {gaps.map((gap) => {
        const text = `${gap.id}: ${displayed(gap.answer)} (${kinds[kindOf(gap)]})`;
        return (
          <a key={gap.id} href={`#/gaps/${gap.id}`} class={`cell ${kindOf(gap)}`} title={text}>
            <span class="visually-hidden">{text}</span>
          </a>
        );
      })}
    </dd>
  </>
);
