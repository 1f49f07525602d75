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

/** The fault catalogue, by family. */
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
 * Refuses ids that the catalogue does not have, in one line, with those that were probably meant.
 * @throws ConfigError
 */
export function checkFaultIds(ids: readonly string[]): void {
  const known = faults.map((fault) => fault.id);
  const unknown = ids.filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  const told = unknown.slice(0, 5).map((id) => id.slice(0, 100));
  const more = unknown.length > told.length ? ` and ${unknown.length - told.length} more` : '';
  throw new ConfigError([
    `there is no fault ${told.join(', ')}${more}; \`platform-mock faults\` or GET /_mock/faults lists all ${known.length}${didYouMean(unknown, known)}`,
  ]);
}

/** The behaviour with the faults of these ids in it; the first one lies innermost. */
export const behaviourWith = (ids: readonly string[]): Behaviour =>
  ids.reduce((behaviour, id) => faults.find((fault) => fault.id === id)?.wrap(behaviour) ?? behaviour, faithful);

/** Requests may ask for any combination (X-Mock-Fault): as many are kept as any test needs, and no more. */
const mostKept = 1000;
const behaviours = new Map<string, Behaviour>();
const mostBehaviours = 1000;

/** As behaviourWith, made once for each set of faults. */
export function behaviourFor(ids: readonly string[]): Behaviour {
  const key = ids.join(' ');
  const known = behaviours.get(key) ?? behaviourWith(ids);
  if (behaviours.size >= mostKept) behaviours.clear();
  // Any request may ask for any set of faults.
  if (behaviours.size > mostBehaviours) behaviours.clear();
  behaviours.set(key, known);
  return known;
}
