import type { Report } from '../model.ts';
import { groupBy } from '../values/group.ts';
import { type ArrangedCheck, arrange, arrangeCheck } from './arrange.ts';
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

/** How long the checks' exchanges took. One that several checks share counts for each of them. */
const timeOf = (checks: readonly ArrangedCheck[]): number =>
  checks.reduce((sum, check) => check.exchanges.reduce((own, { durationMs }) => own + durationMs, sum), 0);

/** What a reader of a CI job's log needs to understand and repeat a result. */
export function details({ statements, message, expected, actual, shown, repeat }: ArrangedCheck): string {
  return [
    ...statements.map(({ line }) => line),
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(actual === undefined ? [] : [`actual:   ${actual}`]),
    ...(shown ? [`answered: ${shown.answer}`, `repeat:   ${cut(repeat.join('\n          '), 8_000)}`] : []),
  ].join('\n');
}

/** What a test case becomes: what the baseline knows must not turn the job red. */
const kindOf = ({ outcome, known }: ArrangedCheck): 'pass' | 'failure' | 'error' | 'skipped' => {
  if (outcome === 'pass' || outcome === 'error') return outcome;
  return outcome === 'violation' && known === undefined ? 'failure' : 'skipped';
};

const areaOf = ({ requirements }: ArrangedCheck): string =>
  `contract.${requirements[0]?.split('-')[0]?.toLowerCase() || 'other'}`;

function testCase(check: ArrangedCheck): string {
  const { id, title, outcome, message, requirements, known } = check;
  const kind = kindOf(check);
  const why = known === undefined ? `${outcome} ${requirements.join(' ')}: ${message}` : message;
  const isFound = kind === 'failure' || kind === 'error';
  const inside = isFound
    ? element(kind, { message, type: outcome }, xmlText(details(check)))
    : element('skipped', { message: why });
  const attributes = { classname: areaOf(check), name: `${id}: ${title}`, time: seconds(timeOf([check])) };
  return element('testcase', attributes, kind === 'pass' ? '' : inside);
}

const totals = (checks: readonly ArrangedCheck[]) => {
  const of = (kind: string): number => checks.filter((check) => kindOf(check) === kind).length;
  return { tests: checks.length, failures: of('failure'), errors: of('error') };
};

/** A report as JUnit XML: a suite an area, a test case a check. Without a failure the verdict, a property, may be another than `conforms`. */
export function renderJunit(report: Report): string {
  const { word, checks, verdict, summary, tool, startedAt, durationMs, exitCode, target, profile } = arrange(report);
  // A file without a test case counts as success in most CI systems: an untested run must not.
  const message = `${word}: ${summary.text}`;
  const judged = { id: 'verdict', requirements: [], title: 'the target is judged', exchanges: [], message };
  const shown = checks.length > 0 ? checks : [arrangeCheck(report, { ...judged, outcome: 'error' })];
  const run = { verdict, summary: summary.text, exitCode, target: target.baseUrl, profile };
  const properties = Object.entries({ ...run, tool: `${tool.name} ${tool.version}` }).map(([name, value]) =>
    element('property', { name, value }),
  );
  const timestamp = startedAt.replace(/(\.\d+)?Z$/, '');
  const suites = [...groupBy(shown, areaOf)].map(([name, own]) => {
    const skipped = own.filter((check) => kindOf(check) === 'skipped').length;
    const attributes = { name, ...totals(own), skipped, time: seconds(timeOf(own)), timestamp };
    const inside = element('properties', {}, properties.join('')) + own.map(testCase).join('');
    return element('testsuite', attributes, inside);
  });
  // Of all suites together, the schemas of JUnit readers know no number of skipped test cases.
  const head = { name: `${tool.name} contract`, ...totals(shown), time: seconds(durationMs) };
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', head, suites.join(''))}`;
}
