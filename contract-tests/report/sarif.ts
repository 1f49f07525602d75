import type { Report } from '../model.ts';
import { type ArrangedCheck, arrange } from './arrange.ts';
import { jsonText, printableJson } from './text.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A report as SARIF 2.1.0: a rule a check, a result where it did not pass, at its request's path; known ones suppressed. */
export function renderSarif(given: Report): string {
  const { checks, tool, startedAt, durationMs, exitCode, summary, verdict, target } = arrange(printableJson(given));
  const began = Date.parse(startedAt);
  const rules = checks.map(({ id, title, statements, requirements }) => ({
    id,
    shortDescription: { text: title },
    help: { text: statements.map(({ line }) => line).join('\n') },
    properties: { tags: requirements },
  }));
  const run = {
    tool: { driver: { name: tool.name, version: tool.version, rules } },
    invocations: [
      {
        executionSuccessful: verdict !== 'unreachable',
        exitCode,
        ...(Number.isFinite(began) && {
          startTimeUtc: startedAt,
          endTimeUtc: new Date(began + durationMs).toISOString(),
        }),
        ...(exitCode !== 0 && { toolExecutionNotifications: [{ level: 'error', message: { text: summary.text } }] }),
      },
    ],
    results: checks.flatMap((check, at) => (check.outcome === 'pass' ? [] : [result(check, at)])),
    properties: { verdict, target: target.baseUrl, summary: summary.text },
  };
  return jsonText({ $schema: SCHEMA, version: '2.1.0', runs: [run] });
}

function result({ id, outcome, message, known, shown, repeat }: ArrangedCheck, ruleIndex: number): object {
  return {
    ruleId: id,
    ruleIndex,
    // SARIF gives no level to what is open.
    ...(outcome === 'violation' ? { kind: 'fail', level: 'error' } : { kind: 'open', level: 'none' }),
    message: { text: [message || outcome, ...(shown ? [`Repeat it: ${repeat.join('\n')}`] : [])].join('\n') },
    // The same finding of two runs is one.
    partialFingerprints: { check: id },
    suppressions: known === undefined ? undefined : [{ kind: 'external', justification: known }],
    locations: shown && [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(shown.path) } },
        logicalLocations: [{ fullyQualifiedName: `${shown.method} ${shown.path}` }],
        message: { text: shown.answer },
      },
    ],
  };
}

/** A path as a relative URI reference; what is percent-encoded stays as it was sent. */
const uriOf = (path: string): string => encodeURI(path.replace(/^\//, '')).replace(/%25(?=[\da-f]{2})/gi, '%');
