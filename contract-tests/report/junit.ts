import type { Outcome, Report } from '../model.ts';
import { groupBy } from '../values/group.ts';
import { answerOf, areaOf, decisiveOf, type ReportedCheck, statementsOf, VERDICTS } from './arrange.ts';
import { withEntities } from './markup.ts';
import { clip, showValue } from './text.ts';

const MAX_VALUE = 4_000;
const MAX_CURL = 8_000;

// The characters that XML 1.0 allows; any other makes the whole file unreadable, even as an entity.
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Text for an element. `>` is escaped too, so that the text cannot contain `]]>`. */
const xmlText = (text: string): string => withEntities(text.replace(NOT_XML, '')).replaceAll('\r', '&#13;');

/** Attributes of an element; line ends and tabs as entities, since parsers make them spaces otherwise. */
function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xmlText(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** How long a check's exchanges took. One that several checks share counts for each of them. */
const timeOf = ({ exchanges }: ReportedCheck): number => exchanges.reduce((sum, { durationMs }) => sum + durationMs, 0);

/** What a reader of a CI job's log needs to understand and repeat a result. */
export function details(report: Report, check: ReportedCheck): string {
  const shown = decisiveOf(check)?.exchange;
  const lines = [
    ...statementsOf(report, check),
    check.message,
    ...(check.expected === undefined ? [] : [`expected: ${showValue(check.expected, MAX_VALUE)}`]),
    ...(check.expected === undefined && check.actual === undefined
      ? []
      : [`actual:   ${showValue(check.actual, MAX_VALUE)}`]),
    ...(shown ? [`answered: ${clip(answerOf(shown), MAX_VALUE)}`, `repeat:   ${clip(shown.curl, MAX_CURL)}`] : []),
  ];
  return lines.join('\n');
}

function outcomeElement(report: Report, check: ReportedCheck): string {
  const { outcome, message } = check;
  if (outcome === 'pass') return '';
  // What the baseline knows must not turn the job red.
  if (check.known !== undefined) return `<skipped${attributes({ message })}/>`;
  if (outcome === 'violation' || outcome === 'error') {
    const name = outcome === 'violation' ? 'failure' : 'error';
    return `<${name}${attributes({ message, type: outcome })}>${xmlText(details(report, check))}</${name}>`;
  }
  return `<skipped${attributes({ message: `${outcome} ${check.requirements.join(' ')}: ${message}` })}/>`;
}

function testCase(report: Report, check: ReportedCheck): string {
  const head = attributes({
    classname: `contract.${areaOf(check).id}`,
    name: `${check.id}: ${check.title}`,
    time: seconds(timeOf(check)),
  });
  const inside = outcomeElement(report, check);
  return `    <testcase${head}${inside === '' ? '/>' : `>${inside}</testcase>`}\n`;
}

function totals(checks: readonly ReportedCheck[]): Record<string, number> {
  const of = (...outcomes: Outcome[]): number => checks.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const known = checks.filter((check) => check.known !== undefined).length;
  return {
    tests: checks.length,
    failures: of('violation') - known,
    errors: of('error'),
    skipped: of('blocked', 'untested') + known,
  };
}

function suite(report: Report, name: string, checks: readonly ReportedCheck[]): string {
  const properties: Record<string, string | number> = {
    verdict: report.verdict,
    summary: report.summary.text,
    exitCode: report.exitCode,
    target: report.target.baseUrl,
    profile: report.profile,
    tool: `${report.tool.name} ${report.tool.version}`,
  };
  const lines = Object.entries(properties).map(
    ([key, value]) => `      <property${attributes({ name: key, value })}/>\n`,
  );
  const time = checks.reduce((sum, check) => sum + timeOf(check), 0);
  const head = attributes({
    name,
    ...totals(checks),
    time: seconds(time),
    timestamp: report.startedAt.replace(/(\.\d+)?Z$/, ''),
  });
  return `  <testsuite${head}>\n    <properties>\n${lines.join('')}    </properties>\n${checks.map((check) => testCase(report, check)).join('')}  </testsuite>\n`;
}

/** A file without a test case counts as success in most CI systems: an untested run must not. */
function nothingJudged(report: Report): ReportedCheck {
  const message = `${VERDICTS[report.verdict].word}: ${report.summary.text}`;
  return { id: 'verdict', requirements: [], title: 'the target is judged', outcome: 'error', message, exchanges: [] };
}

/**
 * A report as JUnit XML: a suite an area, a test case a check. A violation is a failure, a set-up that failed an error,
 * a blocked or untested check is skipped with its reason. The verdict is a property of each suite: a file without a
 * failure is not yet `conforms`.
 */
export function renderJunit(report: Report): string {
  const checks = report.checks.length > 0 ? report.checks : [nothingJudged(report)];
  const areas = groupBy(checks, (check) => areaOf(check).name);
  // Of all suites together, the schemas of JUnit readers know no number of skipped test cases.
  const { skipped: _, ...counts } = totals(checks);
  const head = attributes({ name: `${report.tool.name} contract`, ...counts, time: seconds(report.durationMs) });
  const suites = [...areas].map(([name, own]) => suite(report, name, own));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${head}>\n${suites.join('')}</testsuites>\n`;
}
