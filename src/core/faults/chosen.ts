import { parseJsonBytes } from '../body.ts';
import { headerOf, type MockRequest, pathOf, queryOf, readBytes } from '../message.ts';
import type { Arrival } from '../operations/behaviour.ts';
import { ConfigError } from '../spec/config-error.ts';
import type { FaultArm } from '../world/fault-arms.ts';
import type { World } from '../world/world.ts';
import { armsFrom, splitFaults } from './arms.ts';
import { faultOf } from './index.ts';
import { isFor } from './matching.ts';
import { Turn } from './turn.ts';

export interface ChosenFaults {
  readonly turns: readonly Turn[];
  /** Why the header X-Mock-Fault cannot be used. */
  readonly problem?: string;
}

/** The armed faults for a request; those of its header X-Mock-Fault replace armed ones. */
export function chosenFaults(
  world: World,
  sent: MockRequest,
  { method, url, headers }: Arrival,
  operation: () => string | undefined,
): ChosenFaults | Promise<ChosenFaults> {
  // A browser sends a preflight without the page's headers.
  const isPreflight = method === 'OPTIONS';
  const header = isPreflight ? undefined : headerOf(headers, 'x-mock-fault');
  let requested: readonly FaultArm[] = [];
  try {
    if (header !== undefined) requested = armsFrom(splitFaults(header), true);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { turns: [], problem: `The header X-Mock-Fault: ${error.message.slice(0, 2000)}` };
  }
  const armed = world.arms.filter(({ id }) => !requested.some((arm) => arm.id === id));
  const choose = (body?: unknown): ChosenFaults => {
    const described = { method, path: pathOf(url), query: queryOf(url), headers, operation: operation(), body };
    const turnsOf = (arms: readonly FaultArm[], reason: 'armed' | 'requested'): Turn[] =>
      arms.flatMap((arm) => {
        const fault = faultOf(arm.id);
        if (!fault || (isPreflight && !fault.preflights)) return [];
        if (isFor(arm, described)) return [new Turn(world, arm, fault, reason)];
        return fault.observes ? [new Turn(world, arm, fault, 'observing')] : [];
      });
    return { turns: [...turnsOf(armed, 'armed'), ...turnsOf(requested, 'requested')] };
  };
  const needsBody = [...armed, ...requested].some(({ request }) => request?.body !== undefined);
  return needsBody ? bodyOf(sent, world).then(choose) : choose();
}

/** The body as JSON where it is such. It can be read again. */
async function bodyOf(sent: MockRequest, world: World): Promise<unknown> {
  const read = await readBytes(sent, world.answers.get('body-size-limit'));
  if (typeof sent.body === 'function') sent.body = () => read;
  const parsed = read.bytes && parseJsonBytes(read.bytes);
  return parsed && 'value' in parsed ? parsed.value : undefined;
}
