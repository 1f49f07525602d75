import type { Answer } from '../values/answer.ts';
import type { ClientRequest } from '../wire/exchange.ts';
import type { Session } from './session.ts';

/** Requests under way at once unless a run says otherwise (`--concurrency`). */
export const DEFAULT_CONCURRENCY = 2;

/** How many requests may be under way at once: one where the target file limits requests a second. */
export function concurrencyOf({ config, target }: Pick<Session, 'config' | 'target'>): number {
  if (target.limits?.requestsPerSecond !== undefined) return 1;
  return Math.max(1, config.concurrency ?? DEFAULT_CONCURRENCY);
}

/** A request with what identifies it for whoever judges the answer. */
export interface Overlap {
  request: ClientRequest;
}

/**
 * Sends requests so that as many overlap as the run allows, in the order given, and gives each with its answer. Where more
 * may overlap than there are, requests that only read are sent several times.
 */
export async function overlapped<T extends Overlap>(
  session: Session,
  requests: readonly T[],
): Promise<(T & { answer: Answer })[]> {
  const most = concurrencyOf(session);
  const reading = requests.filter(({ request }) => request.method === 'GET');
  const more = reading.length > 0 ? Math.max(0, most - requests.length) : 0;
  const all = [...requests, ...Array.from({ length: more }, (_, at) => reading[at % reading.length] as T)];
  const answered: (T & { answer: Answer })[] = [];
  for (let from = 0; from < all.length; from += most) {
    const batch = all.slice(from, from + most);
    const sent = await Promise.allSettled(batch.map(({ request }) => session.send(request)));
    for (const [at, each] of sent.entries()) {
      if (each.status === 'rejected') throw each.reason;
      answered.push({ ...(batch[at] as T), answer: each.value });
    }
  }
  return answered;
}
