import { namedActors } from '../api/named-actors.ts';
import type { Entry } from '../log/entry.ts';
import type { CheckResult } from '../model.ts';
import type { Target } from '../session/target-file.ts';
import { hasMember } from '../values/json.ts';
import { type FindingEntries, sourceOf } from './source.ts';
import { HarFile } from './write-har.ts';

/** The name of an actor of the target file; undefined for all others, who sign in with what is secret. */
export const actorNamed = ({ actors }: Pick<Target, 'actors'>, who = ''): string | undefined =>
  hasMember(namedActors(actors), who) ? who : undefined;

/** Writes the exchanges of a run, in the order in which they were sent, as a recording that can be sent again, and which of them show its findings; gives the file. */
export async function writeExchanges(
  file: string,
  entries: readonly Entry[],
  target: Target,
  checks: readonly CheckResult[] = [],
): Promise<string> {
  const sorted = entries.toSorted((a, b) => a.begin - b.begin);
  const har = new HarFile(file, undefined, () => sourceOf(target), target, findingsIn(checks, sorted));
  const [{ date, endedAt } = { date: 0, endedAt: 0 }] = entries;
  for (const { answer, credential, asked, ...entry } of sorted) {
    const { request, response, durationMs } = answer;
    await har.add({
      ...{ method: request.method, url: request.url, httpVersion: 'HTTP/1.1', requestHeaders: request.headers },
      requestBody: Buffer.from(request.body ?? ''),
      ...{ status: response.status, statusText: '', responseHeaders: response.headers },
      responseBody: Buffer.from(response.body),
      ...{ startedAt: date + entry.startedAt - endedAt, durationMs, actor: actorNamed(target, credential.who), asked },
    });
  }
  await har.close();
  return file;
}

/** What `replay --finding` looks for. */
function findingsIn(checks: readonly CheckResult[], sorted: readonly Entry[]): FindingEntries {
  const numbers = new Map(sorted.map(({ answer }, at) => [answer.request, at + 1]));
  const own = checks.filter(({ outcome }) => outcome === 'violation');
  return Object.fromEntries(
    own.map(({ id, fingerprint = id, exchanges, also = [] }) => [
      id,
      [{ fingerprint, exchanges }, ...also].map((each) => ({
        finding: each.fingerprint,
        entries: each.exchanges.flatMap(({ request }) => numbers.get(request) ?? []),
      })),
    ]),
  );
}
