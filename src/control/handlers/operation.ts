import { clearTimeout, setTimeout } from '../../core/real-time.ts';
import type { Handlers } from '../call.ts';
import { notFound, Refusal } from '../refusal.ts';

/** Probes and metrics of the process, the same in the control plane of every world. */
export const operationHandlers = {
  getLiveness: () => ({ live: true }),
  getReadiness: async ({ worlds }) => {
    const { ready } = worlds.services;
    const reason = ready && (await soon(ready));
    if (reason !== undefined) throw new Refusal('unavailable', `Not ready: ${reason}.`);
    return { live: true, ready: true };
  },
  getMetrics: async ({ worlds, headers }) => {
    const { metrics } = worlds.services;
    if (!metrics) throw notFound('This mock collects no metrics; serve --metrics does.');
    const { mediaType, text } = await metrics.text();
    headers['Content-Type'] = mediaType;
    return text;
  },
} satisfies Partial<Handlers>;

/** Timeout in milliseconds: probes wait one second by default. */
const patience = 800;

/** The result of `ask`, or that it does not answer: a probe does not wait longer. Probes are open to everyone, so errors are not shown. */
async function soon(ask: () => Promise<string | undefined>): Promise<string | undefined> {
  let timer: unknown;
  const tooSlow = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, patience, `no answer about it within ${patience} ms`);
  });
  try {
    return await Promise.race([ask(), tooSlow]);
  } catch {
    return 'the question whether it is ready failed';
  } finally {
    clearTimeout(timer as number);
  }
}
