import { namedActors } from '../api/named-actors.ts';
import type { Entry } from '../log/entry.ts';
import type { Target } from '../session/target-file.ts';
import { hasMember } from '../values/json.ts';
import { sourceOf } from './source.ts';
import { HarFile } from './write-har.ts';

/** The name of an actor of the target file; undefined for all others, who sign in with what is secret. */
export const actorNamed = ({ actors }: Pick<Target, 'actors'>, who = ''): string | undefined =>
  hasMember(namedActors(actors), who) ? who : undefined;

/** Writes the exchanges of a run, in the order in which they were sent, as a recording that can be sent again. */
export async function writeExchanges(file: string, entries: readonly Entry[], target: Target): Promise<void> {
  const har = new HarFile(file, undefined, () => sourceOf(target), target);
  const [{ date, endedAt } = { date: 0, endedAt: 0 }] = entries;
  for (const { answer, credential, begin: _, ...entry } of entries.toSorted((a, b) => a.begin - b.begin)) {
    const { request, response, durationMs } = answer;
    await har.add({
      ...{ method: request.method, url: request.url, httpVersion: 'HTTP/1.1', requestHeaders: request.headers },
      requestBody: Buffer.from(request.body ?? ''),
      ...{ status: response.status, statusText: '', responseHeaders: response.headers },
      responseBody: Buffer.from(response.body),
      ...{ startedAt: date + entry.startedAt - endedAt, durationMs, actor: actorNamed(target, credential.who) },
    });
  }
  await har.close();
}
