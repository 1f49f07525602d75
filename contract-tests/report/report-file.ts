import type { Report } from '../model.ts';
import type { ReportedCheck } from './arrange.ts';
import { jsonText } from './printable.ts';

/** From that many characters on, a body is in a report.json once. */
const LONG = 300;

type Message = { body?: string; bodyRef?: string };

/** Gives each request and response of a report's exchanges, with its JSON Pointer (RFC 6901), to a function that replaces it. */
const withMessages = (
  report: Report,
  replaced: (message: Message, pointer: string, check: ReportedCheck) => Message,
): Report =>
  ({
    ...report,
    checks: report.checks.map((check, at) => ({
      ...check,
      exchanges: check.exchanges.map((exchange, nth) => {
        const of = (name: 'request' | 'response'): object => {
          const message = exchange[name];
          return message ? { [name]: replaced(message, `#/checks/${at}/exchanges/${nth}/${name}/body`, check) } : {};
        };
        return { ...exchange, ...of('request'), ...of('response') };
      }),
    })),
  }) as Report;

/** The text of a report.json. What passed names a long body of an earlier check by `bodyRef`, a JSON Pointer to it. */
export function reportText(report: Report): string {
  const first = new Map<string, string>();
  const file = withMessages(report, (message, pointer, { outcome }) => {
    const { body = '', ...rest } = message;
    const bodyRef = first.get(body);
    if (body.length >= LONG && bodyRef === undefined) first.set(body, pointer);
    return bodyRef !== undefined && outcome === 'pass' ? { ...rest, bodyRef } : message;
  });
  return jsonText(file);
}

/** The report that a report.json holds. */
export function reportIn(file: Report): Report {
  const bodies = new Map<string, string>();
  return withMessages(file, (message, pointer) => {
    const { bodyRef, ...rest } = message;
    const body = bodyRef === undefined ? message.body : (bodies.get(bodyRef) ?? '');
    if (body !== undefined) bodies.set(pointer, body);
    return bodyRef === undefined ? message : { ...rest, body };
  });
}
