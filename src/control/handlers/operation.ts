import type { components } from '../../core/spec/control-types.ts';
import type { WorldServices } from '../../core/world/world.ts';
import type { Handlers } from '../call.ts';
import { notFound, Refusal } from '../refusal.ts';

/** Probes and metrics of the process, the same in the control plane of every world. */
export const operationHandlers = {
  getLiveness: () => ({ live: true }),
  getReadiness: async ({ worlds }) => {
    const health = await healthOf(worlds.services);
    if (!health.ready) throw new Refusal('unavailable', `Not ready: ${health.reason}.`);
    return health;
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

/** The health of the process. Asks the store, if any, but never waits longer than a probe does. */
async function healthOf({ ready }: WorldServices): Promise<components['schemas']['Health']> {
  const reason = ready && (await soon(ready));
  return { live: true, ready: reason === undefined, ...(reason !== undefined && { reason }) };
}

/** The result of `ask`, or that it does not answer. Probes are open to everyone, so errors are not shown. */
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
