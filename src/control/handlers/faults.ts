import { armOf, termsAmiss } from '../../core/faults/arms.ts';
import { type Fault, faultOf, faults } from '../../core/faults/index.ts';
import { didYouMean } from '../../core/profiles/did-you-mean.ts';
import type { components } from '../../core/spec/control-types.ts';
import type { World } from '../../core/world/world.ts';
import type { Handlers } from '../call.ts';
import { invalid, notFound } from '../refusal.ts';

export const faultHandlers = {
  listFaults: ({ world }) => faults.map((fault) => describe(world, fault)),
  armFault: ({ world, params, body }) => {
    const fault = requireFault(params.fault);
    const amiss = termsAmiss(fault, body ?? {});
    if (amiss.length > 0) throw invalid(amiss);
    world.restartTurns(fault.id);
    world.set({ arms: [...world.arms.filter(({ id }) => id !== fault.id), armOf(fault, body ?? {})] });
    return describe(world, fault);
  },
  disarmFault: async ({ world, params }) => {
    if (params.fault === 'all') {
      world.set({ arms: [] });
      world.restartTurns();
      return;
    }
    const { id } = requireFault(params.fault);
    world.set({ arms: world.arms.filter((arm) => arm.id !== id) });
  },
} satisfies Partial<Handlers>;

function requireFault(id: string): Fault {
  const fault = faultOf(id);
  if (fault) return fault;
  const known = faults.map((one) => one.id);
  throw notFound(`There is no fault ${id}; GET /_mock/faults lists them${didYouMean(id, known) || '.'}`);
}

function describe(world: World, fault: Fault): components['schemas']['Fault'] {
  const { id, family, description, requirements, parameters } = fault;
  const arm = world.arms.find((one) => one.id === id);
  // Without undefined members, which the document does not allow.
  const armed = arm && JSON.parse(JSON.stringify({ ...arm, id: undefined }));
  return {
    id,
    family,
    description,
    requirements: [...requirements],
    parameters: [...parameters],
    hits: world.faultHits.get(id) ?? 0,
    ...(armed && { armed }),
  };
}
