import { type Behaviour, faithful } from '../operations/behaviour.ts';
import { didYouMean } from '../profiles/did-you-mean.ts';
import { ConfigError } from '../spec/config-error.ts';
import { authenticationFaults } from './authentication.ts';
import { collectionFaults } from './collections.ts';
import { environmentFaults } from './environment.ts';
import { type Fault, families } from './fault.ts';
import { requestHandlingFaults } from './request-handling.ts';
import { responseShapeFaults } from './response-shape.ts';
import { stateFaults } from './state.ts';
import { statusAndProtocolFaults } from './status-and-protocol.ts';
import { timeFaults } from './time.ts';
import { variations } from './variations.ts';

export { type Fault, families };

/** The fault catalogue, in the order of families. */
export const faults: readonly Fault[] = [
  ...statusAndProtocolFaults,
  ...responseShapeFaults,
  ...requestHandlingFaults,
  ...stateFaults,
  ...authenticationFaults,
  ...collectionFaults,
  ...timeFaults,
  ...environmentFaults,
  ...variations,
];

/**
 * Refuses unknown ids, in one line, with suggestions.
 * @throws ConfigError
 */
export function checkFaultIds(ids: readonly string[]): void {
  const known = faults.map((fault) => fault.id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  const listed = unknown.slice(0, 5).map((id) => id.slice(0, 100));
  const more = unknown.length > listed.length ? ` and ${unknown.length - listed.length} more` : '';
  throw new ConfigError([
    `there is no fault ${listed.join(', ')}${more}; \`platform-mock faults\` or GET /_mock/faults lists all ${known.length}${didYouMean(unknown, known)}`,
  ]);
}

/** The behaviour with these faults; the first one is applied first. */
const behaviourWith = (ids: readonly string[]): Behaviour =>
  ids.reduce((behaviour, id) => faults.find((fault) => fault.id === id)?.wrap(behaviour) ?? behaviour, faithful);

/** Requests can name any set of faults (X-Mock-Fault), so the cache is limited. */
const cacheLimit = 1000;
const behaviours = new Map<string, Behaviour>();

/** The behaviour with these faults, cached. */
export function behaviourFor(ids: readonly string[]): Behaviour {
  const key = ids.join(' ');
  const cached = behaviours.get(key);
  if (cached) return cached;
  if (behaviours.size >= cacheLimit) behaviours.clear();
  const behaviour = behaviourWith(ids);
  behaviours.set(key, behaviour);
  return behaviour;
}

/** The armed faults and those that a request's header X-Mock-Fault names. */
export function requestedFaults(
  header: string,
  armed: readonly string[],
): { ids: readonly string[]; problem?: string } {
  const requested = header
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  try {
    checkFaultIds(requested);
    return { ids: [...new Set([...armed, ...requested])] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ids: [], problem: `The header X-Mock-Fault: ${error.message.slice(0, 2000)}` };
  }
}
