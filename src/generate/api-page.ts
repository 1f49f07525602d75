import type { Requirement } from '../../contract-tests/model.ts';
import { table } from '../../contract-tests/report/markdown-text.ts';
import { asText, memberOf } from '../../contract-tests/values/json.ts';
import type { ApiDocument } from '../core/spec/document.ts';
import type { ResolvedKind } from '../core/spec/error-kinds.ts';
import { answersToTry, type Gap, type GapLedger, type Json } from '../core/spec/gaps.ts';
import type { SourceDocument } from '../server/files/sections.ts';
import { operationMarkdown, operationsIn, ownTable, records } from './api-page-operations.ts';
import { anchorLink, code, text } from './api-page-text.ts';

export interface ApiPageSource {
  readonly source: SourceDocument;
  readonly requirements: readonly Requirement[];
  readonly ledger: GapLedger;
  /** The API under the default answers. */
  readonly document: ApiDocument;
  /** The kinds of errors under the default answers. */
  readonly errors: readonly ResolvedKind[];
}

/**
 * docs/api.md: the API section by section. Anchors: a section's number (`#4.2`, and GitHub's `#42-update-recording`), the
 * id of a requirement (`#REC-04`) or gap (`#error-body`), and the name of a record (`#Recording`).
 */
export function apiPage(page: ApiPageSource): string {
  const sections = Object.keys(page.source.sections).sort(inReadingOrder);
  return `${[introduction, contents(page, sections), ...sections.map((number) => section(page, number))].join('\n\n')}\n`;
}

/** The preamble first, then by number: YAML's order is lost, because JavaScript sorts keys such as `1`. */
const inReadingOrder = (a: string, b: string): number =>
  Number(b === 'preamble') - Number(a === 'preamble') || a.localeCompare(b, 'en', { numeric: true });

const introduction = `<!-- Generated from spec/ by \`npm run generate\`. Do not edit. -->

# Platform API, section by section

The numbers are those of the source document, which code, reports and messages cite. Each section lists

- its **operations**, as the mock serves them under the default profile;
- its **requirements**: what the document states. The contract suite checks and gates on these;
- its **gaps**: what the document leaves open, with the possible answers. The suite observes them, and gates on none unless \`--strict\` asks for it.
  A profile changes the answers.

In tables, *basis* names the section that states an element, or the gap whose answer is assumed.`;

const titleOf = ({ source }: ApiPageSource, number: string): string =>
  number === 'preamble' ? (source.sections[number] ?? '') : `${number} ${memberOf(source.sections, number)}`;

function contents(page: ApiPageSource, numbers: readonly string[]): string {
  const lines = numbers.map((number) => {
    const operations = operationsIn(page.document, number).map(({ method, path }) =>
      code(`${method.toUpperCase()} ${path}`),
    );
    const suffix = operations.length > 0 ? `: ${operations.join(', ')}` : '';
    return `${'  '.repeat(number.split('.').length - 1)}- [${titleOf(page, number)}](#${number})${suffix}`;
  });
  return lines.join('\n');
}

function section(page: ApiPageSource, number: string): string {
  const { source, requirements, ledger, document, errors } = page;
  const parts = [
    `<a id="${number}"></a>`,
    `${'#'.repeat(number.split('.').length + 1)} ${titleOf(page, number)}`,
    memberOf(source.about, number) ?? '',
    ...operationsIn(document, number).map((operation) => operationMarkdown(operation, document)),
    ...(number === '2' ? records.map((name) => ownTable(name, document)) : []),
    ...(number === '7' ? errorsMarkdown(errors, document) : []),
    list('Requirements', requirements.filter((one) => one.section === number).map(requirementItem)),
    list('Gaps', [...ledger.gaps.filter((gap) => gap.section === number).map(gapItem), ...elsewhere(ledger, number)]),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const list = (title: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `**${title}**\n\n${items.join('\n')}`;

const requirementItem = ({ id, statement, excluded }: Requirement): string =>
  `- <a id="${id}"></a>**${id}** ${text(statement)}${excluded === undefined ? '' : ` *Not checked:* ${text(excluded)}`}`;

function gapItem(gap: Gap): string {
  const answers = answersToTry(gap).map((answer) => {
    const meaning = memberOf(gap.answers, asText(answer));
    const isDefault = JSON.stringify(answer) === JSON.stringify(gap.default);
    return `  - ${answerText(answer)}${isDefault ? ' (default)' : ''}${meaning === undefined ? '' : `: ${meaningText(meaning)}`}`;
  });
  const isOpen = gap.schema !== undefined && gap.schema.enum === undefined;
  return [
    `- <a id="${gap.id}"></a>**${gap.id}** ${text(gap.question)}`,
    ...answers,
    ...(isOpen ? ['  - or any other valid value'] : []),
    ...(gap.unobservable === undefined ? [] : [`  - *Not observable:* ${text(gap.unobservable)}`]),
  ].join('\n');
}

function answerText(answer: Json): string {
  if (!Array.isArray(answer)) return code(typeof answer === 'object' ? JSON.stringify(answer) : String(answer));
  return answer.length === 0 ? 'none' : answer.map((item) => code(asText(item))).join(', ');
}

const meaningText = (meaning: string): string => (meaning.startsWith('{') ? code(meaning) : text(meaning));

/** Open points of a section whose gaps belong to another one. */
function elsewhere({ gaps, openPoints, alsoOpen }: GapLedger, number: string): string[] {
  const sectionOf = new Map(gaps.map((gap) => [gap.id, gap.section]));
  return [...openPoints, ...alsoOpen]
    .filter(({ section }) => section === number)
    .flatMap(({ point, gaps: ids }) => {
      const others = ids.filter((id) => sectionOf.get(id) !== number);
      if (others.length === 0) return [];
      const links = others.map((id) => `${anchorLink(id)} (${anchorLink(sectionOf.get(id) ?? '')})`);
      return [`- Also open here, ${text(point)}: ${links.join(', ')}`];
    });
}

function errorsMarkdown(errors: readonly ResolvedKind[], document: ApiDocument): string[] {
  const rows = errors.map(({ kind, title, status, gaps }) => [
    code(kind),
    text(title),
    code(String(status)),
    gaps.map(anchorLink).join(', '),
  ]);
  return [table(['Kind', 'Meaning', 'Status', 'Basis'], rows), ownTable('Error', document)];
}
