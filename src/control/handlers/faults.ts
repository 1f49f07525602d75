import { type Fault, faults } from '../../core/faults/index.ts';
import type { World } from '../../core/world/world.ts';
import type { Handlers } from '../call.ts';
import type { components } from '../control-types.ts';
import { faultOf, suggestionFor } from '../fault-options.ts';
import { notFound } from '../refusal.ts';

/** The faults of a world. */
export const faultHandlers: Handlers<'listFaults' | 'disarmFaults' | 'armFault' | 'disarmFault'> = {
  listFaults: ({ world }) => faults.map((fault) => describe(world, fault)),
  disarmFaults: ({ world }) => {
    world.arm([]);
    return undefined;
  },
  armFault: ({ world, params, body }) => {
    const fault = requireFault(params.fault);
    const { operation, times, probability = 1 } = body ?? {};
    const arm = { id: fault.id, operation, left: times, probability };
    world.arm([...world.arms.filter(({ id }) => id !== fault.id), arm]);
    return describe(world, fault);
  },
  disarmFault: ({ world, params }) => {
    const { id } = requireFault(params.fault);
    world.arm(world.arms.filter((arm) => arm.id !== id));
    return undefined;
  },
};

/** @throws Refusal */
function requireFault(id: string): Fault {
  const fault = faultOf(id);
  if (!fault) throw notFound(`There is no fault ${id}; GET /_mock/faults lists them${suggestionFor(id)}.`);
  return fault;
}

function describe(world: World, fault: Fault): components['schemas']['Fault'] {
  const { id, family, description, requirements } = fault;
  const arm = world.arms.find((one) => one.id === id);
  return {
    id,
    family,
    description,
    requirements: [...requirements],
    hits: world.faultHits.get(id) ?? 0,
    ...(arm && {
      armed: {
        ...(arm.operation !== undefined && { operation: arm.operation as never }),
        ...(arm.left !== undefined && { left: arm.left }),
        probability: arm.probability,
      },
    }),
  };
}
