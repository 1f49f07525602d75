import type { Report } from '../model.ts';
import { type ArrangedCheck, arrange, arrangeFindings } from './arrange.ts';
import { jsonText, printableJson } from './text.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** The rule of the result that a verdict that fails is: readers look at the levels of results, and at no exit code. */
const VERDICT = { id: 'verdict', shortDescription: { text: 'the verdict of the run' } };

/** A report as SARIF 2.1.0: a rule a check, a result where it did not pass, known ones suppressed; and one for a verdict that fails. */
export function renderSarif(given: Report): string {
  const report = printableJson(given);
  const { checks, tool, startedAt, durationMs, exitCode, summary, verdict, target } = arrange(report);
  const began = Date.parse(startedAt);
  const rules = checks.map(({ id, title, statements, requirements }) => ({
    id,
    shortDescription: { text: title },
    help: { text: statements.map(({ line }) => line).join('\n') },
    properties: { tags: requirements },
  }));
  const judged = {
    ...{ ruleId: VERDICT.id, ruleIndex: rules.length, ...FAILED, message: { text: summary.text } },
    ...{ partialFingerprints: { [FINGERPRINT]: verdict }, locations: [locationOf()] },
  };
  const run = {
    tool: { driver: { name: tool.name, version: tool.version, rules: [...rules, VERDICT] } },
    invocations: [
      {
        executionSuccessful: verdict !== 'unreachable',
        exitCode,
        ...(Number.isFinite(began) && {
          startTimeUtc: startedAt,
          endTimeUtc: new Date(began + durationMs).toISOString(),
        }),
        ...(verdict !== 'conforms' && {
          toolExecutionNotifications: [{ level: 'error', message: { text: summary.text } }],
        }),
      },
    ],
    results: [
      ...report.checks.flatMap((check, at) =>
        check.outcome === 'pass' ? [] : arrangeFindings(report, check).map((finding) => result(finding, at)),
      ),
      ...(verdict === 'conforms' ? [] : [judged]),
    ],
    properties: { verdict, target: target.baseUrl, summary: summary.text },
  };
  return jsonText({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
}

const FAILED = { kind: 'fail', level: 'error' };
/** The name of the fingerprint by which the same finding of two runs is one. */
const FINGERPRINT = 'finding/v1';

function result(
  { id, fingerprint = id, outcome, message, known, shown, repeat }: ArrangedCheck,
  ruleIndex: number,
): object {
  return {
    ruleId: id,
    ruleIndex,
    // SARIF gives no level to what is open.
    ...(outcome === 'violation' ? FAILED : { kind: 'open', level: 'none' }),
    message: { text: [message || outcome, ...(shown ? [`Repeat it: ${repeat.join('\n')}`] : [])].join('\n') },
    partialFingerprints: { [FINGERPRINT]: fingerprint },
    suppressions: known === undefined ? undefined : [{ kind: 'external', justification: known }],
    locations: [locationOf(shown)],
  };
}

/** Where a result is, by the request that shows it. GitHub refuses a whole file in which one result has no place: then it is the API. */
const locationOf = (shown?: ArrangedCheck['shown']) => ({
  physicalLocation: { artifactLocation: { uri: (shown && uriOf(shown.path)) || 'v1' } },
  ...(shown && {
    logicalLocations: [{ fullyQualifiedName: `${shown.method} ${shown.path}` }],
    message: { text: shown.answer },
  }),
});

/** A path as a relative URI reference; what is percent-encoded stays as it was sent. */
const uriOf = (path: string): string => encodeURI(path.replace(/^\//, '')).replace(/%25(?=[\da-f]{2})/gi, '%');
