import type { Report } from '../model.ts';
import { isObject, memberOf } from '../values/json.ts';
import { jsonText, repeatedIn } from './text.ts';

/** From that many characters on, a body is in a report.json once. */
const LONG = 300;

/** Each request and response of a report, with the JSON Pointer (RFC 6901) of its body. */
function* messagesIn({ checks }: Report) {
  for (const [at, { outcome, exchanges }] of checks.entries())
    for (const [nth, exchange] of exchanges.entries())
      for (const name of ['request', 'response'] as const) {
        const message: { body?: string; bodyRef?: string } | undefined = exchange[name];
        if (message) yield { message, outcome, pointer: `#/checks/${at}/exchanges/${nth}/${name}/body` };
      }
}

/** The text of a report.json. What passed names a long body of an earlier check by `bodyRef`, a JSON Pointer to it. */
export function reportText(report: Report): string {
  const file: Report = JSON.parse(JSON.stringify(report));
  const first = new Map<string, string>();
  for (const { message, outcome, pointer } of messagesIn(file)) {
    const { body = '' } = message;
    const bodyRef = first.get(body);
    if (bodyRef !== undefined && outcome === 'pass') Object.assign(message, { body: undefined, bodyRef });
    else if (body.length >= LONG && bodyRef === undefined) first.set(body, pointer);
  }
  return jsonText(file);
}

/** The report that a report.json holds, changed in place. */
export function reportIn(file: Report): Report {
  const bodies = new Map<string, string | undefined>();
  for (const { message, pointer } of messagesIn(file)) {
    if (message.bodyRef !== undefined) message.body = bodies.get(message.bodyRef) ?? '';
    delete message.bodyRef;
    bodies.set(pointer, message.body);
  }
  return file;
}

export function pastRunOf({ checks, summary, requests, target, ...report }: Report) {
  const { startedAt, verdict, exitCode, durationMs } = report;
  const { pass, violation, untested, blocked, error } = summary;
  return {
    ...{ startedAt, target: target.baseUrl, verdict, exitCode, durationMs, pass, violation },
    open: untested + blocked + error,
    requests: requests?.total ?? 0,
    repeated: repeatedIn(requests),
    violated: checks.filter(({ outcome, known }) => outcome === 'violation' && known === undefined).map(({ id }) => id),
  };
}
export type PastRun = ReturnType<typeof pastRunOf>;

const TEXTS = ['startedAt', 'target', 'verdict'];
const COUNTS = ['exitCode', 'durationMs', 'requests', 'repeated', 'pass', 'violation', 'open'];

export const isPastRun = (value: unknown): value is PastRun =>
  isObject(value) &&
  TEXTS.every((name) => typeof memberOf(value, name) === 'string') &&
  COUNTS.every((name) => typeof memberOf(value, name) === 'number') &&
  Array.isArray(value.violated);
