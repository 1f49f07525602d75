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

/** Any request may ask for any set of faults (X-Mock-Fault): so many are kept. */
const mostKept = 1000;
const behaviours = new Map<string, Behaviour>();

/** As behaviourWith, made once for each set of faults. */
export function behaviourFor(ids: readonly string[]): Behaviour {
  const key = ids.join(' ');
  const known = behaviours.get(key);
  if (known) return known;
  if (behaviours.size >= mostKept) behaviours.clear();
  const made = behaviourWith(ids);
  behaviours.set(key, made);
  return made;
}

/** The armed faults and those that a request asks for itself, as the header X-Mock-Fault names them. */
export function askedFaults(header: string, armed: readonly string[]): { ids: readonly string[]; problem?: string } {
  const asked = header
    .split(',')
    .map((id) => id.trim())
    .filter(Boolean);
  try {
    checkFaultIds(asked);
    return { ids: [...new Set([...armed, ...asked])] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ids: [], problem: `The header X-Mock-Fault: ${error.message.slice(0, 2000)}` };
  }
}
