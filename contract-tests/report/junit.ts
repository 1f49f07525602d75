import type { Report } from '../model.ts';
import { groupBy } from '../values/group.ts';
import { type Arranged, type ArrangedCheck, arrange } from './arrange.ts';
import { withEntities } from './markup.ts';
import { cut, visible } from './text.ts';

/** Text for an element: without what XML 1.0 does not allow, even as an entity, and without `]]>`. */
const xmlText = (text: string): string => withEntities(visible(text));

/** An element; in attributes line ends and tabs are entities, since parsers make them spaces otherwise. */
function element(name: string, attributes: Record<string, string | number>, inside = ''): string {
  const quoted = (text: string): string => xmlText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${quoted(String(value))}"`);
  return inside === '' ? `<${name}${given.join('')}/>\n` : `<${name}${given.join('')}>${inside}</${name}>\n`;
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** How long its exchanges took. One that several checks share counts for each of them. */
const timeOf = ({ exchanges }: ArrangedCheck): number => exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0);

/** What a reader of a CI job's log needs to understand and repeat a result. */
export function details({ statements, message, expected, actual, findings, shown, repeat }: ArrangedCheck): string {
  return [
    ...statements.map(({ line }) => line),
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(actual === undefined ? [] : [`actual:   ${actual}`]),
    ...findings,
    ...(shown ? [`answered: ${shown.answer}`, `repeat:   ${cut(repeat.join('\n          '), 8_000)}`] : []),
  ].join('\n');
}

/** A test case; what does not gate must not turn the job red. */
interface Case {
  area: string;
  name: string;
  kind: 'pass' | 'failure' | 'error' | 'skipped';
  message: string;
  type: string;
  text: string;
  ms: number;
}

function kindOf({ outcome, gates }: ArrangedCheck): Case['kind'] {
  if (outcome === 'pass') return 'pass';
  if (outcome === 'violation' && gates) return 'failure';
  return outcome === 'error' && gates ? 'error' : 'skipped';
}

function caseOf(check: ArrangedCheck): Case {
  const { id, title, outcome, message, requirements, known } = check;
  const kind = kindOf(check);
  return {
    ...{ area: requirements[0]?.split('-')[0]?.toLowerCase() || 'other', name: `${id}: ${title}`, kind, type: outcome },
    message:
      kind === 'skipped' && known === undefined ? `${[outcome, ...requirements].join(' ')}: ${message}` : message,
    ...{ text: details(check), ms: timeOf(check) },
  };
}

/** The case of the verdict: readers of JUnit compute red or green from the cases, and know no exit code. */
function verdictCase({ verdict, word, summary, gates }: Arranged): Case {
  const kind = verdict === 'conforms' ? 'pass' : verdict === 'violates' ? 'failure' : 'error';
  const text = gates.map((gate) => `${gate.cause}: ${gate.text}`).join('\n');
  return {
    ...{ area: 'verdict', name: 'verdict', kind, type: verdict },
    message: `${word}: ${summary.text}`,
    text,
    ms: 0,
  };
}

function testCase({ area, name, kind, message, type, text, ms }: Case): string {
  const inside = kind === 'skipped' ? element(kind, { message }) : element(kind, { message, type }, xmlText(text));
  return element('testcase', { classname: `contract.${area}`, name, time: seconds(ms) }, kind === 'pass' ? '' : inside);
}

const totals = (cases: readonly Case[]) => {
  const of = (kind: string): number => cases.filter((each) => each.kind === kind).length;
  return { tests: cases.length, failures: of('failure'), errors: of('error') };
};

/** A report as JUnit XML: a suite an area, a test case a check, and one for the verdict. */
export function renderJunit(report: Report): string {
  const arranged = arrange(report);
  const { checks, verdict, summary, tool, startedAt, durationMs, exitCode, target, profile } = arranged;
  const cases = [...checks.map(caseOf), verdictCase(arranged)];
  const run = { verdict, summary: summary.text, exitCode, target: target.baseUrl, profile };
  const properties = Object.entries({ ...run, tool: `${tool.name} ${tool.version}` }).map(([name, value]) =>
    element('property', { name, value }),
  );
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, '');
  const suites = [...groupBy(cases, ({ area }) => area)].map(([area, own]) => {
    const skipped = own.filter(({ kind }) => kind === 'skipped').length;
    const time = seconds(own.reduce((sum, { ms }) => sum + ms, 0));
    const attributes = { name: `contract.${area}`, ...totals(own), skipped, time, timestamp };
    const inside = element('properties', {}, properties.join('')) + own.map(testCase).join('');
    return element('testsuite', attributes, inside);
  });
  // Of all suites together, the schemas of JUnit readers know no number of skipped test cases.
  const head = { name: `${tool.name} contract`, ...totals(cases), time: seconds(durationMs) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', head, suites.join(''))}`;
}
