import type { Exchange } from '../model.ts';
import type { Session } from '../session/session.ts';
import { relativeTo } from '../values/url.ts';

/** More lines than these are one thing tried in many places. */
const MAX_LINES = 14;

/** What was sent and what came back, a short line each: method, path, names of the body's members, status. No values. */
export function evidenceOf(session: Session, exchanges: readonly Exchange[]): string[] {
  const counts = new Map<string, number>();
  for (const exchange of exchanges) {
    const line = lineOf(session, exchange);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
  return lines.length > MAX_LINES ? [`(${lines.length - MAX_LINES} more)`, ...lines.slice(-MAX_LINES)] : lines;
}

function lineOf(session: Session, { request, response, error }: Exchange): string {
  const path = relativeTo(session.target.baseUrl, request.url);
  const came = response
    ? [response.status, mediaType(response.headers)].filter(Boolean).join(' ')
    : (error ?? 'nothing');
  return `${request.method} ${path}${bodyOf(request.body)}${whose(session, request.headers)} -> ${came}`;
}

function whose(session: Session, { Authorization }: Record<string, string>): string {
  if (Authorization === undefined) return ', no credentials';
  const actor = session.signIn.actorOf(Authorization);
  return actor ? ` as ${actor}` : ', other credentials';
}

const mediaType = (headers: Record<string, string>): string => headers['content-type']?.split(';')[0] ?? '';

function bodyOf(text: string | undefined): string {
  if (text === undefined) return '';
  try {
    const body = JSON.parse(text) as unknown;
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return ` {${Object.keys(body).join(', ')}}`;
  } catch {
    // Sent broken on purpose.
  }
  return ' (another body)';
}
