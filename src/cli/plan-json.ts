import type { Plan } from '../../contract-tests/verify.ts';

/** The plan of a run for programs. Of the target it says where it is: the rest may hold credentials. */
export const planJson = ({ target, allowWrites, checks, probes, given }: Plan) => ({
  schemaVersion: 1,
  target: { baseUrl: target.baseUrl },
  profile: given.name,
  allowWrites,
  /** Every request that would write, were it allowed. */
  writes: [...new Set(checks.flatMap(({ writes = [] }) => writes))],
  checks: checks.map(({ id, requirements, title, needs, writes = [] }) => ({ id, requirements, title, needs, writes })),
  probes: probes.map(({ gap, sends, writes, needs }) => ({ gap, sends, writes, needs })),
});
