import type { Asked, Entry } from '../log/entry.ts';
import type { Session } from '../session/session.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import { sleep } from '../wire/time.ts';
import type { Asker } from './asker.ts';

/** Requests under way at once unless a run says otherwise (`--concurrency`). */
export const DEFAULT_CONCURRENCY = 2;

/** How many requests may be under way at once: one where the target file limits requests a second. */
export function concurrencyOf({ config, target }: Pick<Session, 'config' | 'target'>): number {
  if (target.limits?.requestsPerSecond !== undefined) return 1;
  return Math.max(1, config.concurrency ?? DEFAULT_CONCURRENCY);
}

/** Sends requests so that as many overlap as the run allows, `apartMs` apart; those that read are repeated to fill up. */
export async function together(
  asker: Asker,
  requests: readonly ClientRequest[],
  asked: Asked,
  apartMs = 0,
): Promise<Entry[]> {
  const most = concurrencyOf(asker.session);
  const reading = requests.filter(({ method }) => method === 'GET');
  const more = reading.length > 0 ? Math.max(0, most - requests.length) : 0;
  const all = [...requests, ...Array.from({ length: more }, (_, at) => reading[at % reading.length] as ClientRequest)];
  const entries: Entry[] = [];
  for (let from = 0; from < all.length; from += most) {
    const batch = all.slice(from, from + most).map(async (request, at) => {
      if (at * apartMs > 0) await sleep(at * apartMs);
      return asker.ask({ ...request }, { ...asked, odd: ['overlap'] });
    });
    entries.push(...(await Promise.all(batch)).filter((entry) => entry !== undefined));
  }
  return entries;
}
