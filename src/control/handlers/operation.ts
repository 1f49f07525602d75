import type { Handlers } from '../call.ts';
import { healthOf, readinessOf } from '../health.ts';
import { notFound } from '../refusal.ts';

/** Probes and metrics of the process, the same in the control plane of every world. */
export const operationHandlers: Handlers<'getHealth' | 'getLiveness' | 'getReadiness' | 'getMetrics'> = {
  getHealth: ({ worlds }) => healthOf(worlds.services),
  getLiveness: () => ({ live: true }),
  getReadiness: ({ worlds }) => readinessOf(worlds.services),
  getMetrics: async ({ worlds, headers }) => {
    const { metrics } = worlds.services;
    if (!metrics) throw notFound('This mock collects no metrics; serve --metrics does.');
    const { mediaType, text } = await metrics.text();
    headers['Content-Type'] = mediaType;
    return text;
  },
};
